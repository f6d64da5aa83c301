import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: an issuer with tenants, as Microsoft's")
struct OpenIDTenantTests {
    private static let acme = "11111111-aaaa-4bbb-8ccc-222222222222"
    private static let umbrella = "33333333-aaaa-4bbb-8ccc-222222222222"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
    private static let object = "55555555-aaaa-4bbb-8ccc-666666666666"

    /// A simulator whose discovery document stands below an authority and names a template.
    private struct Authority: Upstream {
        let name: String
        let upstream = SimulatorUpstream()

        func send(_ request: UpstreamRequest) async throws(ProviderError) -> UpstreamResponse {
            let url = request.url.replacing("/\(name)/v2.0/.well-known/", with: "/.well-known/")
            guard url != request.url else { return try await upstream.send(request) }
            return try await upstream.send(UpstreamRequest(request.method, url, at: request.step))
        }
    }

    private static func run<Value>(_ body: (GenericFixture) async throws -> Value) async throws -> Value {
        try await GenericFixture.run { fixture in
            fixture.issuer.replaceDiscoveryMember("issuer", with: .string(fixture.issuer.url + "/{tenantid}/v2.0"))
            sign(fixture, acme)
            return try await body(fixture)
        }
    }

    /// Makes the simulator sign for a tenant.
    private static func sign(_ fixture: GenericFixture, _ tenant: String) {
        fixture.issuer.replaceClaim("iss", with: .string("\(fixture.issuer.url)/\(tenant)/v2.0"))
        fixture.issuer.replaceClaim("tid", with: .string(tenant))
        fixture.issuer.replaceClaim("oid", with: .string(object))
    }

    private static func provider(
        _ fixture: GenericFixture, authority: String = "common", _ changes: JSONObject = [:]
    ) throws -> OpenIDProvider {
        var options = fixture.oidcOptions(["issuer": .string(fixture.issuer.url + "/{tid}/v2.0"), "userinfo": false])
        for (name, value) in changes { options[name] = value }
        return try #require(
            try GenericFixture.provider(
                .oidc, options, over: Authority(name: authority), at: { fixture.issuer.clock.now })
                as? OpenIDProvider)
    }

    @Test func `a subject is the tenant with its object, by code and by ID token, and tenants never collide`()
        async throws
    {
        try await Self.run { fixture in
            let provider = try Self.provider(fixture)
            var subjects: [String] = []
            for tenant in [Self.acme, Self.umbrella, Self.personal] {
                Self.sign(fixture, tenant)
                let code = try await provider.verify(fixture.code(nonce: "n-1"))
                let token = fixture.issuer.idToken(for: fixture.ada, application: fixture.application)
                let native = try await provider.verify(Credential(.idToken(.init(token: token))))
                #expect(code.subject == "\(tenant).\(Self.object)" && native.subject == code.subject)
                subjects.append(code.subject)
            }
            #expect(Set(subjects).count == 3)
            #expect(provider.instance == fixture.issuer.url + "/{tid}/v2.0")
            #expect(provider.authorizationResponseIssuer == nil)
            #expect(await provider.checkConfiguration() == [])
        }
    }

    @Test func `a token of another issuer than its tenant's is refused`() async throws {
        try await Self.run { fixture in
            let issuers: [JSONValue?] = [
                .string("\(fixture.issuer.url)/\(Self.umbrella)/v2.0"), .string("\(fixture.issuer.url)/{tid}/v2.0"),
                .string("\(fixture.issuer.url)/{tenantid}/v2.0"), .string("\(fixture.issuer.url)/common/v2.0"),
                .string("https://evil.example/\(Self.acme)/v2.0"), nil,
            ]
            for issuer in issuers {
                fixture.issuer.replaceClaim("iss", with: issuer)
                let error = await failure { try await Self.provider(fixture).verify(fixture.code()) }
                #expect(error?.fault == .credential, "\(String(describing: issuer))")
            }
        }
    }

    @Test(arguments: [nil, "", "common", "{tid}", "11111111-AAAA-4bbb-8ccc-222222222222"] as [String?])
    func `a tenant that is no UUID in lower case is refused`(tenant: String?) async throws {
        try await Self.run { fixture in
            fixture.issuer.replaceClaim("iss", with: .string("\(fixture.issuer.url)/\(tenant ?? Self.acme)/v2.0"))
            fixture.issuer.replaceClaim("tid", with: tenant.map(JSONValue.string))
            let error = await failure { try await Self.provider(fixture).verify(fixture.code()) }
            #expect(error?.fault == .credential)
        }
    }

    @Test func `a token without an object is no sign-in`() async throws {
        try await Self.run { fixture in
            for value in [nil, "", 7, .null] as [JSONValue?] {
                fixture.issuer.replaceClaim("oid", with: value)
                let error = await failure { try await Self.provider(fixture).verify(fixture.code()) }
                #expect(error?.fault == .configuration && error?.reason.contains("profile") == true)
            }
        }
    }

    @Test func `an address is verified by xms_edov alone`() async throws {
        try await Self.run { fixture in
            for (claim, isVerified) in [(nil, false), (true, true), (false, false), ("true", false)]
                as [(JSONValue?, Bool)]
            {
                fixture.issuer.replaceClaim("xms_edov", with: claim)
                let identity = try await Self.provider(fixture).verify(fixture.code())
                #expect(
                    identity.email == .init("ada@example.com", isVerified: isVerified), "\(String(describing: claim))")
            }
        }
    }

    @Test func `organizations takes no personal account, not even one from an app`() async throws {
        try await Self.run { fixture in
            let provider = try Self.provider(fixture, authority: "organizations", ["tenants": "organizations"])
            let identity = try await provider.verify(fixture.code())
            #expect(identity.subject == "\(Self.acme).\(Self.object)")
            Self.sign(fixture, Self.personal)
            #expect(await failure { try await provider.verify(fixture.code()) }?.fault == .credential)
        }
    }

    @Test func `an entry of one tenant takes no token of another, and has another name space`() async throws {
        try await Self.run { fixture in
            let single = "\(fixture.issuer.url)/\(Self.acme)/v2.0"
            fixture.issuer.replaceDiscoveryMember("issuer", with: .string(single))
            let provider = try Self.provider(fixture, authority: Self.acme, ["issuer": .string(single)])
            let identity = try await provider.verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject && provider.instance == single)
            Self.sign(fixture, Self.umbrella)
            #expect(await failure { try await provider.verify(fixture.code()) }?.fault == .credential)
            // The document of all tenants is no single issuer's.
            fixture.issuer.replaceDiscoveryMember("issuer", with: .string(fixture.issuer.url + "/{tenantid}/v2.0"))
            let template = try Self.provider(fixture, authority: Self.acme, ["issuer": .string(single)])
            #expect(await failure { try await template.verify(fixture.code()) }?.fault == .configuration)
        }
    }

    @Test func `a key of one tenant verifies no token of another`() async throws {
        try await Self.run { fixture in
            for (keyIssuer, isTaken) in [("{tenantid}", true), (Self.acme, true), (Self.umbrella, false)] {
                var key = try #require(fixture.issuer.keys.document["keys"]?.array?.first?.object)
                key["issuer"] = .string("\(fixture.issuer.url)/\(keyIssuer)/v2.0")
                fixture.issuer.keySetOverride = ["keys": [.object(key)]]
                let error = await failure { try await Self.provider(fixture).verify(fixture.code()) }
                #expect(error?.fault == (isTaken ? nil : .credential))
            }
        }
    }

    @Test(arguments: [
        (#"{"issuer":"https://{tid}.example/v2.0"}"#, "a segment"),
        (#"{"issuer":"https://id.example/x{tid}/v2.0"}"#, "a segment"),
        (#"{"issuer":"https://{tid}/v2.0"}"#, "a segment"),
        (#"{"issuer":"https://id.example/{tid}/{x}/v2.0"}"#, "a segment"),
        (
            #"""
            {"discovery":false,"endpoints":{"authorization":"https://id.example/a","token":"https://id.example/t",
            "jwks":"https://id.example/k"}}
            """#, "discovery"
        ),
        (#"{"issuer":"https://id.example/{tid}/{tid}"}"#, "a segment"),
        (#"{"issuer":"https://id.example/{tid}x/v2.0"}"#, "a segment"),
        (#"{"issuer":"https://id.example/{tenant}/"}"#, "a segment"),
        (#"{"issuer":"https://id.example","tenants":"common"}"#, "{tid}"),
        (#"{"tenants":"consumers"}"#, "organizations"),
        (#"{"claims":{"emailVerified":"/email_verified"}}"#, "xms_edov"),
        (#"{"claims":{"subject":"/oid"}}"#, "claims.subject"),
        (#"{"backChannelLogout":true}"#, "backChannelLogout"), (#"{"discovery":false}"#, "discovery"),
        (#"{"issuer":"http://id.example/{tid}/v2.0"}"#, "https://"),
    ])
    func `options that contradict tenants are refused`(changes: String, fragment: String) throws {
        var options: JSONObject = ["issuer": "https://id.example/{tid}/v2.0", "clientId": "c"]
        _ = try GenericFixture.provider(.oidc, options, over: SimulatorUpstream())
        for (name, value) in try #require(try JSONValue(parsing: changes).object) { options[name] = value }
        let error = #expect(throws: (any Error).self) {
            try GenericFixture.provider(.oidc, options, over: SimulatorUpstream())
        }
        #expect("\(String(describing: error))".contains(fragment))
    }
}
