import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: a hostile or broken provider")
struct OpenIDHostileIssuerTests {
    @Test(arguments: [
        ("issuer", "https://accounts.example"), ("issuer", ""), ("token_endpoint", "http://token.example/token"),
        ("jwks_uri", "file:///etc/passwd"), ("jwks_uri", "https://user@keys.example/"),
        ("userinfo_endpoint", "http://169.254.169.254/latest/meta-data"), ("authorization_endpoint", "javascript:1"),
        ("revocation_endpoint", "http+unix://%2Frun%2Fdocker.sock/"), ("token_endpoint", "https://ex\u{3002}ample/"),
    ])
    func `a discovery document that names another issuer or a wrong endpoint is refused whole`(
        member: String, value: String
    ) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.replaceDiscoveryMember(member, with: .string(value))
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .configuration && error?.step == .discover, "\(String(describing: error))")
            #expect(fixture.issuer.hits(.token) == 0 && fixture.issuer.hits(.keys) == 0)
        }
    }

    @Test func `an issuer's name in another spelling is another issuer`() async throws {
        try await GenericFixture.run { fixture in
            for issuer in [fixture.issuer.url + "/", fixture.issuer.url.uppercased()] {
                fixture.issuer.replaceDiscoveryMember("issuer", with: .string(issuer))
                let error = await failure { try await fixture.oidc().verify(fixture.code()) }
                #expect(error?.fault == .configuration)
            }
        }
    }

    @Test func `one provider's ID token is worth nothing at another's entry`() async throws {
        try await GenericFixture.run { honest in
            try await GenericFixture.run { attacker in
                // The attacker claims the honest issuer's name, and its client, with keys of its own.
                attacker.issuer.replaceClaim("iss", with: .string(honest.issuer.url))
                attacker.issuer.replaceClaim("aud", with: .string(honest.application.clientID))
                let forged = attacker.issuer.idToken(for: honest.ada, application: attacker.application)
                let credential = Credential(.idToken(.init(token: forged)))

                let error = await failure { try await honest.oidc().verify(credential) }
                #expect(error?.fault == .credential)
                let another = await failure { try await attacker.oidc().verify(credential) }
                #expect(another?.fault == .credential)
            }
        }
    }

    @Test(arguments: [
        #"{"keys":[]}"#, #"{"keys":null}"#, "[]", #"{"keys":[{"kty":"oct","k":"AAAA","kid":"x"}]}"#,
        #"{"keys":[{"kty":"RSA","n":"AQ","e":"AQ","kid":"x"}]}"#,
    ])
    func `a key set without a usable key verifies nothing`(document: String) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.keySetOverride = try JSONValue(parsing: document)
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .credential || error?.fault == .upstream)
        }
    }

    @Test(arguments: OpenIDSimulator.Endpoint.allCases.filter { [.discovery, .keys, .token, .userinfo].contains($0) })
    func `no redirect is followed, and no other host is requested`(endpoint: OpenIDSimulator.Endpoint) async throws {
        let forbidden = try await ForbiddenListener.start()
        try await GenericFixture.run { fixture in
            fixture.issuer.fail(endpoint, with: .redirect(to: forbidden.url + "/token"))
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .upstream, "\(String(describing: error))")
        }
        #expect(forbidden.hits == 0)
        await forbidden.stop()
    }

    static let faults: [(OpenIDSimulator.Endpoint, SimulatorFault)] = [
        OpenIDSimulator.Endpoint.discovery, .keys, .token, .userinfo,
    ].flatMap { endpoint in
        let faults: [SimulatorFault] = [
            .status(500), .status(503), .status(429), .emptyBody, .htmlInsteadOfJSON, .garbage(),
            .hugeBody(bytes: 3 << 20), .closeConnection, .truncatedBody, .duplicateKeys,
        ]
        return faults.map { (endpoint, $0) }
    }

    @Test(arguments: faults)
    func `an invalid response is not an identity`(
        endpoint: OpenIDSimulator.Endpoint, fault: SimulatorFault
    ) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.fail(endpoint, with: fault)
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .upstream, "\(endpoint) \(fault): \(String(describing: error))")
            fixture.issuer.clearFaults()
            let identity = try await fixture.oidc().verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)
        }
    }

    @Test func `an outage of discovery is bridged by what was known`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc()
            _ = try await provider.verify(fixture.code())
            fixture.issuer.clock.advance(by: 7200)
            fixture.issuer.fail(.discovery, with: .status(503))
            let identity = try await provider.verify(fixture.code())
            #expect(identity.subject == fixture.ada.subject)
            #expect(fixture.issuer.hits(.discovery) == 2)

            _ = try await provider.verify(fixture.code())
            #expect(fixture.issuer.hits(.discovery) == 2, "no request waits for the same outage twice in a row")
            fixture.issuer.clock.advance(by: 31)
            _ = try await provider.verify(fixture.code())
            #expect(fixture.issuer.hits(.discovery) == 3)

            fixture.issuer.clock.advance(by: 86_400)
            let error = await failure { try await provider.verify(fixture.code()) }
            #expect(error?.fault == .upstream, "a document is used for at most a day without its provider")
        }
    }

    @Test func `a token answer without ID token is no sign-in`() async throws {
        try await GenericFixture.run { fixture in
            let error = await failure { try await fixture.oidc().verify(fixture.code(scopes: ["email"])) }
            #expect(error?.fault == .upstream && error?.step == .redeem)
        }
    }

    @Test func `a text the provider chose never reaches the log's reason`() async throws {
        try await GenericFixture.run { fixture in
            let marker = "marker-\(Int.random(in: 0 ... .max))"
            fixture.issuer.fail(
                .token,
                with: .status(
                    400, body: #"{"error":"\#(marker)","error_description":"\#(marker)\nforged line"}"#,
                    contentType: "application/json"))
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .upstream && error?.description.contains(marker) == false)
        }
    }
}
