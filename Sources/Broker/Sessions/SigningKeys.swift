package import BrokerStore
import Foundation
package import JOSE
import NIOPosix
import ProviderKit
import Synchronization

/// The broker's own signing keys of one family of tokens: one ES256 and one RS256 from the first start on, sealed in the
/// store, published with a certificate each.
///
/// Another process on the same store may rotate them. This object holds what it read last; ``reload()`` reads again. A
/// running server does so every few seconds, and at once for a token whose key it does not know.
package final class SigningKeys: StoreLayer {
    /// How often a running server looks for rotations of another process.
    package static let reloadInterval = Duration.seconds(3)
    /// Tokens that name unknown keys must not make a broker read its store for each of them.
    private static let searchCooldown = Duration.seconds(1)

    private struct State {
        var schedule: SigningKeySchedule
        var opened: [String: SigningKey]
        var snapshot: SigningKeySnapshot
        /// Reads of the store are numbered, so that an earlier one never replaces what a later one found.
        var started = 0
        var adopted = 0
        var search: (at: Timestamp, task: Task<Void, any Error>)?
    }

    /// The family of the tokens they sign.
    package let family: StoredSigningKey.Family
    private let state: Mutex<State>
    package let stored: StoreContext
    private let sealer: Sealer
    private let commonName: String

    private init(
        _ family: StoredSigningKey.Family, _ rows: [StoredSigningKey], _ stored: StoreContext, _ sealer: Sealer,
        commonName: String
    ) throws {
        self.family = family
        let moment = stored.now
        let schedule = SigningKeySchedule(rows)
        let opened = try Self.open(schedule, known: [:], sealer, at: moment)
        state = Mutex(
            State(
                schedule: schedule, opened: opened,
                snapshot: try SigningKeySnapshot(schedule, opened, at: moment)))
        self.stored = stored
        self.sealer = sealer
        self.commonName = commonName
    }

    /// The keys as they are this moment.
    package var current: SigningKeySnapshot {
        let now = now
        return state.withLock { state in
            if !state.snapshot.span.contains(now), let renewed = try? renewed(state, at: now) {
                (state.opened, state.snapshot) = renewed
            }
            return state.snapshot
        }
    }

    /// The clock can go back to a time at which other keys of the last read apply.
    private func renewed(
        _ state: State, at now: Timestamp
    ) throws -> (opened: [String: SigningKey], snapshot: SigningKeySnapshot) {
        let opened = try Self.open(state.schedule, known: state.opened, sealer, at: now)
        return (opened, try SigningKeySnapshot(state.schedule, opened, at: now))
    }

    /// Every key whose tokens are valid or will be.
    package var published: [SigningKey] { current.published }
    /// For verifying the broker's own tokens.
    package var verification: KeySet { current.verification }
    /// The latest keys whose tokens have all expired, for `id_token_hint`.
    var retired: KeySet { current.retired }
    /// The rows of all keys, including those that are no longer published.
    package var schedule: SigningKeySchedule { state.withLock { $0.schedule } }

    /// Signs a token with the active key of an algorithm.
    ///
    /// RSA signing takes long enough to stall every connection of an event loop, so it runs on threads of its own.
    ///
    /// - Throws: ``InternalError/signingKeyMissing(_:)``, or an error of JOSE.
    func sign(
        _ claims: JSONObject, _ algorithm: StoredSigningKey.Algorithm, type: String = TokenSigner.ordinaryType
    ) async throws -> String {
        try await sign(payload: claims.serializedBytes(), algorithm, type: type)
    }

    /// The same with the claims as JSON.
    func sign(
        payload: [UInt8], _ algorithm: StoredSigningKey.Algorithm, type: String = TokenSigner.ordinaryType
    ) async throws -> String {
        let signer = try current.active(algorithm).signer
        return switch algorithm {
        case .es256: try signer.token(payload: payload, type: type)
        case .rs256: try await NIOThreadPool.singleton.runIfActive { try signer.token(payload: payload, type: type) }
        }
    }

    /// Reads the keys again.
    ///
    /// - Throws: A store's error, or ``ConfigurationError`` for unusable keys; then nothing has changed.
    package func reload() async throws {
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        let schedule = SigningKeySchedule(try await store.read { try $0.signingKeys(family: self.family) })
        let known = state.withLock { $0.schedule.rows == schedule.rows ? nil : $0.opened }
        guard let known else { return }
        let moment = now
        let opened = try Self.open(schedule, known: known, sealer, at: moment)
        let snapshot = try SigningKeySnapshot(schedule, opened, at: moment)
        state.withLock { state in
            guard number > state.adopted else { return }
            (state.adopted, state.schedule, state.opened, state.snapshot) = (number, schedule, opened, snapshot)
        }
    }

    /// Whether a key is published, after a look into the store if it is not known here.
    ///
    /// - Throws: A store's error.
    func finds(_ keyID: String) async throws -> Bool {
        if verification[keyID] != nil { return true }
        try await search().value
        return verification[keyID] != nil
    }

    /// The latest read of the store; calls during it or soon after share it.
    private func search() -> Task<Void, any Error> {
        let now = now
        return state.withLock { state in
            if let search = state.search, search.at <= now, now < search.at.advanced(by: Self.searchCooldown) {
                return search.task
            }
            let task = Task { try await self.reload() }
            state.search = (now, task)
            return task
        }
    }

    /// A new key of this broker, not yet stored.
    func generate(_ algorithm: StoredSigningKey.Algorithm, at now: Date, activatesAt: Timestamp) async throws
        -> StoredSigningKey
    {
        try await .generate(
            algorithm, family, sealer: sealer, commonName: commonName, now: now, activatesAt: activatesAt)
    }

    /// Unseals what is published and not yet unsealed.
    private static func open(
        _ schedule: SigningKeySchedule, known: [String: SigningKey], _ sealer: Sealer, at now: Timestamp
    ) throws -> [String: SigningKey] {
        var opened: [String: SigningKey] = [:]
        for row in schedule.published(at: now) {
            opened[row.kid] = try known[row.kid] ?? SigningKey(row, sealer: sealer)
        }
        return opened
    }
}

extension SigningKeys {
    /// Reads the keys of a family and generates one for each algorithm that has no active key: at the first start, and after
    /// all were revoked, as those of a restored backup are.
    ///
    /// Two brokers that start on one store end up with one pair: the second finds the first one's in the transaction
    /// that would have written its own.
    package static func open(
        _ family: StoredSigningKey.Family, in stored: StoreContext, commonName: String
    ) async throws -> SigningKeys {
        let sealer = Sealer(stored.masterKey, for: .signingKeys)
        let date = stored.clock()
        var rows = try await stored.store.read { try $0.signingKeys(family: family) }
        var fresh: [StoredSigningKey] = []
        for algorithm in missing(in: rows, at: date) {
            fresh.append(
                try await .generate(
                    algorithm, family, sealer: sealer, commonName: commonName, now: date, activatesAt: Timestamp(date)))
        }
        if !fresh.isEmpty {
            rows = try await stored.store.write(at: Timestamp(date)) { [fresh] transaction in
                let known = try transaction.signingKeys(family: family)
                let missing = missing(in: known, at: date)
                return try known
                    + fresh.filter { missing.contains($0.algorithm) }.map { try transaction.insert(new: $0) }
            }
        }
        return try SigningKeys(family, rows, stored, sealer, commonName: commonName)
    }

    /// The algorithms without an active key.
    private static func missing(in rows: [StoredSigningKey], at now: Date) -> [StoredSigningKey.Algorithm] {
        let schedule = SigningKeySchedule(rows)
        return StoredSigningKey.Algorithm.allCases.filter { schedule.active($0, at: Timestamp(now)) == nil }
    }
}
