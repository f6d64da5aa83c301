import ProviderKit
import ProviderSimulators

/// The way to a simulator that also leads there when Apple itself is asked.
struct AppleUpstream: Upstream {
    /// Where the simulator listens.
    let simulator: String

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        let url = request.url.replacing("https://appleid.apple.com", with: simulator)
        var moved = UpstreamRequest(request.method, url, at: request.step)
        for (name, value) in request.headers { moved = moved.header(name, value) }
        if let form = request.body.flatMap({ FormEncoding.decode($0) }) { moved = moved.sending(form: form) }
        return try await SimulatorUpstream().send(moved)
    }
}
