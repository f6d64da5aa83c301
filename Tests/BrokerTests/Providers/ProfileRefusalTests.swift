import Generic
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("a profile that is refused or incomplete")
struct ProfileRefusalTests {
    @Test(arguments: [400, 401, 403, 404, 405, 410, 422])
    func `a refused profile has words of its own`(status: Int) {
        let error = BrokerError(UpstreamResponse(status: status).refusal(at: .fetchProfile))
        #expect(error == .profileRefused && error.message.contains("refused to show the user's profile"))
    }

    @Test(arguments: [408, 425, 429, 500, 503])
    func `a provider that asks to wait did not answer`(status: Int) {
        let error = BrokerError(UpstreamResponse(status: status).refusal(at: .fetchProfile))
        #expect(error == .providerUnavailable(retryAfter: nil))
    }

    @Test func `a rate limit is no refusal`() {
        let response = UpstreamResponse(status: 403, headers: [("Retry-After", "7")])
        #expect(BrokerError(response.refusal(at: .fetchProfile)) == .providerUnavailable(retryAfter: 7))
    }

    @Test func `a pointer that finds nothing has words of its own`() {
        let error = BrokerError(ProviderError(.upstream, at: .readProfile, "nothing"))
        #expect(error == .profileIncomplete && error.message.contains("lacks what identifies the user"))
    }

    @Test(arguments: [ProviderError.Step.redeem, .introspect, .refresh])
    func `a credential that is refused elsewhere is refused`(step: ProviderError.Step) {
        #expect(BrokerError(UpstreamResponse(status: 401).refusal(at: step)) == .credentialRejected)
    }
}

@Suite("a token in a query")
struct QueryTokenTests {
    @Test func `it reaches the provider, which takes it from the header alone and refuses`() async throws {
        let issuer = try await OpenIDSimulator.start(.init(clock: .stopped(at: TestClock().now), mode: .oauth2))
        let application = issuer.defaultApplication
        let entry: JSONValue = [
            "id": "oauth2.plain", "use": "oauth2", "allowInsecureLoopback": true,
            "options": [
                "authorizationUrl": .string(issuer.url + "/authorize"), "tokenUrl": .string(issuer.url + "/token"),
                "userinfoUrl": .string(issuer.url + "/userinfo?v=1"), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""), "claims": ["subject": "/id"],
                "userinfoToken": ["in": "query", "name": "token"],
            ],
        ]
        try await TestBroker.run(plugins: [.oauth2], entries: { _ in [entry] }) { broker in
            let verifier = RandomText.alphanumeric(64)
            let code = issuer.authorizationCode(
                for: issuer.add(.init(userinfo: ["id": "42"])), application: application,
                codeChallenge: CodeChallenge(of: verifier).text)

            let answer = try await broker.signIn(
                postBody: [
                    ("code", code), ("redirect_uri", application.redirectURIs[0]), ("code_verifier", verifier),
                    ("providerId", "oauth2.plain"),
                ])

            let request = try #require(issuer.requests(.userinfo).first)
            #expect(request.query.hasPrefix("v=1&token=") && request.query.utf8.count > 20)
            #expect(request.header("authorization") == nil)
            #expect(answer.text.contains("refused to show the user's profile"), "\(answer.text)")
        }
        await issuer.stop()
    }
}

@Suite("parameters of an authorization response")
struct AuthorizationResponseTests {
    private static func further(_ pairs: [(name: String, value: String)]) throws -> [String: String] {
        try AuthorizationResponse([("state", "s"), ("code", "c")] + pairs).further
    }

    @Test func `those that are not the protocol's are kept as the browser brings them`() throws {
        let further = try Self.further([("iss", "https://id.example"), ("realmId", "123"), ("location", "eu")])
        #expect(further == ["realmId": "123", "location": "eu"])
    }

    @Test(arguments: ["", "a/b", "a b", "%2e", "é", "a@b", "a?b", String(repeating: "x", count: 129)])
    func `a value that could be more than one part of a URL is dropped`(value: String) throws {
        #expect(try Self.further([("realmId", value)]).isEmpty)
    }

    @Test func `of very many none is kept`() throws {
        #expect(try Self.further((0..<17).map { ("p\($0)", "x") }).isEmpty)
        #expect(try Self.further((0..<16).map { ("p\($0)", "x") }).count == 16)
    }
}
