package import BrokerStore
import Foundation
import JOSE
import ProviderKit

/// When the new key becomes active, and the state of the older ones afterwards.
package enum SigningKeyRotation: Sendable {
    /// Once every verifier has had time to learn the new key; the old one stays published for its tokens.
    case published
    /// At once: verifiers that keep key documents may refuse new tokens until they read them again.
    case now
    /// At once, and every older key of the algorithm is revoked, its tokens with it: the key may be compromised.
    case revoking
}

/// The result of a rotation.
package enum SigningKeyRotationOutcome: Sendable {
    case rotated
    /// A key is waiting to take over already; nothing was written.
    case pending(keyID: String, activatesAt: Timestamp)
}

extension SessionContext {
    /// Rotates signing keys, for an administrator.
    ///
    /// - Parameters:
    ///   - algorithms: The algorithms whose keys are rotated.
    ///   - families: The token families whose keys are rotated.
    ///   - timing: When the new keys become active.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The result; ``SigningKeys/schedule`` of this process includes the change.
    /// - Throws: A store's error, or JOSE's when no key can be made.
    package func rotateSigningKeys(
        _ algorithms: [StoredSigningKey.Algorithm],
        of families: [StoredSigningKey.Family] = StoredSigningKey.Family.allCases, _ timing: SigningKeyRotation,
        origin: Origin
    ) async throws -> SigningKeyRotationOutcome {
        let date = clock()
        let affected = keyFamilies.filter { families.contains($0.family) }
        var changes: [Change] = []
        for keys in affected { changes += try await self.changes(keys, algorithms, timing, at: date) }
        let outcome = try await store.write(at: Timestamp(date), by: origin) { [changes] transaction in
            try Self.apply(changes, timing, in: transaction)
        }
        for keys in affected { try await keys.reload() }
        return outcome
    }

    /// Generating a key takes long, so it is generated before the transaction even where it may not be needed.
    private func changes(
        _ signingKeys: SigningKeys, _ algorithms: [StoredSigningKey.Algorithm], _ timing: SigningKeyRotation,
        at date: Date
    ) async throws -> [Change] {
        let now = Timestamp(date)
        let activatesAt = timing == .published ? now.advanced(by: SigningKeySchedule.publishedAhead) : now
        var changes: [Change] = []
        for algorithm in algorithms {
            changes.append(
                Change(fresh: try await signingKeys.generate(algorithm, at: date, activatesAt: activatesAt)))
        }
        return changes
    }

    private static func apply(
        _ changes: [Change], _ timing: SigningKeyRotation, in transaction: borrowing Transaction
    ) throws -> SigningKeyRotationOutcome {
        let now = transaction.now
        var schedules: [StoredSigningKey.Family: SigningKeySchedule] = [:]
        for family in Set(changes.map(\.fresh.family)) {
            schedules[family] = SigningKeySchedule(try transaction.signingKeys(family: family))
        }
        let planned = changes.compactMap { change in schedules[change.fresh.family].map { (change, $0) } }
        if timing == .published, let pending = planned.lazy.compactMap({ $0.pending($1, at: now) }).first {
            return .pending(keyID: pending.kid, activatesAt: pending.activatesAt)
        }
        for (change, schedule) in planned { try change.apply(schedule, timing, in: transaction) }
        return .rotated
    }
}

/// The rotation of one algorithm's key.
private struct Change: Sendable {
    let fresh: StoredSigningKey

    func pending(_ schedule: SigningKeySchedule, at now: Timestamp) -> StoredSigningKey? {
        schedule.rows(fresh.algorithm, .next, at: now).first
    }

    func apply(
        _ schedule: SigningKeySchedule, _ timing: SigningKeyRotation, in transaction: borrowing Transaction
    ) throws {
        let now = transaction.now
        var successor = fresh
        if timing == .now, let pending = pending(schedule, at: now) {
            // Verifiers may know this one already.
            successor = pending
            successor.activatesAt = now
            successor.state = .active
            try transaction.update(successor)
        } else {
            successor = try transaction.insert(new: successor)
        }
        for row in schedule.rows where row.algorithm == fresh.algorithm && row.kid != successor.kid {
            guard let moved = moved(row, schedule.phase(of: row, at: now), timing, successor, at: now) else { continue }
            try transaction.update(moved)
        }
        try transaction.audit(
            timing == .revoking ? "signing-key.revoked-and-rotated" : "signing-key.rotated", of: nil,
            detail: [
                "family": .string(fresh.family.rawValue), "algorithm": .string(fresh.algorithm.rawValue),
                "keyId": .string(successor.kid), "activatesAt": .integer(successor.activatesAt.milliseconds),
            ])
    }

    /// An older key after the rotation; nil if it does not change.
    private func moved(
        _ row: StoredSigningKey, _ phase: SigningKeySchedule.Phase, _ timing: SigningKeyRotation,
        _ successor: StoredSigningKey, at now: Timestamp
    ) -> StoredSigningKey? {
        var row = row
        switch (timing, phase) {
        case (.revoking, .next), (.revoking, .active), (.revoking, .retired), (.revoking, .ended):
            row.state = .revoked
            row.retiresAt = now
        case (_, .active):
            row.state = timing == .published ? .active : .retired
            row.retiresAt = successor.activatesAt
        case (_, .retired):
            guard row.state != .retired else { return nil }
            row.state = .retired
        case (_, .next), (_, .ended), (_, .revoked): return nil
        }
        return row
    }
}
