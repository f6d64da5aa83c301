package import BrokerStore
import ProviderKit

/// A signing key; it contains no secret.
package struct SigningKeyAnswer: Codable, Sendable {
    package let keyId: String
    package let family: String
    package let algorithm: String
    package let state: SigningKeySchedule.Phase
    package let createdAt: Timestamp
    package let activatesAt: Timestamp
    package let retiresAt: Timestamp?
    package let publishedUntil: Timestamp?
}

extension SigningKeySchedule.Phase: Codable {}
extension StoredSigningKey.Family: Codable {}

/// `keys.list`: the signing keys, by activation time.
package struct ListSigningKeys: AdminOperation {
    package static let name = "keys.list"
    package static let summary = "Lists the signing keys, by activation time."
    package static let scope: AdminScope? = .admin

    /// Both families when absent.
    let family: StoredSigningKey.Family?

    package struct Answer: Codable, Sendable {
        package let keys: [SigningKeyAnswer]
    }

    package init(family: StoredSigningKey.Family?) {
        self.family = family
    }

    package func run(for call: AdminCall) -> Answer {
        let now = call.admin.now
        let families = call.admin.sessions.keyFamilies.filter {
            family == nil || $0.family == family
        }
        return Answer(
            keys: families.flatMap { keys in
                let schedule = keys.schedule
                return schedule.rows.map { SigningKeyAnswer($0, schedule, at: now) }
            })
    }
}

extension SigningKeyAnswer {
    fileprivate init(_ row: StoredSigningKey, _ schedule: SigningKeySchedule, at now: Timestamp) {
        self.init(
            keyId: row.kid, family: row.family.rawValue, algorithm: row.algorithm.rawValue,
            state: schedule.phase(of: row, at: now), createdAt: row.createdAt, activatesAt: row.activatesAt,
            retiresAt: row.retiresAt,
            publishedUntil: row.state == .revoked ? nil : schedule.publicationEnd(of: row))
    }
}

/// `keys.rotate`: rotates the signing keys.
package struct RotateSigningKeysOperation: AdminOperation {
    package static let name = "keys.rotate"
    package static let summary = "Rotates the signing keys and returns all keys."
    package static let scope: AdminScope? = .admin
    package typealias Answer = ListSigningKeys.Answer

    /// Both algorithms when absent.
    let algorithm: StoredSigningKey.Algorithm?
    /// Both families when absent.
    let family: StoredSigningKey.Family?
    /// Whether the new key signs at once.
    let now: Bool?
    /// Whether every older key is revoked; needs `now`.
    let revoke: Bool?

    package init(
        algorithm: StoredSigningKey.Algorithm?, family: StoredSigningKey.Family?, now: Bool, revoke: Bool
    ) {
        self.algorithm = algorithm
        self.family = family
        self.now = now
        self.revoke = revoke
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let (now, revoke) = (now ?? false, revoke ?? false)
        guard now || !revoke else { throw AdminFailure.parameter("revoke", "needs now") }
        let outcome = try await call.admin.sessions.rotateSigningKeys(
            algorithm.map { [$0] } ?? StoredSigningKey.Algorithm.allCases,
            of: family.map { [$0] } ?? StoredSigningKey.Family.allCases,
            revoke ? .revoking : now ? .now : .published, origin: call.origin)
        if case .pending(let keyID, let activatesAt) = outcome {
            throw AdminFailure(
                code: "ROTATION_PENDING",
                "key \(keyID) is already published and signs from \(activatesAt.text): wait, or add --now")
        }
        return ListSigningKeys(family: family).run(for: call)
    }
}
