import ProviderKit

/// The body of an `accounts:update` request from a client (contract §2.6): the changes it asks for.
struct UpdateBody: Sendable {
    let idToken: String
    let changes: AccountChanges

    /// - Throws: ``WireError`` in the order of contract §2.6, as far as a look at the body decides.
    init(_ fields: RequestFields) throws(WireError) {
        try Self.checkImplemented(fields)
        guard let idToken = try fields.nonEmpty("idToken") else {
            throw .code(.invalidReqType, "Unsupported request parameters.")
        }
        self.idToken = idToken
        if try fields.hasValue("customAttributes") { throw .code(.insufficientPermission) }
        var changes = try Self.changes(fields)
        changes.endsEarlierTokens = try fields.nonEmpty("validSince") != nil
        if try fields.hasValue("disableUser") { changes.refused.append(.disabling) }
        if try fields.hasValue("linkProviderUserInfo") { changes.refused.append(.foreignIdentity) }
        self.changes = changes
    }

    /// The changes of a profile, for OAuth clients. What revokes earlier tokens issues those of Identity Toolkit, and has
    /// no place here.
    ///
    /// - Throws: ``WireError``.
    static func profile(_ fields: RequestFields) throws(WireError) -> AccountChanges {
        try checkImplemented(fields)
        if try fields.hasValue("customAttributes") { throw .code(.insufficientPermission) }
        for name in ["email", "validSince", "deleteProvider", "disableUser", "linkProviderUserInfo"]
        where try fields.hasValue(name) {
            throw .code(.operationNotAllowed, "\(name) is not changed here.")
        }
        return try changes(fields)
    }

    /// - Throws: ``WireError`` for fields that Identity Toolkit has and this broker lacks.
    static func checkImplemented(_ fields: RequestFields) throws(WireError) {
        for name in ["provider", "upgradeToFederatedLogin"] where try fields.hasValue(name) {
            throw .notImplemented("\(name) is not implemented.")
        }
    }

    /// The changes that users and administrators ask for in the same fields.
    ///
    /// - Throws: ``WireError``.
    static func changes(_ fields: RequestFields) throws(WireError) -> AccountChanges {
        let cleared = try clearedAttributes(fields)
        var changes = AccountChanges()
        changes.displayName = try ProfileFields.text("displayName", of: fields)
        changes.photoURL = try ProfileFields.picture(of: fields)
        // Where a value and its deletion are both sent, deletion wins.
        if cleared.contains(.displayName) { changes.displayName = .clear }
        if cleared.contains(.photoURL) { changes.photoURL = .clear }
        changes.email = try fields.string("email")
        changes.clearsEmail = cleared.contains(.email)
        changes.unlinkedProviders = Set(try fields.strings("deleteProvider").map(\.lowercasedASCII))
        if try fields.hasValue("password") { changes.refused.append(.password) }
        return changes
    }

    private static func clearedAttributes(_ fields: RequestFields) throws(WireError) -> Set<UserAttribute> {
        let cleared = try fields.enumeration("deleteAttribute", of: UserAttribute.self)
        for attribute in [UserAttribute.provider, .rawUserInfo] where cleared.contains(attribute) {
            throw .notImplemented("deleteAttribute \(attribute.rawValue) is not implemented.")
        }
        return cleared
    }
}

/// The values of `deleteAttribute`; on the wire also by number, in this order.
private enum UserAttribute: String, CaseIterable {
    case unspecified = "USER_ATTRIBUTE_NAME_UNSPECIFIED"
    case email = "EMAIL"
    case displayName = "DISPLAY_NAME"
    case provider = "PROVIDER"
    case photoURL = "PHOTO_URL"
    case password = "PASSWORD"
    case rawUserInfo = "RAW_USER_INFO"
}
