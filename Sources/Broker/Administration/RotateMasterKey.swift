package import BrokerStore
import ProviderKit

/// The limits, steps and outcomes of a rotation of the master key.
package enum MasterKeyRotation {
    /// Values that one transaction seals again at most: others wait to write meanwhile.
    static let batch = 200
    /// How long a new key of its own is known to all brokers before it signs.
    package static let activationDelay = Duration.seconds(60)
    /// How long brokers may take to follow; one that stopped is no longer waited for after `MasterKeyWatch.silence`.
    static let patience = Duration.seconds(90)

    /// The reason a rotation does not begin or end.
    package enum Refusal: Error, Sendable, Hashable {
        /// The configured key seals already.
        case noNewKey(keyID: String)
        /// Running brokers do not have the configured key.
        case brokersWithout(keyID: String, count: Int)
        /// Running brokers have not followed in time.
        case brokersBehind(keyID: String, count: Int)
        /// A rotation declared the configured key compromised.
        case compromisedKey(keyID: String)
    }

    /// The step of a rotation.
    package enum Progress: Sendable, Hashable {
        case switched(from: String, to: String)
        case waiting(brokers: Int)
        case endedSessions(Int)
        /// Values that were looked at, and how many there were at first.
        case resealing(done: Int, total: Int)
    }

    /// The result of a rotation.
    package struct Outcome: Sendable, Hashable {
        /// The key that seals now.
        package let keyID: String
        package var resealed = 0
        /// The sessions that ended because the former key is compromised; nil in a rotation without that.
        package var endedSessions: Int?
        /// The values that stay as they are, because they open with no key.
        package var unopened: [VaultFinding] = []
    }
}

/// Rotates the master key while brokers serve, for an administrator.
///
/// The store changes to the configured key in one transaction, brokers follow within seconds, and every sealed value is
/// sealed again in small batches. Each step finds in the store what is left to do, so a rotation that was interrupted is
/// continued by another run.
extension AdminContext {
    /// Rotates the master key, or continues a rotation.
    ///
    /// - Parameters:
    ///   - compromised: The former key is in wrong hands: all keys that were sealed under it are replaced, and every
    ///     session ends.
    ///   - origin: The administrator, for the audit.
    ///   - progress: Called with each step.
    /// - Returns: What was done.
    /// - Throws: ``MasterKeyRotation/Refusal``, or a store's error; calling it again continues.
    package func rotateMasterKey(
        compromised: Bool = false, origin: Origin, progress: @Sendable (MasterKeyRotation.Progress) -> Void = { _ in }
    ) async throws -> MasterKeyRotation.Outcome {
        let target = masterKey.configured
        try await requireHolders(of: target)
        let step = try await begin(compromised: compromised, origin: origin)
        if let former = step.former { progress(.switched(from: former, to: target.identifier)) }
        var outcome = MasterKeyRotation.Outcome(keyID: target.identifier)
        guard let vault = try await store.read({ try $0.vaultState() }) else { return outcome }
        try masterKey.adopt(vault)
        if let moment = step.compromisedAt {
            outcome.endedSessions = try await endEverything(before: moment, origin: origin, progress)
        }
        try await waitForBrokers(to: target, progress)
        try await resealAll(target, &outcome, progress)
        try await finish(outcome, origin: origin)
        return outcome
    }

    private func requireHolders(of target: KeyMaterial) async throws {
        let lacking = try await holders().filter { !$0.keyIDs.contains(target.identifier) }.count
        guard lacking == 0 else {
            throw MasterKeyRotation.Refusal.brokersWithout(keyID: target.identifier, count: lacking)
        }
    }

    /// The brokers that run.
    private func holders() async throws -> [KeyHolder] {
        let since = now.advanced(by: .zero - MasterKeyWatch.silence)
        return try await store.read { try $0.keyHolders(seenAfter: since) }
    }

    private func begin(compromised: Bool, origin: Origin) async throws -> RotationStep {
        let rotation = RotationStep.Plan(masterKey: masterKey, isCompromised: compromised)
        return try await write(by: origin) { try rotation.begin(in: $0) }
    }

    /// Revokes the signing keys and the sessions of the time of a compromised key: the private keys and the session ids
    /// were sealed under it, or stood beside.
    private func endEverything(
        before moment: Timestamp, origin: Origin, _ progress: @Sendable (MasterKeyRotation.Progress) -> Void
    ) async throws -> Int {
        let isExposed = try await store.read { transaction in
            try transaction.allSigningKeys().contains { $0.state != .revoked && $0.createdAt < moment }
        }
        if isExposed {
            _ = try await sessions.rotateSigningKeys(StoredSigningKey.Algorithm.allCases, .revoking, origin: origin)
        }
        var (ended, last) = (0, Int64(0))
        while true {
            let (now, after) = (now, last)
            let stretch = try await store.write(at: now) { transaction in
                try transaction.revokeSessions(
                    after: after, begunBefore: moment, at: now, reason: "the master key was compromised",
                    limit: MasterKeyRotation.batch)
            }
            guard let stretch else { break }
            ended += stretch.count
            last = stretch.last
            progress(.endedSessions(ended))
        }
        return ended
    }

    /// Waits until no running broker seals with another key.
    private func waitForBrokers(
        to target: KeyMaterial, _ progress: @Sendable (MasterKeyRotation.Progress) -> Void
    ) async throws {
        let deadline = ContinuousClock.now + MasterKeyRotation.patience
        while true {
            let behind = try await holders().filter { $0.sealing != target.identifier }.count
            guard behind > 0 else { return }
            guard ContinuousClock.now < deadline else {
                throw MasterKeyRotation.Refusal.brokersBehind(keyID: target.identifier, count: behind)
            }
            progress(.waiting(brokers: behind))
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Goes through all columns until a pass finds nothing that another key has sealed and that opens.
    private func resealAll(
        _ target: KeyMaterial, _ outcome: inout MasterKeyRotation.Outcome,
        _ progress: @Sendable (MasterKeyRotation.Progress) -> Void
    ) async throws {
        let total = try await store.read { try $0.sealedCount(notUnder: target.id) }
        var done = 0
        while true {
            var changed = 0
            outcome.unopened = []
            for column in SealedColumn.all {
                let pass = try await reseal(column, target) { count in
                    done += count
                    progress(.resealing(done: done, total: max(done, total)))
                }
                changed += pass.found
                outcome.resealed += pass.resealed
                outcome.unopened += pass.unopened
            }
            guard changed > 0 else { return }
        }
    }

    private struct Pass {
        /// The values that opened.
        var found = 0
        /// Those that were written; the others were written by brokers meanwhile.
        var resealed = 0
        var unopened: [VaultFinding] = []
    }

    private func reseal(
        _ column: SealedColumn, _ target: KeyMaterial, counting: (_ values: Int) -> Void
    ) async throws -> Pass {
        let sealer = try SealedColumnSealer(column, masterKey)
        var (pass, last) = (Pass(), Int64(0))
        while true {
            try Task.checkCancellation()
            let after = last
            let page = try await store.read { transaction in
                try transaction.sealedValues(
                    of: column, after: after, limit: MasterKeyRotation.batch, notUnder: target.id)
            }
            guard let end = page.last else { return pass }
            counting(page.count)
            last = end.key
            var resealed: [(value: SealedValue, bytes: [UInt8])] = []
            for value in page {
                switch sealer.open(value) {
                case .success(let bytes):
                    resealed.append((value, try sealer.seal(bytes, for: value, with: target)))
                case .failure(let finding): pass.unopened.append(finding)
                }
            }
            pass.found += resealed.count
            let batch = resealed
            guard !batch.isEmpty else { continue }
            pass.resealed += try await store.write { transaction in
                var count = 0
                for item in batch where try transaction.replace(item.value, in: column, with: item.bytes) { count += 1 }
                return count
            }
        }
    }

    private func finish(_ outcome: MasterKeyRotation.Outcome, origin: Origin) async throws {
        let now = now
        try await store.write(at: now, by: origin) { transaction in
            let unfinished = try transaction.vaultState()?.unfinished ?? []
            for var row in unfinished {
                row.rewrappedAt = now
                try transaction.put(row)
            }
            guard !unfinished.isEmpty || outcome.resealed > 0 else { return }
            try transaction.audit(
                "master-key.resealed", of: nil,
                detail: [
                    "keyId": .string(outcome.keyID), "values": .integer(Int64(outcome.resealed)),
                    "unopened": .integer(Int64(outcome.unopened.count)),
                ])
        }
    }
}
