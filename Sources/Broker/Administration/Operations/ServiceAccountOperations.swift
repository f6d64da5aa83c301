package import BrokerStore
import OAuth
package import ProviderKit

/// A service account; it contains no private key.
package struct ServiceAccountAnswer: Codable, Sendable {
    /// A valid key; it contains no private half.
    package struct Key: Codable, Sendable {
        package let id: String
        package let createdAt: Timestamp
        package let expiresAt: Timestamp?
    }

    package let id: String
    package let name: String
    package let email: String
    package let scopes: [String]
    /// `valid` or `revoked`.
    package let state: String
    package let createdAt: Timestamp
    package let keys: [Key]
    package let revokedAt: Timestamp?
    package let lastUsedAt: Timestamp?

    fileprivate init(_ record: ServiceAccounts.Record, at now: Timestamp) {
        let account = record.account
        (id, name, email) = (account.id, account.name, account.email)
        scopes = ScopeList(account.scopes).scopes
        (state, createdAt) = (account.revokedAt == nil ? "valid" : "revoked", account.createdAt)
        keys = record.keys.filter { $0.isValid(at: now) }.map {
            Key(id: $0.id, createdAt: $0.createdAt, expiresAt: $0.expiresAt)
        }
        (revokedAt, lastUsedAt) = (account.revokedAt, account.lastUsedAt)
    }
}

/// A service account with a new key, which is answered once.
package struct ServiceAccountKeyAnswer: Codable, Sendable {
    package let serviceAccount: ServiceAccountAnswer
    /// The JSON that `credentials.Certificate` of firebase-admin reads.
    package let keyFile: JSONValue
    /// The file name that the key is called by.
    package let keyFileName: String

    fileprivate init(_ record: ServiceAccounts.Record, _ file: ServiceAccountKeyFile, at now: Timestamp) {
        serviceAccount = ServiceAccountAnswer(record, at: now)
        (keyFile, keyFileName) = (file.document, file.name)
    }
}

/// `admin.service-account.create`: a service account with its first key.
package struct CreateServiceAccount: AdminOperation {
    package static let name = "admin.service-account.create"
    package static let summary = "Creates a service account. Its key is answered once."
    package static let scope: AdminScope? = .admin
    package typealias Answer = ServiceAccountKeyAnswer

    let name: String
    let scopes: [AdminScope]

    package init(name: String, scopes: [AdminScope]) {
        self.name = name
        self.scopes = scopes
    }

    package func run(for call: AdminCall) async throws -> ServiceAccountKeyAnswer {
        let created = try await call.admin.sessions.serviceAccounts.create(
            named: name, scopes: Set(scopes), origin: call.origin)
        return ServiceAccountKeyAnswer(created.record, created.keyFile, at: call.admin.now)
    }
}

/// `admin.service-account.list`: all service accounts with their state, the oldest first.
package struct ListServiceAccounts: AdminOperation {
    package static let name = "admin.service-account.list"
    package static let summary = "Lists service accounts with their state, the oldest first."
    package static let scope: AdminScope? = .admin

    package struct Answer: Codable, Sendable {
        package let serviceAccounts: [ServiceAccountAnswer]
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        let now = call.admin.now
        let records = try await call.admin.sessions.serviceAccounts.all()
        return Answer(serviceAccounts: records.map { ServiceAccountAnswer($0, at: now) })
    }
}

/// `admin.service-account.rotate-key`: gives a service account another key.
package struct RotateServiceAccountKey: AdminOperation {
    package static let name = "admin.service-account.rotate-key"
    package static let summary = "Gives a service account another key, which is answered once."
    package static let scope: AdminScope? = .admin
    package typealias Answer = ServiceAccountKeyAnswer

    /// The account's public id.
    let id: String
    /// How long the earlier keys stay valid; a day when absent.
    let overlapSeconds: Int64?

    package init(id: String, overlap: Duration) {
        self.id = id
        overlapSeconds = overlap.components.seconds
    }

    package func run(for call: AdminCall) async throws -> ServiceAccountKeyAnswer {
        let overlap = overlapSeconds.map { Duration.seconds($0) } ?? ServiceAccounts.standardOverlap
        let rotated = try await call.admin.sessions.serviceAccounts.rotateKey(
            id: id, overlap: overlap, origin: call.origin)
        guard let rotated else { throw AdminFailure.serviceAccountNotFound }
        return ServiceAccountKeyAnswer(rotated.record, rotated.keyFile, at: call.admin.now)
    }
}

/// `admin.service-account.revoke`: revokes a service account at once.
package struct RevokeServiceAccount: AdminOperation {
    package static let name = "admin.service-account.revoke"
    package static let summary = "Revokes a service account at once, with its keys and access tokens."
    package static let scope: AdminScope? = .admin

    /// The account's public id.
    let id: String

    package struct Answer: Codable, Sendable {
        package let revoked: String
        package let name: String
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let revoked = try await call.admin.sessions.serviceAccounts.revoke(id: id, origin: call.origin) else {
            throw AdminFailure.serviceAccountNotFound
        }
        return Answer(revoked: revoked.id, name: revoked.name)
    }
}

extension AdminFailure {
    fileprivate static let serviceAccountNotFound = AdminFailure(
        code: "CREDENTIAL_NOT_FOUND",
        "no valid service account has this id: broker admin service-account list shows all accounts")
}
