import ProviderKit
import Synchronization

/// An upstream that answers from a script and remembers what it was asked.
final class ScriptedUpstream: Upstream {
    /// The answers for one path, in order; the last one repeats.
    typealias Script = [String: [UpstreamResponse]]

    private struct State {
        var script: Script
        var requests: [UpstreamRequest] = []
    }

    private let state: Mutex<State>

    init(_ script: Script) {
        state = Mutex(State(script: script))
    }

    var requests: [UpstreamRequest] { state.withLock(\.requests) }

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let answer = state.withLock { state -> UpstreamResponse? in
            state.requests.append(request)
            let path = state.script.keys.filter { request.url.contains($0) }.max { $0.utf8.count < $1.utf8.count }
            guard let path, var answers = state.script[path], let answer = answers.first else { return nil }
            if answers.count > 1 { answers.removeFirst() }
            state.script[path] = answers
            return answer
        }
        guard let answer else { throw ProviderError(.upstream, at: request.step, "not in the script: \(request.url)") }
        return answer
    }
}

extension UpstreamResponse {
    static func json(_ value: JSONValue, status: Int = 200, headers: [(String, String)] = []) -> UpstreamResponse {
        UpstreamResponse(
            status: status, headers: headers.map { (name: $0.0, value: $0.1) }, body: Array(value.serialized().utf8))
    }

    static func status(_ status: Int, headers: [(String, String)] = []) -> UpstreamResponse {
        UpstreamResponse(status: status, headers: headers.map { (name: $0.0, value: $0.1) })
    }
}
