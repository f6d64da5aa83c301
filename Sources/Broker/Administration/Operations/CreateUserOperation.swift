package import ProviderKit

/// `users.create`: a user without an identity. A link by an administrator, or a sign-in with the same verified address,
/// leads to it.
package struct CreateUserOperation: AdminOperation {
    package static let name = "users.create"
    package static let summary = "Creates a user."
    package static let scope: AdminScope? = .writeUsers
    /// The user record.
    package typealias Answer = JSONObject

    /// The public id; the broker draws one when absent.
    let localId: String?
    let email: String?
    let emailVerified: Bool?
    let displayName: String?
    /// An https URL.
    let photoUrl: String?
    let disabled: Bool?

    package init(
        localID: String?, email: String?, isEmailVerified: Bool, displayName: String?, photoURL: String?,
        isDisabled: Bool
    ) {
        localId = localID
        self.email = email
        emailVerified = isEmailVerified
        self.displayName = displayName
        photoUrl = photoURL
        disabled = isDisabled
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let fields = RequestFields(try JSONValueEncoder().encode(self).object ?? [:])
        return JSONObject(try await call.admin.accounts.createUser(try NewUser(fields), origin: call.origin))
    }
}
