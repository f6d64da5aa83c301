import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A client that follows no redirects and hides nothing.
struct WebClient {
    static let shared: HTTPClient = {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        // A whole suite shares two cores: waiting for a connection is no failure of what is tested.
        configuration.timeout.connect = .seconds(120)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    struct Answer: Sendable {
        let status: Int
        let headers: [(name: String, value: String)]
        let bytes: [UInt8]

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

        var text: String { String(decoding: bytes, as: UTF8.self) }

        var json: [String: Any] {
            get throws { try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:] }
        }

        var jsonArray: [[String: Any]] {
            get throws { try JSONSerialization.jsonObject(with: Data(bytes)) as? [[String: Any]] ?? [] }
        }

        /// The body read as a form.
        var form: [String: String] { WebClient.fields(of: text) }

        /// The query of the address a redirect leads to.
        var redirectQuery: [String: String] {
            let query = header("location")?.split(separator: "?", maxSplits: 1).dropFirst().first
            return WebClient.fields(of: query.map(String.init) ?? "")
        }

        /// The address a redirect leads to, without its query.
        var redirectTarget: String? { header("location")?.split(separator: "?").first.map(String.init) }
    }

    static func fields(of text: String) -> [String: String] {
        let components = URLComponents(string: "?" + text.replacing("+", with: "%20"))
        let items = (components?.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Dictionary(items) { _, last in last }
    }

    static func encode(_ fields: KeyValuePairs<String, String>) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let unreserved = CharacterSet(charactersIn: letters + "0123456789-._~")
        return fields.map { name, value in
            let value = value.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
            return "\(name)=\(value)"
        }.joined(separator: "&")
    }

    static func send(
        _ method: String, _ url: String, headers: KeyValuePairs<String, String> = [:], body: String? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(string: body)) }
        let response = try await shared.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 1 << 26)
        return Answer(
            status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
            bytes: Array(bytes.readableBytesView))
    }

    static func get(_ url: String, headers: KeyValuePairs<String, String> = [:]) async throws -> Answer {
        try await send("GET", url, headers: headers)
    }

    /// Posts a form; `accept` is what the client wants back.
    static func post(
        _ url: String, _ fields: KeyValuePairs<String, String>, accept: String? = "application/json"
    ) async throws -> Answer {
        var headers: KeyValuePairs = ["content-type": "application/x-www-form-urlencoded"]
        if let accept {
            headers = ["content-type": "application/x-www-form-urlencoded", "accept": accept]
        }
        return try await send("POST", url, headers: headers, body: encode(fields))
    }

    static func json(_ method: String, _ url: String, _ body: String) async throws -> Answer {
        try await send(method, url, headers: ["content-type": "application/json"], body: body)
    }
}
