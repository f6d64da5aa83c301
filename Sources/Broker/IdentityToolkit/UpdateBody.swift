import ProviderKit

/// The body of an `accounts:update` request from a client (contract §2.6): the changes it asks for.
struct UpdateBody: Sendable {
    let idToken: String
    let changes: AccountChanges

    /// - Throws: ``WireError`` in the order of contract §2.6, as far as a look at the body decides.
    init(_ fields: RequestFields) throws(WireError) {
        for name in ["provider", "upgradeToFederatedLogin"] where try fields.hasValue(name) {
            throw .notImplemented("\(name) is not implemented.")
        }
        guard let idToken = try fields.nonEmpty("idToken") else {
            throw .code("INVALID_REQ_TYPE", "Unsupported request parameters.")
        }
        self.idToken = idToken
        if try fields.hasValue("customAttributes") { throw .code("INSUFFICIENT_PERMISSION") }
        changes = try Self.changes(fields, cleared: Self.clearedAttributes(fields))
    }

    private static func changes(
        _ fields: RequestFields, cleared: Set<UserAttribute>
    ) throws(WireError) -> AccountChanges {
        var changes = AccountChanges()
        changes.displayName = try text("displayName", of: fields, limit: 256)
        changes.photoURL = try picture(fields)
        // Where a value and its deletion are both sent, deletion wins.
        if cleared.contains(.displayName) { changes.displayName = .clear }
        if cleared.contains(.photoURL) { changes.photoURL = .clear }
        changes.email = try fields.string("email")
        changes.clearsEmail = cleared.contains(.email)
        changes.unlinkedProviders = Set(try fields.strings("deleteProvider").map(\.lowercasedASCII))
        changes.endsEarlierTokens = try fields.nonEmpty("validSince") != nil
        if try fields.hasValue("disableUser") { changes.refused.append(.disabling) }
        if try fields.hasValue("password") { changes.refused.append(.password) }
        if try fields.hasValue("linkProviderUserInfo") { changes.refused.append(.foreignIdentity) }
        return changes
    }

    /// `null` and the empty string clear; another text loses its control characters, as the providers' does.
    private static func text(
        _ name: String, of fields: RequestFields, limit: Int
    ) throws(WireError) -> AccountChanges.Text? {
        guard try fields.value(name) != nil else { return nil }
        let scalars = try (fields.string(name) ?? "").unicodeScalars
            .filter { $0.properties.generalCategory != .control }
        let text = String(String.UnicodeScalarView(scalars))
        // UTF-16 units, as the SDKs' languages count: one visible character may be endless.
        guard text.utf16.count <= limit else { throw .field("/\(name)", "must be at most \(limit) characters") }
        return text.isEmpty ? .clear : .set(text)
    }

    /// `null` and the empty string clear; anything but an https URL is refused rather than repaired.
    private static func picture(_ fields: RequestFields) throws(WireError) -> AccountChanges.Text? {
        guard try fields.value("photoUrl") != nil else { return nil }
        guard let text = try fields.nonEmpty("photoUrl") else { return .clear }
        guard let url = PictureURL(text) else {
            throw .field("/photoUrl", "must be an https URL of at most 2048 bytes")
        }
        return .set(url.text)
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
