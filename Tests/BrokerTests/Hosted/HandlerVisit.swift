import Broker
import Foundation
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

/// The handler page as an SDK opens it, read the way its own script reads it.
struct HandlerVisit: Sendable {
    static let path = "/emulator/auth/handler"
    private static let publicURL = "http://127.0.0.1:9099"

    let broker: TestBroker

    init(_ broker: TestBroker) { self.broker = broker }

    /// A broker whose providers send users back to it, by the addresses that are registered for its own pages.
    static func run(
        entries changeEntry: @escaping (inout JSONObject) -> Void = { _ in },
        _ test: (TestBroker, TestProviders) async throws -> Void
    ) async throws {
        // SDKs make credentials of what the provider has issued.
        try await TestProviders.run({ $0.policy.providerTokens = .client }, entries: changeEntry) { broker, providers in
            providers.allow { "\(publicURL)/oauth/callback/\($0)" }
            try await test(broker, providers)
        }
    }

    /// What the page hands to the SDK's frame in the end.
    struct Event: Sendable {
        let urlResponse: String
        let sessionID: String
        let postBody: String?
    }

    /// The page at its beginning.
    struct Page: Sendable {
        let answer: Answer
        /// What the script works with.
        let data: JSONValue
        let eventID: String
    }

    /// Opens the page with the SDK's parameters; `change` adds to them.
    func open(
        _ type: String, _ provider: String, change: (inout [(name: String, value: String)]) -> Void = { _ in }
    ) async throws -> Page {
        let eventID = RandomText.alphanumeric(10)
        var query: [(name: String, value: String)] = [
            ("apiKey", broker.apiKey), ("appName", "[DEFAULT]"), ("authType", type),
            ("redirectUrl", "http://localhost:3000/app"), ("v", "12.0.0"), ("eventId", eventID),
            ("providerId", provider),
        ]
        change(&query)
        let answer = try await broker.get(Self.path + "?" + FormEncoding.encode(query))
        try #require(answer.status == 200, "\(answer.text)")
        return Page(answer: answer, data: try Self.data(in: answer), eventID: eventID)
    }

    /// The whole way: to the provider, back to the page, and out of it.
    func event(_ type: String, _ provider: String, as email: String?) async throws -> Event {
        let page = try await open(type, provider)
        try #require(page.data["step"] == "begin", "\(page.answer.text)")
        let request = try #require(page.data["request"])
        let redirect = try await ProviderRedirect.take(to: #require(page.data["authorizationUrl"]?.string), as: email)
        #expect(redirect.parameters["state"] == page.data["state"]?.string)
        #expect(redirect.url.hasPrefix("\(Self.publicURL)/oauth/callback/\(provider)"))
        let back = try Self.data(in: try await arrive(redirect))
        #expect(back["step"] == "resume" && back["request"] == nil)
        return Event(
            urlResponse: redirect.url, sessionID: try #require(request["sessionId"]?.string),
            postBody: back["form"]?.string
        )
    }

    private func arrive(_ redirect: ProviderRedirect) async throws -> Answer {
        let target = String(redirect.url.dropFirst(Self.publicURL.count))
        guard let form = redirect.form else { return try await broker.get(target) }
        return try await broker.send(
            .POST, target,
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Origin": "https://appleid.apple.com"],
            body: Array(form.utf8))
    }

    static func data(in answer: Answer) throws -> JSONValue {
        let text = try #require(answer.text.firstMatch(of: /id="data">([^<]*)<\/script>/), "\(answer.text)").1
        return try JSONValue(parsing: text.utf8)
    }
}
