import ProviderKit
import Synchronization

/// What one call of a plugin may use of its provider: a plugin that follows pages without end, or asks for each of a
/// thousand groups, must not make a sign-in expensive for both.
final class UpstreamBudget: Sendable {
    /// The maximum number of requests. Of the built-in plugins none sends more than thirteen.
    static let maximumRequests = 20
    /// The maximum size of all responses, in bytes.
    static let maximumBytes = 4 << 20

    @TaskLocal private static var current: UpstreamBudget?

    private let spent = Mutex((requests: 0, bytes: 0))

    /// Gives `work` a budget of its own; tasks that it starts share it.
    static func limiting<Value>(_ work: () async throws -> Value) async rethrows -> Value {
        try await $current.withValue(UpstreamBudget(), operation: work)
    }

    /// Counts a request that is about to be sent.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/upstream`` when the budget is spent.
    static func spendRequest(at step: ProviderError.Step) throws(ProviderError) {
        guard let current else { return }
        let isWithin = current.spent.withLock { spent in
            spent.requests += 1
            return spent.requests <= maximumRequests && spent.bytes <= maximumBytes
        }
        guard isWithin else {
            throw ProviderError(
                .upstream, at: step,
                "the plugin needs more than \(maximumRequests) requests, or responses of more than \(maximumBytes) bytes"
            )
        }
    }

    /// Counts the size of a response.
    static func spend(bytes: Int) {
        current?.spent.withLock { $0.bytes += bytes }
    }
}
