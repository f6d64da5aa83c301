import BrokerStore
import ProviderKit

extension ForeignUser {
    /// A record of Identity Toolkit: of `firebase auth:export`, of the Admin SDK's `accounts:batchGet`, or of
    /// `broker users export`.
    init(identityToolkit record: JSONObject) {
        var fields = ForeignFields(record)
        var result = JSONObject()
        for name in UserField.all.map(\.name) + ["broker"] { result[name] = fields.value(name) }
        // `firebase auth:export` has a name of its own for it.
        result["lastLoginAt"] = fields.value("lastSignedInAt") ?? result["lastLoginAt"]
        fields.ignore("providerUserInfo", "version", "passwordUpdatedAt")
        var methods: Set<String> = []
        if record["passwordHash"]?.string?.isEmpty == false { methods.insert("password") }
        if record["phoneNumber"]?.string?.isEmpty == false { methods.insert("phone") }
        if record["emailLinkSignin"]?.bool == true { methods.insert("email") }
        var entries: [JSONObject] = []
        for entry in (record["providerUserInfo"]?.array ?? []).compactMap(\.object) {
            let provider = entry["providerId"]?.string ?? ""
            if provider == "password" || provider == "phone" {
                methods.insert(provider)
            } else {
                entries.append(entry)
            }
        }
        self.init(record: result, dropped: fields.dropped, otherMethods: methods)
        identities = entries
    }

    /// A row of Supabase's `auth.users`, or a user of its Admin API, with the rows of `auth.identities` as `identities`.
    init(supabase record: JSONObject) {
        var fields = ForeignFields(record)
        var metadata = ForeignFields(
            fields.object("user_metadata") ?? fields.object("raw_user_meta_data") ?? JSONObject())
        var result = JSONObject()
        result["localId"] = fields.value("id")
        result["email"] = fields.value("email")
        result["emailVerified"] =
            (fields.value("email_confirmed_at") ?? fields.value("confirmed_at")).map { _ in true }
        result["displayName"] = metadata.value("full_name") ?? metadata.value("name")
        result["photoUrl"] = metadata.value("avatar_url") ?? metadata.value("picture")
        result["createdAt"] = fields.date("created_at")
        result["lastLoginAt"] = fields.date("last_sign_in_at")
        // Whether a ban is over is not known to a file: an administrator enables the user.
        if fields.text("banned_until") != nil || fields.text("deleted_at") != nil { result["disabled"] = true }
        metadata.ignore(
            "name", "picture", "avatar_url", "full_name", "email", "email_verified", "phone_verified", "sub",
            "provider_id", "iss")
        fields.ignore(
            "raw_user_meta_data", "confirmed_at", "instance_id", "aud", "role", "updated_at", "email_confirmed_at",
            "confirmation_sent_at", "is_super_admin", "is_sso_user", "is_anonymous", "invited_at")
        var methods: Set<String> = []
        if record["encrypted_password"]?.string?.isEmpty == false { methods.insert("password") }
        if record["phone"]?.string?.isEmpty == false { methods.insert("phone") }
        var entries: [JSONObject] = []
        for identity in fields.objects("identities") {
            var identity = ForeignFields(identity)
            let provider = identity.text("provider") ?? ""
            if ["email", "phone"].contains(provider) {
                methods.insert(provider)
                continue
            }
            entries.append(Self.entry(supabase: &identity, of: provider))
        }
        self.init(
            record: result, dropped: fields.dropped + metadata.dropped.map { "user_metadata.\($0)" },
            otherMethods: methods)
        identities = entries
    }

    private static func entry(supabase identity: inout ForeignFields, of provider: String) -> JSONObject {
        var data = ForeignFields(identity.object("identity_data") ?? JSONObject())
        var entry = JSONObject([("providerId", .string(provider))])
        // Older versions have the subject as the id.
        let subject = identity.text("provider_id") ?? data.text("sub") ?? identity.text("id")
        entry["rawId"] = subject.map(JSONValue.string)
        entry["email"] = data.value("email")
        entry["displayName"] = data.value("full_name") ?? data.value("name")
        entry["photoUrl"] = data.value("avatar_url") ?? data.value("picture")
        entry["screenName"] = data.value("user_name") ?? data.value("preferred_username")
        return entry
    }

    /// A user of Auth0's export job or Management API.
    init(auth0 record: JSONObject) {
        var fields = ForeignFields(record)
        let id = fields.text("user_id") ?? ""
        var result = JSONObject([("localId", .string(id))])
        result["email"] = fields.value("email")
        result["emailVerified"] = fields.value("email_verified")
        result["displayName"] = fields.value("name")
        result["photoUrl"] = fields.value("picture")
        result["screenName"] = fields.value("nickname")
        result["createdAt"] = fields.date("created_at")
        result["lastLoginAt"] = fields.date("last_login")
        if fields.flag("blocked") { result["disabled"] = true }
        fields.ignore("updated_at", "last_ip", "logins_count", "given_name", "family_name")
        var methods: Set<String> = []
        var entries: [JSONObject] = []
        var rows = fields.objects("identities")
        if rows.isEmpty { rows = Self.identity(auth0: id) }
        for row in rows {
            var row = ForeignFields(row)
            let provider = row.text("provider") ?? ""
            if let method = ["auth0": "password", "email": "email", "sms": "phone"][provider] {
                methods.insert(method)
                continue
            }
            let connection = row.text("connection") ?? provider
            let profile = row.object("profileData") ?? JSONObject()
            var entry = JSONObject([("providerId", .string(connection))])
            // The subjects of enterprise and custom connections begin with the connection.
            entry["rawId"] = row.text("user_id").map { .string(String($0.trimmingPrefix(connection + "|"))) }
            entry["email"] = profile["email"]
            entry["displayName"] = profile["name"]
            entry["photoUrl"] = profile["picture"]
            entry["screenName"] = profile["nickname"]
            entries.append(entry)
        }
        self.init(record: result, dropped: fields.dropped, otherMethods: methods)
        identities = entries
    }

    /// The identity that an id of Auth0 names: `github|123` or `oidc|connection|subject`.
    private static func identity(auth0 id: String) -> [JSONObject] {
        let parts = id.split(separator: "|", maxSplits: 2).map(String.init)
        guard parts.count >= 2 else { return [] }
        return [
            [
                "provider": .string(parts[0]), "connection": .string(parts.count == 3 ? parts[1] : parts[0]),
                "user_id": .string(parts[parts.count - 1]),
            ]
        ]
    }

    /// A line of a CSV file: columns with the names of records, and one `identity:<provider>` for each provider.
    init(csv record: JSONObject) {
        var fields = ForeignFields(record)
        var result = JSONObject()
        // Other systems have no column for them, or one of another form.
        let own: Set = ["customAuth", "initialEmail", "lastRefreshAt", "validSince"]
        for field in UserField.all where !own.contains(field.name) { result[field.name] = fields.value(field.name) }
        for name in ["createdAt", "lastLoginAt"] where result[name]?.string?.contains("-") == true {
            result[name] = fields.date(name)
        }
        var entries: [JSONObject] = []
        for name in record.names where name.hasPrefix(Self.identityColumn) {
            guard let subject = fields.value(name) else { continue }
            let provider = name.dropFirst(Self.identityColumn.count)
            entries.append(["providerId": .string(String(provider)), "rawId": subject])
        }
        self.init(record: result, dropped: fields.dropped)
        identities = entries
    }

    private static let identityColumn = "identity:"
}
