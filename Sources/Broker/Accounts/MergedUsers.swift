import BrokerStore
import ProviderKit

/// Both users of a merge as they were before it: the content of a sealed snapshot.
struct MergedUsers: Sendable {
    /// An identity of the absorbed user with all that belonged to it.
    struct MergedIdentity: Sendable {
        let identity: Identity
        /// Its further subjects, which an app's former owner may have issued.
        let aliases: [IdentityKey]
        let grants: [UpstreamGrant]
    }

    let survivor: UserRecord
    let absorbed: User
    let identities: [MergedIdentity]
    /// The local ids of users that were merged into the absorbed one before.
    let aliases: [String]
    /// The merges into the absorbed user that could be undone.
    let merges: [String]
    /// The user whose custom claims the survivor got.
    let claims: MergedClaims
}

extension MergedUsers {
    /// As JSON, tokens included: to be sealed.
    var json: JSONValue {
        [
            "survivor": survivor.user.json, "survivorIdentities": .array(survivor.identities.map(\.json)),
            "absorbed": absorbed.json, "identities": .array(identities.map(\.json)),
            "aliases": .array(aliases.map(JSONValue.string)), "merges": .array(merges.map(JSONValue.string)),
            "claims": .string(claims.rawValue),
        ]
    }

    /// Reads what ``json`` wrote; `nil` for anything else.
    init?(_ json: JSONValue) {
        guard let survivor = json["survivor"].flatMap(User.init(json:)),
            let absorbed = json["absorbed"].flatMap(User.init(json:)), let identities = json["identities"]?.array,
            let survivorIdentities = json["survivorIdentities"]?.array
        else { return nil }
        self.survivor = UserRecord(
            user: survivor, identities: survivorIdentities.compactMap { Identity(json: $0, of: survivor.key) })
        self.absorbed = absorbed
        self.identities = identities.compactMap { MergedIdentity($0, of: absorbed.key) }
        aliases = (json["aliases"]?.array ?? []).compactMap(\.string)
        merges = (json["merges"]?.array ?? []).compactMap(\.string)
        claims = json["claims"]?.string.flatMap(MergedClaims.init) ?? .survivor
    }
}

extension MergedUsers.MergedIdentity {
    fileprivate var json: JSONValue {
        [
            "identity": identity.json,
            "aliases": .array(aliases.map { ["issuer": .string($0.issuer), "subject": .string($0.subject)] }),
            "grants": .array(grants.map { .object($0.sealable) }),
        ]
    }

    fileprivate init?(_ json: JSONValue, of userKey: Int64) {
        guard let identity = json["identity"].flatMap({ Identity(json: $0, of: userKey) }) else { return nil }
        let aliases = (json["aliases"]?.array ?? []).compactMap { alias -> IdentityKey? in
            guard let issuer = alias["issuer"]?.string, let subject = alias["subject"]?.string else { return nil }
            return IdentityKey(provider: identity.provider, issuer: issuer, subject: subject)
        }
        self.init(
            identity: identity, aliases: aliases,
            grants: (json["grants"]?.array ?? []).compactMap(UpstreamGrant.init(sealed:)))
    }
}

extension User {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "key": .integer(key), "localId": .string(localID), "emailVerified": .bool(isEmailVerified),
            "customAuth": .bool(isCustomAuth), "createdAt": .integer(createdAt.milliseconds), "epoch": .integer(epoch),
        ]
        object["email"] = email.map(JSONValue.string)
        object["emailCanonical"] = emailCanonical.map(JSONValue.string)
        object["emailAssertedBy"] = emailAssertedBy.map(JSONValue.string)
        object["emailAssertedAt"] = emailAssertedAt.map { .integer($0.milliseconds) }
        object["displayName"] = displayName.map(JSONValue.string)
        object["photoURL"] = photoURL.map(JSONValue.string)
        object["screenName"] = screenName.map(JSONValue.string)
        object["customAttributes"] = customAttributes.map(JSONValue.string)
        object["initialEmail"] = initialEmail.map(JSONValue.string)
        object["lastLoginAt"] = lastLoginAt.map { .integer($0.milliseconds) }
        object["lastRefreshAt"] = lastRefreshAt.map { .integer($0.milliseconds) }
        object["validSince"] = validSince.map(JSONValue.integer)
        return .object(object)
    }

    fileprivate init?(json: JSONValue) {
        guard let key = json["key"]?.integer, let localID = json["localId"]?.string,
            let createdAt = json["createdAt"]?.integer, let epoch = json["epoch"]?.integer
        else { return nil }
        self.init(
            key: key, localID: localID, email: json["email"]?.string, emailCanonical: json["emailCanonical"]?.string,
            isEmailVerified: json["emailVerified"]?.bool ?? false, emailAssertedBy: json["emailAssertedBy"]?.string,
            emailAssertedAt: json.time("emailAssertedAt"), displayName: json["displayName"]?.string,
            photoURL: json["photoURL"]?.string, screenName: json["screenName"]?.string,
            customAttributes: json["customAttributes"]?.string, isCustomAuth: json["customAuth"]?.bool ?? false,
            initialEmail: json["initialEmail"]?.string, createdAt: Timestamp(milliseconds: createdAt),
            lastLoginAt: json.time("lastLoginAt"), lastRefreshAt: json.time("lastRefreshAt"),
            validSince: json["validSince"]?.integer, epoch: epoch)
    }
}

extension Identity {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "key": .integer(key), "provider": .string(provider), "issuer": .string(issuer),
            "subject": .string(subject), "emailVerified": .bool(isEmailVerified), "profile": .string(profile),
            "linkedAt": .integer(linkedAt.milliseconds), "lastSignInAt": .integer(lastSignInAt.milliseconds),
            "anonymous": .bool(isAnonymous), "wasAnonymous": .bool(wasAnonymous),
        ]
        object["email"] = email.map(JSONValue.string)
        object["displayName"] = displayName.map(JSONValue.string)
        object["photoURL"] = photoURL.map(JSONValue.string)
        object["screenName"] = screenName.map(JSONValue.string)
        return .object(object)
    }

    fileprivate init?(json: JSONValue, of userKey: Int64) {
        guard let key = json["key"]?.integer, let provider = json["provider"]?.string,
            let issuer = json["issuer"]?.string, let subject = json["subject"]?.string,
            let linkedAt = json.time("linkedAt"), let lastSignInAt = json.time("lastSignInAt")
        else { return nil }
        self.init(
            key: key, userKey: userKey, identity: IdentityKey(provider: provider, issuer: issuer, subject: subject),
            email: json["email"]?.string, isEmailVerified: json["emailVerified"]?.bool ?? false,
            displayName: json["displayName"]?.string, photoURL: json["photoURL"]?.string,
            screenName: json["screenName"]?.string, profile: json["profile"]?.string ?? "{}", linkedAt: linkedAt,
            lastSignInAt: lastSignInAt, isAnonymous: json["anonymous"]?.bool ?? false,
            wasAnonymous: json["wasAnonymous"]?.bool ?? false)
    }
}

extension JSONValue {
    fileprivate func time(_ name: String) -> Timestamp? {
        self[name]?.integer.map { Timestamp(milliseconds: $0) }
    }
}
