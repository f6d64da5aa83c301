package import BrokerStore
import OAuth
import ProviderKit

/// An admin token without its secret.
package struct AdminTokenAnswer: Codable, Sendable {
    package let id: String
    package let name: String
    package let scopes: [String]
    package let state: String
    package let createdAt: Timestamp
    package let expiresAt: Timestamp?
    package let revokedAt: Timestamp?
    package let lastUsedAt: Timestamp?

    fileprivate init(_ credential: AdminCredential, at now: Timestamp) {
        (id, name) = (credential.id, credential.name)
        scopes = ScopeList(credential.scopes).scopes
        (state, createdAt) = (credential.state(at: now).rawValue, credential.createdAt)
        (expiresAt, revokedAt, lastUsedAt) = (credential.expiresAt, credential.revokedAt, credential.lastUsedAt)
    }
}

/// `admin.token.create`: an admin token, which is answered once.
package struct CreateAdminToken: AdminOperation {
    package static let name = "admin.token.create"
    package static let summary = "Creates an admin token. It is answered once."
    package static let scope: AdminScope? = .admin

    /// The token's purpose.
    let name: String
    let scopes: [AdminScope]
    /// Until the token expires; nil until it is revoked.
    let lifetimeSeconds: Int64?

    package struct Answer: Codable, Sendable {
        package let credential: AdminTokenAnswer
        package let token: String
    }

    package init(name: String, scopes: [AdminScope], lifetime: Duration?) {
        self.name = name
        self.scopes = scopes
        lifetimeSeconds = lifetime?.components.seconds
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let lifetime = lifetimeSeconds.map { Duration.seconds($0) }
        let (credential, token) = try await call.admin.sessions.adminCredentials.create(
            named: name, scopes: Set(scopes), lifetime: lifetime, origin: call.origin)
        return Answer(
            credential: AdminTokenAnswer(credential, at: call.admin.now), token: token.text)
    }
}

extension AdminScope: Codable {}

/// `admin.token.list`: all admin tokens with their state, the oldest first.
package struct ListAdminTokens: AdminOperation {
    package static let name = "admin.token.list"
    package static let summary = "Lists admin tokens with their state, the oldest first."
    package static let scope: AdminScope? = .admin

    package struct Answer: Codable, Sendable {
        package let credentials: [AdminTokenAnswer]
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        let now = call.admin.now
        let credentials = try await call.admin.sessions.adminCredentials.all()
        return Answer(credentials: credentials.map { AdminTokenAnswer($0, at: now) })
    }
}

/// `admin.token.revoke`: revokes an admin token at once.
package struct RevokeAdminToken: AdminOperation {
    package static let name = "admin.token.revoke"
    package static let summary = "Revokes an admin token at once."
    package static let scope: AdminScope? = .admin

    /// The token's public id.
    let id: String

    package struct Answer: Codable, Sendable {
        package let revoked: String
        /// The token's purpose.
        package let name: String
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let revoked = try await call.admin.sessions.adminCredentials.revoke(id: id, origin: call.origin) else {
            throw AdminFailure(
                code: "CREDENTIAL_NOT_FOUND",
                "no valid admin token has this id: broker admin token list shows all tokens")
        }
        return Answer(revoked: revoked.id, name: revoked.name)
    }
}
