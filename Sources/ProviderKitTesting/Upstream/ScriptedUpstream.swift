public import ProviderKit
import Synchronization

/// An ``Upstream`` that answers from a script, remembers what it was asked, and fails on demand.
public final class ScriptedUpstream: Upstream {
    /// The answers to whatever has a text in its URL, in order.
    public typealias Script = [String: [UpstreamResponse]]

    /// What is done to one call instead of answering it as the script says.
    enum Disturbance: Sendable {
        /// No answer: the upstream gives up with this error.
        case failure(ProviderError)
        /// Another answer altogether.
        case answer(UpstreamResponse)
        /// The script's answer, changed.
        case change(@Sendable (UpstreamResponse) -> UpstreamResponse)
        /// No answer and no error until the caller is cancelled.
        case silence
    }

    /// One request and what became of it.
    struct Exchange: Sendable {
        let request: UpstreamRequest
        /// Who was asked; `nil` for an address that is in no script.
        let endpoint: ScriptedEndpoint?
        let answer: UpstreamResponse?
    }

    private struct State {
        var exchanges: [Exchange] = []
        /// How often each endpoint was asked, by its position.
        var counts: [Int: Int] = [:]
        var silences: [AsyncStream<Void>.Continuation] = []
        var onSilence: (@Sendable () -> Void)?
    }

    private let endpoints: [ScriptedEndpoint]
    /// Whoever gets there asks in circles.
    let maximumCalls: Int
    private let disturbances: [Int: Disturbance]
    private let state = Mutex(State())

    /// An upstream in front of these endpoints; everything else is out of reach.
    public convenience init(_ endpoints: [ScriptedEndpoint]) {
        self.init(endpoints, disturbing: [:], maximumCalls: .max)
    }

    /// Answers by a part of the URL, of which the longest counts: several come in order, and the last one repeats.
    public convenience init(_ script: Script) {
        self.init(script.map { ScriptedEndpoint(containing: $0.key, $0.value) })
    }

    /// - Parameters:
    ///   - endpoints: The script.
    ///   - disturbances: What happens to which call, counted from 0.
    ///   - maximumCalls: How many calls are answered.
    init(_ endpoints: [ScriptedEndpoint], disturbing disturbances: [Int: Disturbance], maximumCalls: Int) {
        self.endpoints = endpoints
        self.disturbances = disturbances
        self.maximumCalls = maximumCalls
    }

    /// Everything that was asked, in order.
    public var requests: [UpstreamRequest] { exchanges.map(\.request) }

    var exchanges: [Exchange] { state.withLock(\.exchanges) }

    public func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let (number, scripted) = record(request)
        guard number < maximumCalls else {
            throw ProviderError(.upstream, at: request.step, "asked \(number) times already")
        }
        switch disturbances[number] {
        case .failure(let error): throw error
        case .answer(let answer): return answer
        case .silence:
            await stayed()
            throw ProviderError(.upstream, at: request.step, "no answer in time", obstacle: .timedOut)
        case .change(let change):
            if let scripted { return change(scripted) }
        case nil:
            if let scripted { return scripted }
        }
        throw ProviderError(.upstream, at: request.step, "not in the script: \(request.method.rawValue) \(request.url)")
    }

    private func record(_ request: UpstreamRequest) -> (number: Int, answer: UpstreamResponse?) {
        state.withLock { state in
            let fits = endpoints.indices.compactMap { position in
                endpoints[position].fit(request).map { (position: position, fit: $0) }
            }
            let position = fits.max { $0.fit < $1.fit }?.position
            let answer = position.map { endpoints[$0].answer(request, state.counts[$0, default: 0]) }
            if let position { state.counts[position, default: 0] += 1 }
            state.exchanges.append(
                Exchange(request: request, endpoint: position.map { endpoints[$0] }, answer: answer))
            return (state.exchanges.count - 1, answer)
        }
    }

    /// Returns when the caller is cancelled, or when the silence is broken.
    private func stayed() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let onSilence = state.withLock { state in
            state.silences.append(continuation)
            return state.onSilence
        }
        onSilence?()
        for await _ in stream {}
    }

    /// Calls `body` whenever a call begins to wait for nothing.
    func onSilence(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onSilence = body }
    }

    /// Ends every wait.
    func breakSilence() {
        for silence in state.withLock(\.silences) { silence.finish() }
    }
}
