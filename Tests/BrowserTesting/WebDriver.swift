import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import StrictJSON

/// The wire of the W3C WebDriver protocol: JSON in, `value` out.
struct WebDriver: Sendable {
    enum Method: String {
        case get = "GET"
        case post = "POST"
        case delete = "DELETE"
    }

    /// The driver, or one session of it.
    let url: String

    /// Never shut down: it lives as long as the test run.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.httpVersion = .http1Only
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
    /// Pictures and logs are long.
    private static let limits = JSONLimits(maximumDepth: 64, maximumBytes: 64 << 20)

    /// - Throws: ``BrowserFailure`` with the driver's own code and message.
    @discardableResult
    func send(_ method: Method, _ path: String, _ body: JSONObject = JSONObject()) async throws -> JSONValue {
        var request = HTTPClientRequest(url: url + path)
        request.method = HTTPMethod(rawValue: method.rawValue)
        if method == .post {
            request.headers.add(name: "Content-Type", value: "application/json; charset=utf-8")
            request.body = .bytes(ByteBuffer(string: body.serialized()))
        }
        let response = try await Self.http.execute(request, timeout: .seconds(180))
        let bytes = try await response.body.collect(upTo: Self.limits.maximumBytes)
        let value = try JSONValue(parsing: bytes.readableBytesView, limits: Self.limits)["value"] ?? .null
        guard let code = value["error"]?.string, !(200..<300).contains(response.status.code) else { return value }
        let message = value["message"]?.string?.split(separator: "\n").first.map(String.init) ?? ""
        throw BrowserFailure("\(method.rawValue) \(path): \(code): \(message)", code: code)
    }
}
