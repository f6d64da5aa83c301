import Foundation
import ProviderKit
import Testing

@Suite("configuration probe")
struct ConfigurationProbeTests {
    @Test(arguments: [
        (ProviderError.Obstacle.nameNotFound, "name-not-found"), (.addressNotAllowed, "address-not-allowed"),
        (.connectionFailed, "connection-failed"), (.certificateRefused, "certificate-refused"),
        (.timedOut, "timed-out"), (nil, "provider-unavailable"),
    ])
    func `every obstacle has a code of its own, names the host and says what to do`(
        obstacle: ProviderError.Obstacle?, code: String
    ) async throws {
        let probe = Self.probe { request throws(ProviderError) in
            throw ProviderError(.upstream, at: request.step, "it broke", obstacle: obstacle)
        }

        let reached = try #require(await probe.reach("https://id.example/login?secret=1"))
        let discovery = await #expect(throws: ConfigurationFinding.self) {
            _ = try await probe.discovery(at: "https://id.example")
        }
        let client = await probe.client(Self.client)

        #expect([reached.code, discovery?.code, client?.code] == [code, code, code])
        #expect(reached.text.contains("id.example") && !reached.fix.isEmpty)
        #expect(!"\(reached)".contains("secret"))
    }

    @Test(arguments: [(200, nil), (404, nil), (302, nil), (500, "provider-unavailable")])
    func `a provider is reached when it answers at all`(status: Int, code: String?) async throws {
        let probe = Self.probe { _ in UpstreamResponse(status: status) }

        #expect(await probe.reach("https://id.example/")?.code == code)
    }

    @Test func `a document that is as it should be has no finding`() async throws {
        let probe = Self.probe { request in
            request.url == "https://id.example/realm/.well-known/openid-configuration"
                ? .json(Self.document) : UpstreamResponse(status: 404)
        }

        let document = try await probe.discovery(at: "https://id.example/realm/", issuer: "https://id.example/realm")

        #expect(document.keySetURL == "https://id.example/keys")
    }

    @Test(arguments: [
        (404, "{}", "discovery-missing"), (200, "<html>", "discovery-missing"), (200, "{}", "discovery-incomplete"),
        (200, "[]", "discovery-missing"),
        (503, "", "provider-unavailable"), (429, "", "provider-unavailable"),
        (200, document.replacing("issuer", with: "https://evil.example"), "discovery-issuer-mismatch"),
        (200, document.replacing("jwks_uri", with: "http://id.example/keys"), "discovery-endpoint-insecure"),
        (200, document.replacing("userinfo_endpoint", with: "file:///etc"), "discovery-endpoint-insecure"),
    ])
    func `what is wrong with a discovery document has a code`(status: Int, body: String, code: String) async throws {
        let probe = Self.probe { _ in UpstreamResponse(status: status, body: Array(body.utf8)) }

        let finding = await #expect(throws: ConfigurationFinding.self) {
            _ = try await probe.discovery(at: "https://id.example/realm")
        }

        #expect(finding?.code == code)
        #expect(finding?.fix.isEmpty == false)
    }

    @Test func `the members that a discovery document lacks are named, and endpoints fill them`() async throws {
        let probe = Self.probe { _ in
            .json(#"{"issuer":"https://id.example/realm","authorization_endpoint":"https://id.example/authorize"}"#)
        }
        func finding(_ endpoints: [String: String]) async -> ConfigurationFinding? {
            do throws(ConfigurationFinding) {
                _ = try await probe.metadata(of: .init(url: "https://id.example/realm", endpoints: endpoints))
                return nil
            } catch {
                return error
            }
        }
        let both = ["token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys"]

        #expect(await finding([:])?.text.hasSuffix("has no token_endpoint, jwks_uri") == true)
        #expect(await finding(both) == nil)
        let moved = await finding(both.merging(["authorization_endpoint": "https://id.example/login"]) { $1 })
        #expect(moved?.code == "discovery-endpoint-mismatch" && moved?.text.contains("authorization_endpoint") == true)
        #expect(
            await finding(both.merging(["token_endpoint": "http://id.example/t"]) { $1 })?.code
                == "discovery-endpoint-insecure")
    }

    @Test func `another issuer's name is shown without what a terminal would obey`() async throws {
        let probe = Self.probe { _ in
            .json(Self.document.replacing("issuer", with: "https://evil.example/\u{1B}[2J\u{202E}"))
        }

        let finding = await #expect(throws: ConfigurationFinding.self) {
            _ = try await probe.discovery(at: "https://id.example/realm")
        }

        #expect(finding?.text.contains("https://evil.example/[2J,") == true)
    }

    @Test func `usable, unusable, unavailable and unreachable keys have different findings`() async throws {
        func code(_ keys: KeyCount) async -> String? {
            await Self.probe(keys: keys) { _ in UpstreamResponse(status: 404) }.keySet(at: "https://id.example/k")?.code
        }

        #expect(await code(.usable(1)) == nil)
        #expect(await code(.usable(0)) == "keys-unusable")
        #expect(await code(.failing(nil)) == "keys-unavailable")
        #expect(await code(.failing(.certificateRefused)) == "certificate-refused")
    }

    @Test(arguments: [
        (400, #"{"error":"invalid_grant"}"#, nil), (400, #"{"error":"invalid_request"}"#, nil),
        (200, #"{"error":"incorrect_client_credentials"}"#, "client-refused"),
        (401, #"{"error":"invalid_client"}"#, "client-refused"),
        (400, #"{"error":"unauthorized_client"}"#, "client-refused"), (401, "no JSON", "client-refused"),
        (400, "no JSON", nil), (502, "", "provider-unavailable"),
    ])
    func `a client is refused only when the provider says it is about the client`(
        status: Int, body: String, code: String?
    ) async throws {
        let probe = Self.probe { _ in UpstreamResponse(status: status, body: Array(body.utf8)) }

        #expect(await probe.client(Self.client, fix: "Look there.")?.code == code)
    }

    @Test func `a provider that blames the client for its redirect URI sees the registered one`() async throws {
        let registered = "https://id.example/oauth/callback/oidc.work"
        let answer: @Sendable (UpstreamRequest) throws(ProviderError) -> UpstreamResponse = {
            (request: UpstreamRequest) throws(ProviderError) in
            let form = FormEncoding.decode(request.body ?? []) ?? []
            let isRegistered = form.contains { $0.name == "redirect_uri" && $0.value == registered }
            return UpstreamResponse(
                status: 400,
                body: Array(#"{"error":"\#(isRegistered ? "invalid_grant" : "unauthorized_client")"}"#.utf8))
        }

        let right = await Self.probe(redirectURI: registered, answer).client(Self.client)
        let other = "https://id.example/oauth/callback/oidc.home"
        let wrong = await Self.probe(redirectURI: other, answer).client(Self.client)

        #expect(right == nil)
        #expect(wrong?.code == "client-refused" && wrong?.fix.contains("Register the redirect URI \(other)") == true)
    }

    @Test(arguments: [
        (401, nil), (403, nil), (400, nil), (200, nil), (404, "userinfo-missing"), (405, "userinfo-missing"),
        (501, "userinfo-missing"), (302, "userinfo-redirects"), (503, "provider-unavailable"),
        (429, "provider-unavailable"),
    ])
    func `a profile's URL is asked with a token that none has issued`(status: Int, code: String?) async throws {
        let probe = Self.probe { request in
            UpstreamResponse(status: request.headers.contains { $0.value == "Bearer invented" } ? status : 500)
        }

        let finding = await probe.userinfo(
            UpstreamRequest(.get, "https://id.example/me?key=1", at: .fetchProfile).bearer("invented"))

        #expect(finding?.code == code)
        #expect(finding?.text.contains("key=1") != true)
    }

    @Test func `a clock that is off says which side is`() {
        #expect(ConfigurationFinding.clockSkew(seconds: 90).text == "the provider's clock is 90 s ahead of this host's")
        #expect(ConfigurationFinding.clockSkew(seconds: -90).text == "the provider's clock is 90 s behind this host's")
    }
}

extension ConfigurationProbeTests {
    fileprivate static let document: JSONValue = [
        "issuer": "https://id.example/realm", "authorization_endpoint": "https://id.example/authorize",
        "token_endpoint": "https://id.example/token", "jwks_uri": "https://id.example/keys",
        "userinfo_endpoint": "https://id.example/me",
    ]

    fileprivate static let client = OAuth2Client(
        authorizeURL: "https://id.example/authorize", tokenURL: "https://id.example/token", clientID: "client",
        authentication: .none, scopes: [])

    fileprivate static func probe(
        keys: KeyCount = .usable(1), redirectURI: String? = nil,
        _ answer: @escaping @Sendable (UpstreamRequest) throws(ProviderError) -> UpstreamResponse
    ) -> ConfigurationProbe {
        ConfigurationProbe(
            ProviderContext(
                id: "test", upstream: Answering(answer: answer), tokens: keys, now: { Date() },
                redirectURI: redirectURI))
    }
}

extension JSONValue {
    fileprivate func replacing(_ name: String, with value: String) -> String {
        guard case .object(var members) = self else { return serialized() }
        members[name] = .string(value)
        return JSONValue.object(members).serialized()
    }
}

extension UpstreamResponse {
    fileprivate static func json(_ value: JSONValue) -> UpstreamResponse { json(value.serialized()) }

    fileprivate static func json(_ text: String) -> UpstreamResponse {
        UpstreamResponse(status: 200, body: Array(text.utf8))
    }
}

private struct Answering: Upstream {
    let answer: @Sendable (UpstreamRequest) throws(ProviderError) -> UpstreamResponse

    func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse { try answer(request) }
}

/// A token service that knows how many keys there are, and nothing else.
private enum KeyCount: TokenService {
    case usable(Int)
    case failing(ProviderError.Obstacle?)

    func usableKeys(at url: String) async throws(ProviderError) -> Int {
        switch self {
        case .usable(let count): return count
        case .failing(let obstacle): throw ProviderError(.upstream, at: .verifyIDToken, "no keys", obstacle: obstacle)
        }
    }

    func verify(
        _ token: String, by policy: IDTokenPolicy, nonce: NonceExpectation, accessToken: String?
    ) async throws(ProviderError) -> VerifiedIDToken { throw Self.notAsked }

    func verify(
        securityEvent token: String, by policy: IDTokenPolicy
    ) async throws(ProviderError) -> VerifiedSecurityEvent { throw Self.notAsked }

    func isValid(hmac code: [UInt8], of message: [UInt8], key: Secret) -> Bool { false }

    func sign(_ assertion: ClientAssertion) throws(ProviderError) -> String { throw Self.notAsked }

    func publicKey(of key: ClientAssertion.Key) throws(ProviderError) -> JSONValue { throw Self.notAsked }

    private static let notAsked = ProviderError(.configuration, at: .verifyIDToken, "not requested here")
}
