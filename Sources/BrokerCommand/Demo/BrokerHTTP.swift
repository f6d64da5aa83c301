import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit

/// The step at which a round trip failed, and the reason.
struct StepFailure: Error {
    let step: String
    let detail: String
}

/// An HTTP client of the demo's broker.
struct BrokerHTTP {
    let url: String
    let apiKey: String
    let client: HTTPClient

    /// - Throws: ``StepFailure`` unless the broker answers 200 with JSON.
    func post(_ path: String, _ body: JSONValue, at step: String) async throws -> JSONValue {
        var request = HTTPClientRequest(url: "\(url)\(path)?key=\(apiKey)")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(body.serializedBytes())
        let response = try await client.execute(request, timeout: .seconds(15))
        let answer = try JSONValue(parsing: Array(buffer: try await response.body.collect(upTo: 1 << 20)))
        guard response.status == .ok else {
            let message = answer["error"]?["message"]?.string
            throw StepFailure(step: step, detail: message ?? "status \(response.status.code)")
        }
        return answer
    }
}

extension JSONValue {
    func text(_ name: String, at step: String) throws(StepFailure) -> String {
        guard let text = self[name]?.string else {
            throw StepFailure(step: step, detail: "the answer has no \(name)")
        }
        return text
    }
}
