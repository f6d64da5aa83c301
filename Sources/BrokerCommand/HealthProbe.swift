import AsyncHTTPClient
import Broker
import NIOCore
import NIOHTTP1
import NIOSSL
import ProviderKit

/// A request to a health route of a broker.
struct HealthProbe {
    let url: String

    /// The URL of the health route.
    init(url: String) {
        self.url = url
    }

    /// A probe of a broker on this host. A wildcard listen address is probed at the loopback address.
    init(of address: Configuration.ListenAddress, overTLS: Bool, path: String) {
        let host =
            switch address.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "[::1]"
            case let host where host.contains(":"): "[\(host)]"
            default: address.host
            }
        url = "\(overTLS ? "https" : "http")://\(host):\(address.port)\(path)"
    }

    /// - Returns: The broker's status, such as `ready`.
    /// - Throws: ``CommandFailure`` `NO_ANSWER` or `NOT_READY`.
    func callAsFunction() async throws(CommandFailure) -> String {
        let (status, text) = try await answer()
        guard status == .ok else {
            throw CommandFailure(code: "NOT_READY", "\(url): \(text ?? "the answer has status \(status.code)")")
        }
        guard let text else { throw CommandFailure(code: "NOT_READY", "\(url) is not a health route of a broker") }
        return text
    }

    private func answer() async throws(CommandFailure) -> (HTTPResponseStatus, String?) {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration)
        do {
            let answer = try await answer(over: client)
            try? await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            throw CommandFailure(code: "NO_ANSWER", "\(url) does not answer")
        }
    }

    private func answer(over client: HTTPClient) async throws -> (HTTPResponseStatus, String?) {
        let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(10))
        let body = try await response.body.collect(upTo: 4096)
        return (response.status, try? JSONValue(parsing: Array(buffer: body))["status"]?.string)
    }

    /// The certificate does not name the loopback address. Request and response contain no secret.
    private static let configuration: HTTPClient.Configuration = {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = .makeClientConfiguration()
        configuration.tlsConfiguration?.certificateVerification = .none
        return configuration
    }()
}
