package import ProviderKit

/// `users.create`: a user without an identity. A link by an administrator, or a sign-in with the same verified address,
/// leads to it.
package struct CreateUserOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.create", "Creates a user.", .writeUsers, .undoable,
        [
            .option("localId", "The user's localId (default: the broker draws one).", as: "id"),
            .option("email", "The e-mail address, which no other user may have.", example: "ann@example.com"),
            .option("emailVerified", "The address counts as verified."),
            .option("displayName", "The name.", example: "Ann"),
            .option("photoUrl", "The http or https URL of a picture."),
            .option("disabled", "The user is disabled from the start."),
        ],
        answer: .user("The user record."),
        command: DeclaredCommand(
            "create", "Create a user without an identity.",
            """
            A sign-in with a provider that verifies the same address leads to the user if the address counts as
            verified here, and so does `broker link --user`.

            Examples:
              broker users create --email ann@example.com --email-verified
              broker users create --id emp-4711 --display-name "Ann" --json
            """))
    /// The user record.
    package typealias Answer = JSONObject

    let localId: String?
    let email: String?
    let emailVerified: Bool?
    let displayName: String?
    let photoUrl: String?
    let disabled: Bool?

    package func run(for call: AdminCall) async throws -> JSONObject {
        var user = NewUser()
        user.localID = localId.flatMap { $0.isEmpty ? nil : $0 }
        user.email = email
        user.isEmailVerified = emailVerified ?? false
        user.displayName = try ProfileFields.change(displayName, of: "displayName")?.value
        user.photoURL = try ProfileFields.picture(photoUrl)?.value
        user.isDisabled = disabled ?? false
        return JSONObject(try await call.admin.accounts.createUser(user, origin: call.origin))
    }

    package func text(of answer: JSONObject) -> TerminalText { "Created \(answer.userLabel)." }
}
