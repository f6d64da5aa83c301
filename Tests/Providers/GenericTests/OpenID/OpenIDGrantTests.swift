import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: grants, devices and the configuration check")
struct OpenIDGrantTests {
    @Test func `a refresh rotates the tokens`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc()
            let grant = try #require(try await provider.verify(fixture.code()).grant)
            let fresh = try await provider.refresh(grant)

            #expect(fresh.refreshToken != nil && fresh.refreshToken != grant.refreshToken)
            #expect(!grant.scopes.isEmpty && fresh.scopes == grant.scopes)
            #expect(fixture.issuer.isLive(token: fresh.accessToken))
            let error = await failure { try await provider.refresh(grant) }
            #expect(error?.fault == .credential && error?.step == .refresh)
            #expect(!fixture.issuer.isLive(token: fresh.accessToken), "reuse ends the whole grant")
        }
    }

    @Test func `an ID token in a refresh is ignored, and the tokens are stored`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc()
            let grant = try #require(try await provider.verify(fixture.code()).grant)
            fixture.issuer.forgery = .foreignKey
            let fresh = try await provider.refresh(grant)
            #expect(fresh.idToken == nil && fresh.refreshToken != nil && fresh.accessToken != grant.accessToken)
        }
    }

    @Test(arguments: [OpenIDSimulator.Options.Quirks(), .refusesUnknownTokens])
    func `a revocation ends both tokens, and an invalid grant is revoked already`(
        quirks: OpenIDSimulator.Options.Quirks
    ) async throws {
        try await GenericFixture.run(.init(clock: .stopped(at: GenericFixture.now), quirks: quirks)) { fixture in
            let provider = try fixture.oidc()
            let grant = try #require(try await provider.verify(fixture.code()).grant)
            for _ in 1...2 { try await provider.revoke(grant) }
            #expect(!fixture.issuer.isLive(token: grant.accessToken))
            // Few servers revoke the access token together with the refresh token.
            let tokens = fixture.issuer.requests(.revoke).prefix(2).map { request in
                (FormEncoding.decode(request.body) ?? []).first { $0.name == "token" }?.value
            }
            #expect(tokens == [grant.refreshToken, grant.accessToken])
            let error = await failure { try await provider.refresh(grant) }
            #expect(error?.fault == .credential)
        }
    }

    @Test(arguments: ["revocation_endpoint", "device_authorization_endpoint"])
    func `an endpoint that discovery does not list is a configuration fault`(member: String) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.discoveryOverride = try OpenIDProfileTests.discovery(of: fixture, without: member)
            let provider = try fixture.oidc()
            let grant = UpstreamGrant(clientID: provider.clientID, accessToken: "a")
            let error = await failure {
                if member == "revocation_endpoint" {
                    try await provider.revoke(grant)
                } else {
                    _ = try await provider.startDeviceAuthorization(scopes: [])
                }
            }
            #expect(error?.fault == .configuration && error?.reason.contains(member) == true)
        }
    }

    @Test func `a device waits, slows down and signs in the user who approved`() async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc()
            let device = try await provider.startDeviceAuthorization(scopes: ["offline_access", "email"])
            guard case .pending = try await provider.pollDeviceAuthorization(device.deviceCode) else {
                Issue.record("not pending")
                return
            }
            guard case .slowDown = try await provider.pollDeviceAuthorization(device.deviceCode) else {
                Issue.record("not slowed down")
                return
            }
            fixture.issuer.clock.advance(by: 60)
            #expect(fixture.issuer.approveDevice(userCode: device.userCode, for: fixture.ada))
            guard case .granted(let identity) = try await provider.pollDeviceAuthorization(device.deviceCode) else {
                Issue.record("not granted")
                return
            }
            #expect(identity.subject == fixture.ada.subject)
            #expect(identity.grant?.scopes == ["openid", "email", "profile", "offline_access"])
        }
    }

    @Test(arguments: [true, false])
    func `a device that is turned away or comes too late gets nothing`(isDenied: Bool) async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc()
            let device = try await provider.startDeviceAuthorization(scopes: [])
            if isDenied {
                fixture.issuer.denyDevice(userCode: device.userCode)
            } else {
                fixture.issuer.clock.advance(by: 601)
            }
            let error = await failure { try await provider.pollDeviceAuthorization(device.deviceCode) }
            #expect(error?.fault == (isDenied ? .cancelled : .credential))
        }
    }

    @Test(arguments: [("application/x-www-form-urlencoded", false), ("application/json", true)])
    func `a message that is no logout token, or that the entry does not take, is not even read`(
        type: String, acceptsLogout: Bool
    ) async throws {
        try await GenericFixture.run { fixture in
            let provider = try fixture.oidc(["backChannelLogout": .bool(acceptsLogout)])
            let message = ProviderMessage(headers: [("Content-Type", type)], body: Array("logout_token=x".utf8))
            let error = await failure { try await provider.verify(message) }

            #expect(provider.acceptsNotifications == acceptsLogout)
            #expect(error?.reason.contains("not a logout token's form") == true)
        }
    }

    @Test func `Google's revocation of one token withdraws everything`() throws {
        for (issuer, isAlone) in [("https://accounts.google.com", false), ("https://id.example", true)] {
            let options: JSONObject = ["issuer": .string(issuer), "clientId": "c", "clientSecret": "s"]
            let provider = try GenericFixture.provider(.oidc, options, over: SimulatorUpstream())
            #expect((provider as? any TokenRevocation)?.revokesTokensAlone == isAlone)
        }
    }

    @Test func `a sound configuration has no findings`() async throws {
        try await GenericFixture.run { fixture in
            let findings = try await fixture.oidc().checkConfiguration()
            #expect(findings.isEmpty, "\(findings)")
        }
    }

    @Test func `a wrong secret, issuer, method or algorithm is found`() async throws {
        try await GenericFixture.run { fixture in
            let secret = try await fixture.oidc(["clientSecret": "wrong"]).checkConfiguration()
            let algorithm = try await fixture.oidc(["algorithms": ["ES256"]]).checkConfiguration()
            fixture.issuer.replaceDiscoveryMember("token_endpoint_auth_methods_supported", with: ["private_key_jwt"])
            let method = try await fixture.oidc().checkConfiguration()
            fixture.issuer.replaceDiscoveryMember("issuer", with: "https://another.example")
            let issuer = try await fixture.oidc().checkConfiguration()

            #expect(secret.map(\.code) == ["client-refused"])
            #expect(algorithm.map(\.code) == ["algorithm-unsupported"])
            #expect(method.map(\.code) == ["auth-method-unsupported"])
            #expect(issuer.map(\.code) == ["discovery-issuer-mismatch"])
            #expect((secret + algorithm + method + issuer).allSatisfy { !$0.fix.isEmpty })
        }
    }

    @Test func `a public client has no method that a provider could leave out, and S256 binds a code without a nonce`()
        async throws
    {
        try await GenericFixture.run { fixture in
            func codes(_ changes: JSONObject) async throws -> [String] {
                try await fixture.oidc(changes).checkConfiguration().map(\.code)
                    .filter { $0.hasPrefix("auth-method") || $0 == "code-not-bound" }
            }
            let listed = (try await codes(["clientSecret": nil]), try await codes(["nonce": false]))
            fixture.issuer.replaceDiscoveryMember("token_endpoint_auth_methods_supported", with: nil)
            fixture.issuer.replaceDiscoveryMember("code_challenge_methods_supported", with: nil)
            let unlisted = (try await codes(["clientSecret": nil]), try await codes(["nonce": false]))

            #expect(listed == ([], []) && unlisted == ([], ["code-not-bound"]))
        }
    }

    @Test func `a userinfo endpoint that serves no profile is found, unless the entry does without it`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.fail(.userinfo, with: .status(404))
            let findings = try await fixture.oidc().checkConfiguration()
            let without = try await fixture.oidc(["userinfo": false]).checkConfiguration()

            #expect(findings.map(\.code) == ["userinfo-missing"] && without == [])
        }
    }

    @Test func `an outage and a key set without keys are found`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.keySetOverride = ["keys": []]
            let keys = try await fixture.oidc().checkConfiguration()
            fixture.issuer.fail(.discovery, with: .status(503))
            let outage = try await fixture.oidc().checkConfiguration()

            #expect(keys.map(\.code) == ["keys-unusable"])
            #expect(outage.map(\.code) == ["provider-unavailable"])
        }
    }
}
