import BrokerStore
package import ProviderKit

/// `users.update`: changes what is given of a user.
package struct UpdateUser: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.update", "Updates a user. What is absent stays unchanged.", .writeUsers, .undoable,
        [
            .user,
            .option("email", "The e-mail address, which no other user may have."),
            .invertedFlag("emailVerified", "Whether the address counts as verified."),
            .option("displayName", "The name.", example: "Ann"),
            .option("photoUrl", "The http or https URL of a picture."),
        ],
        answer: .user("The user record."),
        command: DeclaredCommand(
            "update", "Update a user's e-mail address, name or picture.",
            """
            Options that are not given stay unchanged; an empty text ("") removes the value. A new address counts as
            unverified unless --email-verified is given.

            Examples:
              broker users update ann@example.com --email ann@example.org --email-verified
              broker users update kX3… --display-name "Ann" --json
            """))
    /// The user record.
    package typealias Answer = JSONObject

    let user: String
    let email: String?
    let emailVerified: Bool?
    let displayName: String?
    let photoUrl: String?

    package func run(for call: AdminCall) async throws -> JSONObject {
        var changes = AccountChanges()
        changes.displayName = try ProfileFields.change(displayName, of: "displayName")
        changes.photoURL = try ProfileFields.picture(photoUrl)
        changes.clearsEmail = email?.isEmpty == true
        changes.email = changes.clearsEmail ? nil : email
        var further = AdministratorChanges()
        further.isEmailVerified = emailVerified
        return JSONObject(try await call.update(user, changes, further).record)
    }

    package func text(of answer: JSONObject) -> TerminalText { "Updated \(answer.userLabel)." }

    package var misuse: String? {
        email == nil && emailVerified == nil && displayName == nil && photoUrl == nil
            ? "Nothing to update: add --email, --email-verified, --display-name or --photo-url." : nil
    }
}

/// `users.set-claims`: the claims that the user's ID tokens have from now on.
package struct SetUserClaims: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.set-claims", "Replaces the custom claims of a user.", .writeUsers, .undoable,
        [
            .user,
            .option(
                "claims", "The claims, a JSON object; they replace all earlier ones.", as: "set",
                example: ["role": "editor"]),
        ],
        answer: .user("The user record."), heading: "Replace the custom claims of a user")
    /// The user record.
    package typealias Answer = JSONObject

    let user: String
    let claims: JSONObject

    package init(user: String, claims: JSONObject) {
        self.user = user
        self.claims = claims
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let further = try AdministratorChanges(claims: claims.serialized())
        return JSONObject(try await call.update(user, AccountChanges(), further).record)
    }
}

extension AdminCall {
    /// Changes a user as `accounts:update` does (contract §2.6).
    ///
    /// - Throws: ``WireError``, ``BrokerError`` or a store's error; then nothing was written.
    fileprivate func update(
        _ name: String, _ changes: AccountChanges, _ further: AdministratorChanges
    ) async throws -> AccountUpdateOutcome {
        let localID = try await admin.user(named: name).user.localID
        return try await admin.accounts.updateAccount(localID: localID, changes, further, origin: origin)
    }
}
