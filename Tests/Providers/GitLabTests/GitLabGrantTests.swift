import Foundation
import GitLab
import ProviderKit
import ProviderSimulators
import Testing

@Suite("GitLab: grants and devices")
struct GitLabGrantTests {
    @Test func `refreshing gives new tokens and ends the old ones`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any GrantRefresh)
            let old = try #require(try await provider.verify(installation.code()).grant)
            let new = try await provider.refresh(old)

            #expect(new.accessToken != old.accessToken && new.refreshToken != old.refreshToken)
            #expect(new.scopes == old.scopes)
            #expect(installation.gitlab.isLive(token: new.accessToken))
            #expect(!installation.gitlab.isLive(token: old.accessToken))
            let error = await #expect(throws: ProviderError.self) { try await provider.refresh(old) }
            #expect(error?.fault == .credential && error?.step == .refresh)
        }
    }

    @Test func `a grant lasts two hours, and a refresh token used twice ends the whole family`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any GrantRefresh)
            let first = try #require(try await provider.verify(installation.code()).grant)
            let second = try await provider.refresh(first)
            let reused = await #expect(throws: ProviderError.self) { try await provider.refresh(first) }
            let newest = await #expect(throws: ProviderError.self) { try await provider.refresh(second) }

            for grant in [first, second] {
                let left = try #require(grant.expiresAt).timeIntervalSince(installation.gitlab.clock.now)
                #expect((7100...7200).contains(left))
            }
            #expect(reused?.fault == .credential && reused?.step == .refresh)
            #expect(newest?.fault == .credential && newest?.step == .refresh)
            #expect(!installation.gitlab.isLive(token: second.accessToken))
        }
    }

    @Test func `withdrawing ends both tokens, again and again`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any GrantRefresh & GrantRevocation)
            let grant = try #require(try await provider.verify(installation.code()).grant)
            try await provider.revoke(grant)
            try await provider.revoke(grant)

            let form = FormEncoding.decode(try #require(installation.gitlab.requests(.revoke).first).body) ?? []
            #expect(form.first { $0.name == "token_type_hint" }?.value == "refresh_token")
            #expect(!installation.gitlab.isLive(token: grant.accessToken))
            await #expect(throws: ProviderError.self) { try await provider.refresh(grant) }
        }
    }

    @Test func `a bare access token can be withdrawn`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any GrantRevocation)
            let token = try installation.accessToken()
            try await provider.revoke(UpstreamGrant(clientID: provider.clientID, accessToken: token))
            #expect(!installation.gitlab.isLive(token: token))
        }
    }

    @Test func `a withdrawal GitLab refuses to our client is the operator's to mend`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any GrantRevocation)
            let other = installation.gitlab.register(.init(name: "Other"))
            let token = installation.gitlab.accessToken(for: try installation.ada, application: other)
            let grant = UpstreamGrant(clientID: provider.clientID, accessToken: token)

            let error = await #expect(throws: ProviderError.self) { try await provider.revoke(grant) }
            #expect(error?.fault == .configuration && installation.gitlab.isLive(token: token))
        }
    }

    @Test(arguments: [true, false])
    func `a device is signed in by its code, with or without a refresh token`(withRefresh: Bool) async throws {
        try await Installation.running(.init(givesDevicesRefreshTokens: withRefresh)) { installation in
            let provider = try #require(installation.provider as? any DeviceSignIn)
            let ada = try installation.ada
            let device = try await provider.startDeviceAuthorization(scopes: [])
            #expect(device.userCode.utf8.count == 8)
            #expect(device.verificationURI == installation.gitlab.url + "/oauth/device")
            #expect(device.expiresIn == 300 && device.interval == 5)

            guard case .pending = try await provider.pollDeviceAuthorization(device.deviceCode) else {
                Issue.record("no decision yet")
                return
            }
            guard case .slowDown = try await provider.pollDeviceAuthorization(device.deviceCode) else {
                Issue.record("polled twice at once")
                return
            }
            installation.gitlab.approveDevice(userCode: device.userCode, for: ada)
            installation.gitlab.clock.advance(by: 11)
            guard case .granted(let identity) = try await provider.pollDeviceAuthorization(device.deviceCode) else {
                Issue.record("the person has agreed")
                return
            }
            #expect(identity.subject == String(ada.id))
            #expect((identity.grant?.refreshToken != nil) == withRefresh)
        }
    }

    @Test func `a device that is turned away or waits too long hears so`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any DeviceSignIn)
            let denied = try await provider.startDeviceAuthorization(scopes: [])
            installation.gitlab.denyDevice(userCode: denied.userCode)
            let refusal = await #expect(throws: ProviderError.self) {
                try await provider.pollDeviceAuthorization(denied.deviceCode)
            }
            #expect(refusal?.fault == .cancelled)

            let late = try await provider.startDeviceAuthorization(scopes: [])
            installation.gitlab.clock.advance(by: 301)
            let expiry = await #expect(throws: ProviderError.self) {
                try await provider.pollDeviceAuthorization(late.deviceCode)
            }
            #expect(expiry?.fault == .credential)
        }
    }
}
