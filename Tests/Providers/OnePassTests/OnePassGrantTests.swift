import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("1Pass: grants and devices")
struct OnePassGrantTests {
    private func grant(_ fixture: OnePassFixture) async throws -> UpstreamGrant {
        try #require(try await fixture.provider.verify(fixture.code(for: fixture.person("ada"))).grant)
    }

    @Test(arguments: [OnePassSimulator.Application.ClientType.confidential, .public])
    func `a refresh returns new tokens, and the old ones are consumed`(
        type: OnePassSimulator.Application.ClientType
    ) async throws {
        try await OnePassFixture.running(type) { fixture in
            let provider = try #require(fixture.provider as? any GrantRefresh)
            let old = try await grant(fixture)
            let new = try await provider.refresh(old)

            #expect(new.refreshToken != old.refreshToken && new.accessToken != old.accessToken)
            #expect(old.idToken != nil && new.idToken == nil)
            #expect(!old.scopes.isEmpty && new.scopes == old.scopes)
            #expect(fixture.onePass.isLive(token: new.accessToken))
            let error = await #expect(throws: ProviderError.self) { _ = try await provider.refresh(old) }
            #expect(error?.fault == .credential)
        }
    }

    @Test func `a refresh token that does not rotate stays in the grant`() async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.behaviour.rotatesRefreshTokens = false
            fixture.onePass.behaviour.refreshesIDTokens = false
            let provider = try #require(fixture.provider as? any GrantRefresh)
            let old = try await grant(fixture)
            let new = try await provider.refresh(old)

            #expect(new.refreshToken == old.refreshToken && new.idToken == nil)
        }
    }

    @Test func `after a merge the absorbed account's refresh token is invalid`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any GrantRefresh)
            let old = try await grant(fixture)
            try await fixture.onePass.merge(fixture.person("ada"), into: fixture.person("cleo"))
            let error = await #expect(throws: ProviderError.self) { _ = try await provider.refresh(old) }
            #expect(error?.fault == .credential)
        }
    }

    @Test func `withdrawing ends the tokens, and once more is a success`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any GrantRevocation)
            let grant = try await grant(fixture)
            try await provider.revoke(grant)
            try await provider.revoke(grant)

            #expect(!fixture.onePass.isLive(token: grant.accessToken))
            let first = try #require(fixture.onePass.requests(.revoke).first)
            #expect(first.text.contains("token_type_hint=refresh_token"))
        }
    }

    @Test func `a token of the app's other registration is withdrawn in its name`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any GrantRevocation)
            let token = fixture.onePass.accessToken(for: try fixture.person("ada"), application: fixture.phone)
            let grant = try #require(try await fixture.verify(.accessToken(token)).grant)
            try await provider.revoke(grant)

            #expect(!fixture.onePass.isLive(token: token))
            #expect(fixture.onePass.requests(.revoke).allSatisfy { !$0.text.contains("client_secret") })
        }
    }

    @Test func `no client but the main one gets the secret, however its id is written`() async throws {
        try await OnePassFixture.running { fixture in
            let main = fixture.application.clientID
            let others = [main.uppercased(), main + "2", String(main.dropLast())]
            let provider = try OnePassFixture.provider(
                fixture.onePass, fixture.application,
                additional: others.map { .init(clientID: $0, type: .public) })
            for clientID in others {
                _ = try? await (provider as? any GrantRevocation)?.revoke(
                    UpstreamGrant(clientID: clientID, accessToken: "a"))
            }

            #expect(fixture.onePass.requests(.revoke).count == others.count)
            #expect(fixture.onePass.requests(.revoke).allSatisfy { !$0.text.contains("client_secret") })
        }
    }

    @Test func `a refreshed grant tells the present user, each time`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any IdentityRefresh)
            for person in [try fixture.person("ada"), try fixture.person("cleo")] {
                let grant = UpstreamGrant(
                    clientID: fixture.application.clientID,
                    accessToken: fixture.onePass.accessToken(for: person, application: fixture.application))
                #expect(try await provider.identity(behind: grant).subject == person.subject)
            }
        }
    }

    @Test func `the device flow waits, slows down and returns a user`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any DeviceSignIn)
            let started = try await provider.startDeviceAuthorization(scopes: ["openid", "identity:level"])
            guard case .pending = try await provider.pollDeviceAuthorization(started.deviceCode) else {
                Issue.record("not pending")
                return
            }
            guard case .slowDown = try await provider.pollDeviceAuthorization(started.deviceCode) else {
                Issue.record("not slowed down")
                return
            }
            fixture.onePass.approveDevice(userCode: started.userCode, for: try fixture.person("ada"))
            fixture.onePass.clock.advance(by: 10)
            guard case .granted(let identity) = try await provider.pollDeviceAuthorization(started.deviceCode) else {
                Issue.record("not granted")
                return
            }

            #expect(started.interval == 5 && started.verificationURI.hasPrefix(fixture.onePass.url))
            let ada = try fixture.person("ada")
            #expect(identity.subject == ada.subject && identity.grant?.refreshToken != nil)
            #expect(identity.grant?.scopes == ["openid", "profile:basic", "email", "identity:level"])
        }
    }

    @Test func `a denied or expired device code is an error`() async throws {
        try await OnePassFixture.running { fixture in
            let provider = try #require(fixture.provider as? any DeviceSignIn)
            func fault(_ deviceCode: String) async -> ProviderError.Fault? {
                await #expect(throws: ProviderError.self) {
                    _ = try await provider.pollDeviceAuthorization(deviceCode)
                }?.fault
            }
            let denied = try await provider.startDeviceAuthorization(scopes: [])
            fixture.onePass.denyDevice(userCode: denied.userCode)
            let late = try await provider.startDeviceAuthorization(scopes: [])

            #expect(await fault(denied.deviceCode) == .cancelled)
            fixture.onePass.clock.advance(by: 900)
            #expect(await fault(late.deviceCode) == .credential)
            #expect(await fault("unknown") == .credential)
        }
    }
}
