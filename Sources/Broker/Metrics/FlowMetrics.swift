import CoreMetrics
import Synchronization

/// Outcomes of the flows, by the provider's id and a stable code. All three labels have few values: providers are those
/// of the configuration, and a request cannot name others here.
enum FlowMetrics {
    enum Flow: String, Sendable {
        case signIn = "sign_in"
        case signUp = "sign_up"
        case customToken = "custom_token"
        case verify, link, refresh, delete
        case signOut = "sign_out"
        case token
    }

    private struct Key: Hashable {
        let flow: Flow
        let provider: String
        let outcome: String
    }

    /// Flows write to the store or ask providers, so one look-up more is not felt.
    private static let counters = Mutex<[Key: Counter]>([:])
    private static let refreshed = newCounter(Key(flow: .refresh, provider: "", outcome: success))

    static let success = "success"

    /// Counts the outcome of a flow.
    ///
    /// - Parameters:
    ///   - flow: The flow.
    ///   - provider: The id of a configured provider; empty where none takes part.
    ///   - outcome: Names the outcome of a value.
    ///   - work: Runs the flow.
    /// - Returns: What `work` returns.
    /// - Throws: What `work` throws.
    static func counting<Value>(
        _ flow: Flow, at provider: String = "", outcome: (Value) -> String = { _ in success },
        _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await work()
            count(flow, at: provider, outcome(value))
            return value
        } catch {
            count(flow, at: provider, code(of: error))
            throw error
        }
    }

    static func count(_ flow: Flow, at provider: String = "", _ outcome: String) {
        if flow == .refresh, outcome == success { return refreshed.increment() }
        let key = Key(flow: flow, provider: provider, outcome: outcome)
        let counter = counters.withLock { counters in
            if let known = counters[key] { return known }
            let new = newCounter(key)
            counters[key] = new
            return new
        }
        counter.increment()
    }

    private static func newCounter(_ key: Key) -> Counter {
        Counter(
            label: "broker_flow_outcomes_total",
            dimensions: [("flow", key.flow.rawValue), ("outcome", key.outcome), ("provider", key.provider)])
    }

    /// The stable code of an error; its text says more than a label may.
    static func code(of error: any Error) -> String {
        switch error {
        case let error as BrokerError: error.code.rawValue
        case let error as any CodedError: error.stableCode
        case is CancellationError: "cancelled"
        default: "error"
        }
    }
}

/// An error with a stable code of letters and underscores.
protocol CodedError: Error {
    var stableCode: String { get }
}
