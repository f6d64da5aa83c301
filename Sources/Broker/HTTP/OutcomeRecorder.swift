import BrokerStore
package import Foundation
import OAuth
import Synchronization

/// Counts sign-ins and refusals by the hour, and records the causes of refusals by their requests
/// (Docs/Decisions/0059-reasons.md).
///
/// A request only adds to what is in memory. The background writes it; what was not written is lost with the process.
package final class OutcomeRecorder: Sendable {
    private struct Key: Hashable {
        /// Milliseconds since 1970.
        let hour: Int64
        let code: String
        let provider: String
        let clientID: String

        /// The key of all clients that have no room of their own.
        var ofOtherClients: Key { Key(hour: hour, code: code, provider: provider, clientID: "other") }
    }

    private struct Sum {
        var count: Int64 = 0
        /// The part that the store has.
        var written: Int64 = 0
    }

    /// A refused request whose cause is to be written.
    private struct Pending {
        let at: Timestamp
        let requestID: String
        let route: String
        let status: Int
        let outcome: RequestOutcome
    }

    private struct State {
        var sums: [Key: Sum] = [:]
        var pending: [Pending] = []
    }

    private let store: Store
    private let now: @Sendable () -> Date
    /// Distinguishes the brokers.
    private let holder = RandomText.alphanumeric(22)
    private let state = Mutex(State())

    /// The causes that the store has at most.
    package static let kept = 10_000
    /// The causes that wait to be written at most, so that a flood neither fills memory nor replaces all that is stored.
    private static let mostPending = 1000
    /// The sums in memory at most; clients beyond them are counted as one. Codes, providers and clients are those of the
    /// program and the store: none is a name that was sent.
    private static let mostSums = 10_000
    private static let hour: Int64 = 3_600_000
    private static let longestText = 300

    init(_ store: Store, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// Takes what a request came to.
    ///
    /// - Parameters:
    ///   - outcome: What its flows have noted.
    ///   - requestID: Its id.
    ///   - route: The template of its path.
    ///   - status: The HTTP status of the answer.
    ///   - network: The client's network.
    ///   - limiter: The counts of the server's callers.
    func take(
        _ outcome: RequestOutcome, requestID: String, route: String, status: Int, from network: ClientNetwork?,
        _ limiter: RateLimiter
    ) {
        guard outcome.code != nil || outcome.hasSignedIn, !outcome.isProgress else { return }
        let at = Timestamp(now())
        let isRecorded = mayRecord(outcome, network, limiter)
        var outcome = outcome
        outcome.text = outcome.text.map { String($0.prefix(Self.longestText)) }
        let key = Key(
            hour: at.milliseconds / Self.hour * Self.hour, code: outcome.code ?? "",
            provider: outcome.isAtConsole ? "" : outcome.provider ?? "",
            clientID: outcome.clientID ?? "")
        state.withLock { [outcome] state in
            let hasRoom = state.sums[key] != nil || state.sums.count < Self.mostSums
            state.sums[hasRoom ? key : key.ofOtherClients, default: Sum()].count += 1
            guard isRecorded, state.pending.count < Self.mostPending else { return }
            state.pending.append(
                Pending(at: at, requestID: requestID, route: route, status: status, outcome: outcome))
        }
    }

    /// Whether fewer causes of this caller have been recorded than may be.
    private func mayRecord(_ outcome: RequestOutcome, _ network: ClientNetwork?, _ limiter: RateLimiter) -> Bool {
        // A caller at a limit has had its causes recorded before.
        guard let code = outcome.code, code != ErrorCode.tooManyAttemptsTryLater.rawValue else { return false }
        guard let network, limiter.counts(network) else {
            return limiter.take(.recordedRefusalsPerSite, limiter.key(.unknownClients)) == nil
        }
        if let site = network.site, limiter.take(.recordedRefusalsPerSite, limiter.key(.site(site))) != nil {
            return false
        }
        return limiter.take(.recordedRefusals, limiter.key(.refusals(client: outcome.clientID ?? "", network))) == nil
    }

    /// Writes what the store does not have yet.
    ///
    /// - Throws: A store's error. The next turn writes the same then.
    package func turn() async throws {
        let (sums, pending) = state.withLock { state in
            defer { state.pending = [] }
            return (state.sums.filter { $0.value.count > $0.value.written }, state.pending)
        }
        if !sums.isEmpty || !pending.isEmpty {
            do {
                try await write(sums, pending)
            } catch {
                state.withLock { $0.pending = Array((pending + $0.pending).prefix(Self.mostPending)) }
                throw error
            }
        }
        let hour = Timestamp(now()).milliseconds / Self.hour * Self.hour
        state.withLock { state in
            for (key, sum) in sums {
                let written = state.sums[key]?.written ?? 0
                state.sums[key]?.written = max(written, sum.count)
            }
            state.sums = state.sums.filter { $0.key.hour >= hour || $0.value.count > $0.value.written }
        }
    }

    private func write(_ sums: [Key: Sum], _ pending: [Pending]) async throws {
        let counts = sums.map { key, sum in
            OutcomeCount(
                hour: Timestamp(milliseconds: key.hour), code: key.code, provider: key.provider,
                clientID: key.clientID, holder: holder, count: sum.count)
        }
        try await store.write(at: Timestamp(now())) { transaction in
            for count in counts { try transaction.put(count) }
            for refusal in pending {
                try transaction.append(
                    RecordedRefusal(
                        key: transaction.nextKey(), at: refusal.at, requestID: refusal.requestID, route: refusal.route,
                        status: Int64(refusal.status), code: refusal.outcome.code ?? "",
                        text: refusal.outcome.text, provider: refusal.outcome.provider,
                        clientID: refusal.outcome.clientID))
            }
            if !pending.isEmpty { try transaction.removeRefusals(exceptNewest: Self.kept) }
        }
    }
}
