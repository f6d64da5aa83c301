public import ProviderKit
import Synchronization

/// An `Upstream` that responds from a script, records its requests, and fails on demand.
public final class ScriptedUpstream: Upstream {
    /// The responses to URLs that contain a text, in order.
    public typealias Script = [String: [UpstreamResponse]]

    /// A change of one response of the script.
    enum Disturbance: Sendable {
        /// No response: the upstream throws this error.
        case failure(ProviderError)
        /// Another response.
        case answer(UpstreamResponse)
        /// The script's response, changed.
        case change(@Sendable (UpstreamResponse) -> UpstreamResponse)
        /// No response and no error until the caller is cancelled.
        case silence
    }

    /// One request with its response.
    struct Exchange: Sendable {
        let request: UpstreamRequest
        /// The endpoint; `nil` for an address that is not in the script.
        let endpoint: ScriptedEndpoint?
        let answer: UpstreamResponse?
        /// Whether the provider refuses the request because it has no token of the user.
        let isRefused: Bool
    }

    private struct State {
        var endpoints: [ScriptedEndpoint]
        /// The tokens without which requests are refused; `nil`: none are.
        var tokens: UserTokens?
        var exchanges: [Exchange] = []
        /// The number of requests to each endpoint, by its position.
        var counts: [Int: Int] = [:]
        var silences: [AsyncStream<Void>.Continuation] = []
        var onSilence: (@Sendable () -> Void)?

        func refuses(_ request: UpstreamRequest, at endpoint: ScriptedEndpoint) -> Bool {
            guard let tokens, endpoint.receives.contains(.personToken) else { return false }
            return !tokens.areSent(in: request, to: endpoint)
        }
    }

    /// The limit that stops endless requests.
    let maximumCalls: Int
    private let disturbances: [Int: Disturbance]
    private let state: Mutex<State>

    /// Makes an upstream of these endpoints; other addresses fail.
    public convenience init(_ endpoints: [ScriptedEndpoint]) {
        self.init(endpoints, disturbing: [:], maximumCalls: .max)
    }

    /// Makes an upstream that selects responses by a part of the URL. The longest match is used; responses follow in
    /// order, and the last one repeats.
    public convenience init(_ script: Script) {
        self.init(script.map { ScriptedEndpoint(containing: $0.key, $0.value) })
    }

    /// - Parameters:
    ///   - endpoints: The script.
    ///   - disturbances: The changed responses, by request number from 0.
    ///   - maximumCalls: The maximum number of requests.
    ///   - tokens: The tokens of the script's users; with them the endpoints refuse requests without one.
    init(
        _ endpoints: [ScriptedEndpoint], disturbing disturbances: [Int: Disturbance], maximumCalls: Int,
        tokens: UserTokens? = nil
    ) {
        state = Mutex(State(endpoints: endpoints, tokens: tokens))
        self.disturbances = disturbances
        self.maximumCalls = maximumCalls
    }

    /// All requests, in order.
    public var requests: [UpstreamRequest] { exchanges.map(\.request) }

    var exchanges: [Exchange] { state.withLock(\.exchanges) }

    public func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let (number, scripted) = record(request)
        guard number < maximumCalls else {
            throw ProviderError(.upstream, at: request.step, "asked \(number) times already")
        }
        switch disturbances[number] {
        case .failure(let error): throw error
        case .answer(let answer): return issuing(answer)
        case .silence:
            await stayed()
            throw ProviderError(.upstream, at: request.step, "no answer in time", obstacle: .timedOut)
        case .change(let change):
            if let scripted { return issuing(change(scripted)) }
        case nil:
            if let scripted { return issuing(scripted) }
        }
        throw ProviderError(.upstream, at: request.step, "not in the script: \(request.method.rawValue) \(request.url)")
    }

    private func record(_ request: UpstreamRequest) -> (number: Int, answer: UpstreamResponse?) {
        state.withLock { state in
            let endpoints = state.endpoints
            let fits = endpoints.indices.compactMap { position in
                endpoints[position].fit(request).map { (position: position, fit: $0) }
            }
            let position = fits.max { $0.fit < $1.fit }?.position
            let endpoint = position.map { endpoints[$0] }
            let isRefused = endpoint.map { state.refuses(request, at: $0) } ?? false
            let answer = position.map {
                isRefused ? endpoints[$0].refusal : endpoints[$0].answer(request, state.counts[$0, default: 0])
            }
            if let position { state.counts[position, default: 0] += 1 }
            state.exchanges.append(
                Exchange(request: request, endpoint: endpoint, answer: answer, isRefused: isRefused))
            return (state.exchanges.count - 1, answer)
        }
    }

    /// The response, whose tokens later requests may have.
    private func issuing(_ response: UpstreamResponse) -> UpstreamResponse {
        state.withLock { $0.tokens?.add(issuedBy: response) }
        return response
    }

    /// Responds from another script, to its users, from now on.
    func turn(to script: ProviderScript) {
        state.withLock { ($0.endpoints, $0.tokens) = (script.endpoints, UserTokens(of: script)) }
    }

    /// Waits until the caller is cancelled or all waits are ended.
    private func stayed() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let onSilence = state.withLock { state in
            state.silences.append(continuation)
            return state.onSilence
        }
        onSilence?()
        for await _ in stream {}
    }

    /// Calls `body` whenever a request begins to wait without a response.
    func onSilence(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onSilence = body }
    }

    /// Ends all waits.
    func breakSilence() {
        for silence in state.withLock(\.silences) { silence.finish() }
    }
}
