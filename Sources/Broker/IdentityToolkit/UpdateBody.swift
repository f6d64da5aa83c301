import ProviderKit

/// The body of an `accounts:update` request from a client (contract §2.6): the changes it asks for.
struct UpdateBody: DeclaredRequest {
    private(set) var idToken = ""
    private(set) var changes = AccountChanges()

    static let body = DeclaredBody<UpdateBody>(
        [
            .refused(AccountChangeFields.unimplemented, AccountChangeFields.refusal),
            CommonFields.idToken(orThrow: .code(.invalidReqType, "Unsupported request parameters.")) {
                $0.idToken = $1
            },
            .refused(["customAttributes"]) { _ in .code(.insufficientPermission) },
        ], AccountChangeFields.body.of(\UpdateBody.changes),
        [
            .text("validSince", "Any value ends all earlier tokens; the answer has new ones.") {
                $0.changes.endsEarlierTokens = $1 != nil
            },
            .check { (fields, body) throws(WireError) in
                if try fields.hasValue("disableUser") { body.changes.refused.append(.disabling) }
                if try fields.hasValue("linkProviderUserInfo") { body.changes.refused.append(.foreignIdentity) }
            },
            CommonFields.returnSecureToken(),
        ])
}

/// The body of a change of the user's own profile, for OAuth clients. What revokes earlier tokens issues those of Identity
/// Toolkit, and has no place here.
struct ProfileBody: DeclaredRequest {
    private(set) var changes = AccountChanges()

    private static let others = ["email", "validSince", "deleteProvider", "disableUser", "linkProviderUserInfo"]

    static let body = DeclaredBody<ProfileBody>(
        [
            .refused(AccountChangeFields.unimplemented, AccountChangeFields.refusal),
            .refused(["customAttributes"]) { _ in .code(.insufficientPermission) },
            .refused(others) { .code(.operationNotAllowed, "\($0) is not changed here.") },
        ], AccountChangeFields.body.of(\ProfileBody.changes).filter { !others.contains($0.name) })
}

/// The changes that users and administrators ask for in the same fields.
enum AccountChangeFields {
    static let body = DeclaredBody<AccountChanges>([
        // Where a value and its deletion are both sent, deletion wins.
        .choices(
            "deleteAttribute", of: UserAttribute.self, refusing: [.provider, .rawUserInfo], "The attributes to remove."
        ) {
            (changes, cleared) throws(WireError) in
            for attribute in [UserAttribute.provider, .rawUserInfo] where cleared.contains(attribute) {
                throw .notImplemented("deleteAttribute \(attribute.rawValue) is not implemented.")
            }
            if cleared.contains(.displayName) { changes.displayName = .clear }
            if cleared.contains(.photoURL) { changes.photoURL = .clear }
            changes.clearsEmail = cleared.contains(.email)
        },
        ProfileFields.displayName { $0.displayName = $0.displayName ?? $1 },
        ProfileFields.picture { $0.photoURL = $0.photoURL ?? $1 },
        .emptyableText("email", "The new e-mail address. It counts as unverified.") { $0.email = $1 },
        .texts("deleteProvider", "The ids of providers to unlink; those that are not linked change nothing.") {
            $0.unlinkedProviders = Set($1.map(\.lowercasedASCII))
        },
        .check { (fields, changes) throws(WireError) in
            if try fields.hasValue("password") { changes.refused.append(.password) }
        },
    ])

    /// Fields that Identity Toolkit has and this broker lacks.
    static let unimplemented = ["provider", "upgradeToFederatedLogin"]

    static let refusal: @Sendable (String) -> WireError = { .notImplemented("\($0) is not implemented.") }
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
