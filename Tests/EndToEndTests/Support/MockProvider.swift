import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import Subprocess
import Testing

/// `oidc-provider-mock` from PyPI: an OpenID Connect provider by a third party.
struct MockProvider: Sendable {
    /// Its issuer.
    let url: String
    let log: OutputLog

    /// Starts it on a free port with one user, lends it to `body` and stops it.
    static func run<Value>(
        person: JSONObject, _ body: (MockProvider) async throws -> Value
    ) async throws -> Value {
        var options = PlatformOptions()
        options.createSession = true
        let arguments = ["-W", "ignore", "-m", "oidc_provider_mock", "--port", "0"]
        let configuration = Configuration(
            executable: .name("env"),
            arguments: Arguments([try TestPython.path()] + arguments + ["--user-claims", person.serialized()]),
            environment: .inherit, platformOptions: options)
        return try await BrokerProcess.run(configuration) { process in
            let line = await process.log.firstLine { $0.contains("running on http://") }
            let address = try #require(line?.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/), "\(process.everything)")
            return try await body(MockProvider(url: String(address.output), log: process.log))
        }
    }

    /// What the browser brings back once the user `subject` has agreed on the page behind `authorizationURL`.
    func consent(at authorizationURL: String, subject: String) async throws -> [String: String] {
        var request = HTTPClientRequest(url: authorizationURL)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: FormEncoding.encode([("sub", subject)])))
        let response = try await Self.http.execute(request, timeout: .seconds(30))
        let location = try #require(response.headers.first(name: "Location"), "\(response.status) \(log.text)")
        let query = try #require(FormEncoding.decode(location.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()))
        return Dictionary(query.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// Stays where it is sent away from, as a test has to see the address. Lives as long as the test run.
    private static let http = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
}
