import ProviderKit
import Synchronization

/// An upstream with one response for each URL, which records what it is asked.
final class PagedUpstream: Upstream {
    private let responses: [String: UpstreamResponse]
    private let recorded = Mutex<[UpstreamRequest]>([])

    init(_ responses: [String: UpstreamResponse]) {
        self.responses = responses
    }

    var requests: [UpstreamRequest] { recorded.withLock(\.self) }

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
        recorded.withLock { $0.append(request) }
        return responses[request.url] ?? UpstreamResponse(status: 404)
    }
}

extension UpstreamResponse {
    /// A response with JSON, and with links where there are some.
    static func json(_ value: JSONValue, status: Int = 200, links: String...) -> UpstreamResponse {
        UpstreamResponse(
            status: status, headers: links.map { ("Link", $0) }, body: Array(value.serialized().utf8))
    }
}
