import Foundation
import GitLab
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("GitLab: ID tokens of native apps")
struct GitLabIDTokenTests {
    private static func credential(
        _ token: String, nonce: String? = "raw-nonce", accessToken: String? = nil
    ) -> Credential {
        Credential(.idToken(.init(token: token, rawNonce: nonce, accessToken: accessToken)))
    }

    @Test func `a token for our application returns its user, with the app's raw nonce`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let token = try installation.idToken()
            let identity = try await installation.provider.verify(Self.credential(token))

            #expect(identity.subject == String(ada.id))
            #expect(identity.email == .init("ada@example.com", isVerified: true))
            #expect(identity.profile.object?["groups_direct"] == ["examples/analytical-engines"])
            #expect(identity.grant == nil)
        }
    }

    @Test func `another nonce, and none where the token has one, are refused`() async throws {
        try await Installation.running { installation in
            let token = try installation.idToken()
            for nonce in ["another", nil] {
                #expect(await installation.refusal(of: Self.credential(token, nonce: nonce))?.fault == .nonce)
            }
        }
    }

    @Test func `a token is valid for two minutes, with a minute's clock tolerance`() async throws {
        try await Installation.running(.init(clock: .stopped(at: Date(timeIntervalSince1970: 1_800_000_000)))) {
            installation in
            let gitlab = installation.gitlab
            let token = try installation.idToken()
            gitlab.clock.advance(by: 179)
            #expect(await installation.refusal(of: Self.credential(token)) == nil)
            gitlab.clock.advance(by: 1)
            #expect(await installation.refusal(of: Self.credential(token))?.fault == .credential)
        }
    }

    @Test func `the age of a token with a longer lifetime is checked as well`() async throws {
        try await Installation.running(.init(clock: .stopped(at: Date(timeIntervalSince1970: 1_800_000_000)))) {
            installation in
            let gitlab = installation.gitlab
            gitlab.replaceClaim("exp", with: 1_800_086_400)
            let token = try installation.idToken()
            gitlab.clock.advance(by: 181)
            #expect(await installation.refusal(of: Self.credential(token))?.fault == .credential)
        }
    }

    @Test func `a CI job's token is refused, even one its author made out to our application`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let own = installation.gitlab.jobToken(audience: installation.gitlab.url, startedBy: ada)
            let ours = installation.gitlab.jobToken(audience: installation.application.clientID, startedBy: ada)

            for token in [own, ours] {
                let error = await installation.refusal(of: Self.credential(token, nonce: nil))
                #expect(error?.fault == .credential && error?.step == .verifyIDToken)
            }
        }
    }

    @Test(arguments: ["project_path:a/b", "42 ", "042", "-42", "4.2e1", "0", "99999999999999999999", "４２"])
    func `a subject that is not a user's number is refused`(subject: String) async throws {
        try await Installation.running { installation in
            installation.gitlab.replaceClaim("sub", with: .string(subject))
            let token = try installation.idToken()
            #expect(await installation.refusal(of: Self.credential(token))?.fault == .credential)
        }
    }

    @Test(arguments: IDTokenForgery.allCases.filter { $0 != .wrongAccessTokenHash })
    func `a forged token is refused`(forgery: IDTokenForgery) async throws {
        try await Installation.running { installation in
            installation.gitlab.forgery = forgery
            let token = try installation.idToken()
            #expect(await installation.refusal(of: Self.credential(token))?.fault == forgery.expectedFault)
        }
    }

    @Test func `an address without GitLab's confirmation is unverified`() async throws {
        try await Installation.running { installation in
            installation.gitlab.replaceClaim("email_verified", with: nil)
            let token = try installation.idToken()
            let identity = try await installation.provider.verify(Self.credential(token))
            #expect(identity.email == .init("ada@example.com", isVerified: false))
        }
    }

    @Test func `an access token beside it adds the profile and the account's state`() async throws {
        try await Installation.running { installation in
            let gitlab = installation.gitlab
            let ada = try installation.ada
            let token = try installation.idToken()
            let access = gitlab.accessToken(for: ada, application: installation.application)
            let credential = Self.credential(token, accessToken: access)

            let identity = try await installation.provider.verify(credential)
            #expect(identity.screenName == "ada" && identity.grant?.accessToken == access)

            gitlab.update(personID: ada.id) { $0.isLocked = true }
            #expect(await installation.refusal(of: credential)?.fault == .credential)
        }
    }

    @Test func `another user's access token beside it is refused, and so is another application's`() async throws {
        try await Installation.running { installation in
            let gitlab = installation.gitlab
            let ada = try installation.ada
            let ben = try #require(gitlab.person(username: "ben"))
            let other = gitlab.register(.init(name: "Other"))
            let token = try installation.idToken()

            for access in [
                gitlab.accessToken(for: ben, application: installation.application),
                gitlab.accessToken(for: ada, application: other),
            ] {
                let credential = Self.credential(token, accessToken: access)
                #expect(await installation.refusal(of: credential)?.fault == .credential)
            }
        }
    }
}
