import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: endpoints that discovery lacks")
struct OpenIDEndpointTests {
    private static let paths: [(option: String, member: String, path: String)] = [
        ("authorization", "authorization_endpoint", "/authorize"), ("token", "token_endpoint", "/token"),
        ("jwks", "jwks_uri", "/keys"), ("userinfo", "userinfo_endpoint", "/userinfo"),
        ("revocation", "revocation_endpoint", "/revoke"),
        ("deviceAuthorization", "device_authorization_endpoint", "/device_authorization"),
    ]

    private static func endpoints(of fixture: GenericFixture, without option: String? = nil) -> JSONValue {
        .object(
            JSONObject(
                paths.filter { $0.option != option }.map { ($0.option, JSONValue.string(fixture.issuer.url + $0.path)) }
            ))
    }

    @Test func `a provider without discovery signs in, refreshes, revokes and starts devices`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc(["discovery": false, "endpoints": Self.endpoints(of: fixture)])
            let identity = try await provider.verify(fixture.code(nonce: "n-1"))
            let grant = try await provider.refresh(try #require(identity.grant))
            try await provider.revoke(grant)
            _ = try await provider.startDeviceAuthorization(scopes: [])

            #expect(identity.subject == fixture.ada.subject && identity.email?.isVerified == true)
            #expect(fixture.issuer.hits(.discovery) == 0 && fixture.issuer.hits(.userinfo) == 1)
            #expect(await provider.checkConfiguration() == [] && fixture.issuer.hits(.discovery) == 0)
            #expect(provider.probeURL == fixture.issuer.url + "/keys")
        }
    }

    @Test func `without discovery an ID token must be the issuer's all the same`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.replaceClaim("iss", with: "https://another.example")
            let error = await failure {
                try await fixture.oidc(["discovery": false, "endpoints": Self.endpoints(of: fixture)])
                    .verify(fixture.code())
            }
            #expect(error?.fault == .credential && error?.step == .verifyIDToken)
        }
    }

    @Test(arguments: ["token", "userinfo", "jwks", "authorization"])
    func `an endpoint fills a gap of the discovery document`(option: String) async throws {
        try await GenericFixture.run { fixture in
            let member = try #require(Self.paths.first { $0.option == option }?.member)
            fixture.issuer.discoveryOverride = try OpenIDProfileTests.discovery(of: fixture, without: member)
            let bare = try fixture.oidc()
            let error = await failure { try await bare.verify(fixture.code()) }
            let findings = await bare.checkConfiguration()
            if option == "userinfo" {
                #expect(error == nil)
            } else {
                #expect(error?.fault == .upstream && error?.reason.contains(member) == true)
                #expect(findings.map(\.code) == ["discovery-incomplete"] && findings[0].text.contains(member))
            }
            let path = try #require(Self.paths.first { $0.option == option }?.path)
            let provider = try fixture.oidc(["endpoints": [option: .string(fixture.issuer.url + path)]])
            let identity = try await provider.verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)
            #expect(fixture.issuer.hits(.userinfo) == 1)
        }
    }

    @Test(arguments: paths.map(\.option))
    func `an endpoint that discovery names otherwise is a configuration fault, and nothing is sent`(
        option: String
    ) async throws {
        let forbidden = try await ForbiddenListener.start()
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc(["endpoints": [option: .string(forbidden.url + "/x")]])
            let error = await failure { try await provider.verify(fixture.code()) }
            let findings = await provider.checkConfiguration()

            #expect(error?.fault == .configuration && error?.step == .discover, "\(String(describing: error))")
            #expect(findings.map(\.code) == ["discovery-endpoint-mismatch"])
            #expect(fixture.issuer.hits(.token) == 0)
        }
        #expect(forbidden.hits == 0)
        await forbidden.stop()
    }

    @Test func `the same endpoint as discovery's is fine`() async throws {
        try await GenericFixture.run { fixture in
            let identity = try await fixture.oidc(["endpoints": Self.endpoints(of: fixture)]).verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)
        }
    }

    @Test(arguments: [
        ("authorization", "authorization"), ("token", "token"), ("jwks", "jwks"),
    ])
    func `without discovery the endpoints of sign-ins are required`(option: String, named: String) async throws {
        try await GenericFixture.run { fixture in
            let error = await failure {
                try fixture.oidc(["discovery": false, "endpoints": Self.endpoints(of: fixture, without: option)])
            }
            #expect(error?.fault == .configuration && error?.step == .configure)
            #expect(error?.reason == "options.endpoints needs \(named) without discovery")
            let others = await failure {
                try fixture.oidc(["discovery": false, "endpoints": Self.endpoints(of: fixture, without: "userinfo")])
            }
            #expect(others == nil && fixture.isUntouched)
        }
    }

    @Test(arguments: ["http://id.example/token", "https://user@id.example/token", "file:///etc/passwd", "token", ""])
    func `an endpoint is an https URL`(url: String) throws {
        let error = #expect(throws: (any Error).self) {
            try GenericFixture.provider(
                .oidc,
                ["issuer": "https://id.example", "clientId": "c", "endpoints": ["token": .string(url)]],
                over: SimulatorUpstream(), allowsInsecureLoopback: false)
        }
        #expect("\(String(describing: error))".contains("endpoints.token"))
    }
}
