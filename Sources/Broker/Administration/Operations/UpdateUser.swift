import BrokerStore
package import ProviderKit

/// `users.update`: changes what is given of a user.
package struct UpdateUser: AdminOperation {
    package static let name = "users.update"
    package static let summary = "Updates a user. What is absent stays unchanged."
    package static let scope: AdminScope? = .writeUsers
    /// The user record.
    package typealias Answer = JSONObject

    /// A localId or an e-mail address.
    let user: String
    /// The empty text removes the address.
    let email: String?
    let emailVerified: Bool?
    /// The empty text removes the name.
    let displayName: String?
    /// An http or https URL; the empty text removes the picture.
    let photoUrl: String?

    package init(
        user: String, email: String?, isEmailVerified: Bool?, displayName: String?, photoURL: String?
    ) {
        self.user = user
        self.email = email
        emailVerified = isEmailVerified
        self.displayName = displayName
        photoUrl = photoURL
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        var fields = JSONObject()
        fields["emailVerified"] = emailVerified.map(JSONValue.bool)
        fields["displayName"] = displayName.map(JSONValue.string)
        fields["photoUrl"] = photoUrl.map(JSONValue.string)
        if let email, !email.isEmpty { fields["email"] = .string(email) }
        if email?.isEmpty == true { fields["deleteAttribute"] = ["EMAIL"] }
        return JSONObject(try await call.update(user, fields).record)
    }
}

/// `users.set-claims`: the claims that the user's ID tokens have from now on.
package struct SetUserClaims: AdminOperation {
    package static let name = "users.set-claims"
    package static let summary = "Replaces the custom claims of a user."
    package static let scope: AdminScope? = .writeUsers
    /// The user record.
    package typealias Answer = JSONObject

    /// A localId or an e-mail address.
    let user: String
    /// An empty object removes all.
    let claims: JSONObject

    package init(user: String, claims: JSONObject) {
        self.user = user
        self.claims = claims
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let outcome = try await call.update(user, ["customAttributes": .string(claims.serialized())])
        return JSONObject(outcome.record)
    }
}

extension AdminCall {
    /// Changes a user as `accounts:update` does (contract §2.6).
    ///
    /// - Throws: ``WireError``, ``BrokerError`` or a store's error; then nothing was written.
    fileprivate func update(_ name: String, _ fields: JSONObject) async throws -> AccountUpdateOutcome {
        let localID = try await admin.user(named: name).user.localID
        var fields = fields
        fields["localId"] = .string(localID)
        let body = try AdministratorUpdateBody(RequestFields(fields))
        return try await admin.accounts.updateAccount(localID: localID, body.changes, body.further, origin: origin)
    }
}
