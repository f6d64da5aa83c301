import Foundation
import ProviderKit
import Testing

@Suite("token introspection")
struct IntrospectionTests {
    private static let url = "https://id.example/introspect"
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let honest: JSONObject = [
        "active": true, "client_id": "wiki", "sub": "4711", "scope": "profile email", "token_type": "Bearer",
        "exp": 1_800_003_600, "tenant": "north",
    ]
    private static let client = OAuth2Client(
        authorizeURL: "https://id.example/authorize", tokenURL: "https://id.example/token", clientID: "wiki",
        authentication: .basic(Secret("s3cret")), scopes: [])

    private static func introspect(
        _ response: UpstreamResponse, _ upstream: PagedUpstream? = nil
    ) async throws(ProviderError) -> IntrospectedToken {
        try await client.introspect(
            "opaque", at: url, over: upstream ?? PagedUpstream([url: response]), now: now)
    }

    private static func changing(_ changes: (inout JSONObject) -> Void) -> UpstreamResponse {
        var answer = honest
        changes(&answer)
        return .json(.object(answer))
    }

    @Test func `an active token of our client is a grant with its subject`() async throws {
        let upstream = PagedUpstream([Self.url: .json(.object(Self.honest))])

        let token = try await Self.introspect(.json([:]), upstream)

        #expect(token.subject == "4711" && token.grant.clientID == "wiki" && token.grant.accessToken == "opaque")
        #expect(token.grant.scopes == ["profile", "email"] && token.members["tenant"] == "north")
        #expect(token.grant.expiresAt == Date(timeIntervalSince1970: 1_800_003_600))
        #expect(!"\(token)".contains("opaque"))
        let request = try #require(upstream.requests.first)
        let form = try #require(request.body.flatMap { FormEncoding.decode($0) })
        #expect(request.method == .post && request.step == .introspect)
        #expect(form.contains { $0.name == "token" && $0.value == "opaque" })
        #expect(request.headers.contains { $0.name == "Authorization" && $0.value.hasPrefix("Basic ") })
    }

    @Test(arguments: ["client_id", "active"])
    func `an answer that does not say it is refused`(member: String) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await Self.introspect(Self.changing { $0[member] = nil })
        }
        #expect(error?.fault == (member == "active" ? .upstream : .credential))
    }

    @Test(
        arguments: [
            ("active", false), ("client_id", "Wiki"), ("client_id", "wiki "), ("client_id", "wiki2"),
            ("token_type", "refresh_token"), ("token_type", "DPoP"), ("exp", 1_800_000_000), ("nbf", 1_800_003_600),
        ] as [(String, JSONValue)])
    func `a token that is invalid or another client's is refused`(member: String, value: JSONValue) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await Self.introspect(Self.changing { $0[member] = value })
        }
        #expect(error?.fault == .credential && error?.step == .introspect)
    }

    @Test func `an audience alone does not say whose token it is`() async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await Self.introspect(
                Self.changing {
                    $0["client_id"] = "other"
                    $0["aud"] = "wiki"
                })
        }
        #expect(error?.fault == .credential)
    }

    @Test(arguments: ["true", 1, .null] as [JSONValue])
    func `only the Boolean true is active`(value: JSONValue) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await Self.introspect(Self.changing { $0["active"] = value })
        }
        #expect(error?.fault == .upstream)
    }

    @Test(arguments: [
        (400, ProviderError.Fault.configuration), (401, .configuration), (403, .configuration), (404, .configuration),
        (429, .upstream), (500, .upstream), (302, .upstream), (204, .upstream),
    ])
    func `no status but 200 lets a token in, whatever its body says`(
        status: Int, fault: ProviderError.Fault
    ) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await Self.introspect(.json(.object(Self.honest), status: status))
        }
        #expect(error?.fault == fault)
    }

    @Test(arguments: ["", "null", "[]", "<html>", "{}", #"{"active":true,"active":false}"#])
    func `a body that is no introspection response lets no token in`(body: String) async throws {
        let error = await #expect(throws: ProviderError.self) {
            try await Self.introspect(UpstreamResponse(status: 200, body: Array(body.utf8)))
        }
        #expect(error?.fault == .upstream)
    }
}
