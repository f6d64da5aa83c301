package import BrokerStore
package import ProviderKit

/// Reads a user from a record of Identity Toolkit (contract §6), as backends send it to `accounts:batchCreate` and as
/// `broker users export` writes it.
///
/// An export has more than Identity Toolkit's names below `broker`, of the user and of each provider entry.
package struct UserRecordReader: Sendable {
    private let now: Timestamp

    /// - Parameter now: The time for what the record does not say.
    package init(at now: Timestamp) {
        self.now = now
    }

    /// The user of a record.
    ///
    /// - Throws: ``ImportRefusal`` in the order of contract §7.2.
    package func user(_ record: JSONObject) throws(ImportRefusal) -> ImportedUser {
        var fields = RecordFields(record)
        guard let localID = try fields.text("localId") else { throw .missingLocalID }
        guard LocalID.isUsable(localID) else { throw .invalidLocalID }
        let createdAt = try fields.milliseconds("createdAt")
        var user = User(key: 0, localID: localID, createdAt: createdAt ?? now)
        for field in UserField.all {
            if let value = try Self.value(of: field, &fields) { user[field] = value }
        }
        let own = try fields.object("broker")
        let identities = try identities(&fields, of: user)
        try readEmail(&fields, into: &user)
        var aliases: [String] = []
        if var own {
            aliases = try own.texts("aliases").filter(LocalID.isUsable)
            user.emailAssertedBy = user.email == nil ? nil : try own.text("emailAssertedBy")
            user.emailAssertedAt = user.email == nil ? nil : try own.milliseconds("emailAssertedAt")
        }
        if own == nil { user.validSince = user.validSince ?? now.seconds }
        return ImportedUser(
            user: user, identities: identities, aliases: aliases, isCreationKnown: createdAt != nil,
            droppedFields: fields.dropped)
    }

    /// JSON Schema of a record.
    static let schema: JSONValue = {
        var properties = JSONObject(UserField.all.map { ($0.name, .object(UserFieldSchema.of($0))) })
        let texts = [
            ("providerId", "The provider's id."), ("rawId", "The user's permanent id at the provider."),
            ("federatedId", "Is passed over: the broker goes by `rawId`."), ("email", "The address at the provider."),
            ("displayName", "The name at the provider."), ("photoUrl", "The picture at the provider."),
            ("screenName", "The user's name at the provider."),
        ]
        let identity = JSONObject(texts.map { ($0, ["type": "string", "description": .string($1)]) })
        properties["providerUserInfo"] = [
            "type": "array", "description": "The user's identities.",
            "items": ["type": "object", "properties": .object(identity), "required": ["providerId", "rawId"]],
        ]
        properties["broker"] = [
            "type": "object", "description": "What `broker users export` writes beyond Identity Toolkit's names.",
        ]
        return ["type": "object", "properties": .object(properties)]
    }()

    /// The value of a field; nil where the record has none, and for fields that depend on others.
    private static func value(
        of field: UserField, _ fields: inout RecordFields
    ) throws(ImportRefusal) -> SQLValue? {
        switch (field.name, field.form) {
        case ("localId", _), ("createdAt", _), ("email", _), ("emailVerified", _): nil
        case ("customAttributes", _): try claims(try fields.text(field.name)).map(SQLValue.text)
        case ("photoUrl", _): try fields.picture(field.name).map(SQLValue.text)
        case ("lastRefreshAt", _): try fields.moment(field.name).map { .time(orNull: $0) }
        case ("initialEmail", _):
            try fields.text(field.name).flatMap { EmailAddress($0)?.canonical }.map(SQLValue.text)
        case (_, .text): try fields.name(field.name).map(SQLValue.text)
        case (_, .flag): try fields.flag(field.name).map(SQLValue.flag)
        case (_, .time): try fields.milliseconds(field.name).map { .time(orNull: $0) }
        case (_, .integer): try fields.integer(field.name).map(SQLValue.integer)
        }
    }

    private static func claims(_ text: String?) throws(ImportRefusal) -> String? {
        guard let text else { return nil }
        do throws(BrokerError) {
            try CustomClaims.check(attributes: text)
            return text
        } catch {
            switch error {
            case .claimsTooLarge: throw .claimsTooLarge
            case .forbiddenClaim: throw .forbiddenClaim
            default: throw .invalidClaims
            }
        }
    }

    private func readEmail(_ fields: inout RecordFields, into user: inout User) throws(ImportRefusal) {
        let isVerified = try fields.flag("emailVerified") ?? false
        guard let text = try fields.text("email") else { return }
        guard let canonical = EmailAddress(text)?.canonical else { throw .invalidEmail }
        user.email = canonical
        user.emailCanonical = canonical
        user.isEmailVerified = isVerified
        user.emailAssertedAt = now
    }

    private func identities(
        _ fields: inout RecordFields, of user: User
    ) throws(ImportRefusal) -> [ImportedIdentity] {
        var identities: [ImportedIdentity] = []
        for var entry in try fields.objects("providerUserInfo") {
            let provider = try entry.text("providerId")?.lowercasedASCII
            // Ways to sign in that this broker does not have (contract §7.2).
            if provider == "password" || provider == "phone" {
                fields.drop(["providerUserInfo.\(provider ?? "")"])
                continue
            }
            guard let provider, let subject = try entry.text("rawId") else { throw .incompleteIdentity }
            // What it is called by the provider. This broker goes by the subject.
            _ = try entry.text("federatedId")
            identities.append(try identity(&entry, IdentityKey(provider: provider, issuer: "", subject: subject), user))
            fields.drop(entry.dropped.map { "providerUserInfo.\($0)" })
        }
        return identities
    }

    private func identity(
        _ entry: inout RecordFields, _ key: IdentityKey, _ user: User
    ) throws(ImportRefusal) -> ImportedIdentity {
        var identity = Identity(
            key: 0, userKey: 0, identity: key, profile: "{}", linkedAt: user.createdAt,
            lastSignInAt: user.lastLoginAt ?? user.createdAt)
        identity.email = try entry.text("email").flatMap { EmailAddress($0)?.display }
        identity.displayName = try entry.name("displayName")
        identity.photoURL = try entry.picture("photoUrl")
        identity.screenName = try entry.name("screenName")
        guard var own = try entry.object("broker") else { return ImportedIdentity(identity) }
        identity.identity.issuer = try own.text("issuer") ?? ""
        identity.isEmailVerified = try own.flag("emailVerified") ?? false
        identity.linkedAt = try own.milliseconds("linkedAt") ?? identity.linkedAt
        identity.lastSignInAt = try own.milliseconds("lastSignInAt") ?? identity.lastSignInAt
        identity.isAnonymous = try own.flag("anonymous") ?? false
        identity.wasAnonymous = try own.flag("wasAnonymous") ?? false
        identity.isMailDisabled = try own.flag("mailDisabled") ?? false
        identity.consentRevokedAt = try own.milliseconds("consentRevokedAt")
        identity.removalAt = try own.milliseconds("removalAt")
        if let profile = try own.text("profile"), profile.utf8.count <= 65_536, JSONObject(text: profile) != nil {
            identity.profile = profile
        }
        var aliases: [IdentityKey] = []
        for var alias in try own.objects("aliases") {
            guard let issuer = try alias.text("issuer"), let subject = try alias.text("subject") else {
                throw .incompleteIdentity
            }
            aliases.append(IdentityKey(provider: key.provider, issuer: issuer, subject: subject))
        }
        return ImportedIdentity(identity, aliases: aliases)
    }
}

extension JSONObject {
    /// The object of a JSON text; nil if it is none.
    fileprivate init?(text: String) {
        guard let object = (try? JSONValue(parsing: text))?.object else { return nil }
        self = object
    }
}

/// The fields of one record: each is read once, and those without a reader are dropped. Numbers serve as strings and the
/// other way round, `null` and empty texts are absent (contract §1.3).
private struct RecordFields {
    private let record: JSONObject
    private var read: Set<String> = []
    private var lost: [String] = []

    init(_ record: JSONObject) {
        self.record = record
    }

    /// The names of fields with a value that were not read, or that had to be left out.
    var dropped: [String] {
        lost + record.filter { !$0.value.isNull && !read.contains($0.name) }.map(\.name)
    }

    mutating func drop(_ names: [String]) {
        lost += names.filter { !lost.contains($0) }
    }

    private mutating func value(_ name: String) -> JSONValue? {
        read.insert(name)
        guard let value = record[name], !value.isNull else { return nil }
        return value
    }

    mutating func text(_ name: String) throws(ImportRefusal) -> String? {
        switch value(name) {
        case .none: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .number(let number): return number.literal
        default: throw .invalidField("\(name) must be string")
        }
    }

    mutating func flag(_ name: String) throws(ImportRefusal) -> Bool? {
        switch value(name) {
        case .none: nil
        case .bool(let flag): flag
        case .string("true"): true
        case .string("false"): false
        default: throw .invalidField("\(name) must be boolean")
        }
    }

    mutating func integer(_ name: String) throws(ImportRefusal) -> Int64? {
        guard let text = try text(name) else { return nil }
        guard let number = Int64(text) else { throw .invalidField("\(name) must be an integer") }
        return number
    }

    /// A moment in milliseconds since 1970. Zero is what Firebase writes for none.
    mutating func milliseconds(_ name: String) throws(ImportRefusal) -> Timestamp? {
        guard let number = try integer(name), number > 0 else { return nil }
        // The year 9999, the last that its readers format.
        guard number <= 253_402_300_799_999 else { throw .invalidField("\(name) must be milliseconds since 1970") }
        return Timestamp(milliseconds: number)
    }

    /// A moment as RFC 3339 has it.
    mutating func moment(_ name: String) throws(ImportRefusal) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        guard let moment = Timestamp(dateText: text) else {
            throw .invalidField("\(name) must be a date of RFC 3339")
        }
        return moment
    }

    /// A name for users, within the limits of what providers send.
    mutating func name(_ name: String) throws(ImportRefusal) -> String? {
        guard let text = try text(name) else { return nil }
        let cleaned = Evidence.text(text, limit: 256)
        if cleaned?.hasSameBytes(as: text) != true { lost.append(name) }
        return cleaned
    }

    mutating func picture(_ name: String) throws(ImportRefusal) -> String? {
        guard let text = try text(name) else { return nil }
        guard let url = PictureURL(text) else { throw .invalidPhotoURL }
        return url.text
    }

    mutating func object(_ name: String) throws(ImportRefusal) -> RecordFields? {
        guard let value = value(name) else { return nil }
        guard let object = value.object else { throw .invalidField("\(name) must be object") }
        return RecordFields(object)
    }

    mutating func objects(_ name: String) throws(ImportRefusal) -> [RecordFields] {
        guard let value = value(name) else { return [] }
        guard let array = value.array else { throw .invalidField("\(name) must be array") }
        return try array.map { element throws(ImportRefusal) in
            guard let object = element.object else { throw .invalidField("\(name) must be array of objects") }
            return RecordFields(object)
        }
    }

    mutating func texts(_ name: String) throws(ImportRefusal) -> [String] {
        guard let value = value(name) else { return [] }
        guard let array = value.array else { throw .invalidField("\(name) must be array") }
        return array.compactMap(\.string)
    }
}
