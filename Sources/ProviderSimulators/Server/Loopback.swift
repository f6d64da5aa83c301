import AsyncHTTPClient
import Foundation
import NIOCore

/// Calls that stay on this machine.
enum Loopback {
    /// Lives as long as the process; follows no redirects, which could lead off this machine.
    static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        // Whole suites share few cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(60)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Whether a URL is plain HTTP to this machine.
    static func isHTTP(_ text: String) -> Bool {
        guard let url = URL(string: text, encodingInvalidCharacters: false), url.scheme == "http" else { return false }
        return ["127.0.0.1", "localhost", "::1", "[::1]"].contains(url.host() ?? "")
    }
}
