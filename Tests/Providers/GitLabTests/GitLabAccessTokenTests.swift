import Foundation
import GitLab
import ProviderKit
import ProviderSimulators
import Testing

@Suite("GitLab: access tokens apps hold already")
struct GitLabAccessTokenTests {
    @Test func `a token of our application returns its user`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let token = installation.gitlab.accessToken(for: ada, application: installation.application)
            let identity = try await installation.provider.verify(Credential(.accessToken(token)))

            #expect(identity.subject == String(ada.id))
            #expect(identity.email == .init("ada@example.com", isVerified: true))
            #expect(identity.grant?.accessToken == token && identity.grant?.scopes.contains("read_user") == true)
            #expect(identity.grant?.expiresAt != nil)
        }
    }

    @Test func `a token of another application is refused before the profile is asked for`() async throws {
        try await Installation.running { installation in
            let other = installation.gitlab.register(.init(name: "Other"))
            let token = installation.gitlab.accessToken(for: try installation.ada, application: other)

            #expect(await installation.refusal(of: Credential(.accessToken(token)))?.fault == .credential)
            #expect(installation.gitlab.hits(.user) == 0 && installation.gitlab.hits(.userinfo) == 0)
        }
    }

    @Test func `a personal access token, which no application holds, is refused`() async throws {
        try await Installation.running { installation in
            let token = installation.gitlab.personalAccessToken(for: try installation.ada)
            #expect(await installation.refusal(of: Credential(.accessToken(token)))?.fault == .credential)
            #expect(installation.gitlab.hits(.user) == 0)
        }
    }

    @Test(arguments: [false, true])
    func `an invalid token is refused with every status`(isDoorkeeper: Bool) async throws {
        try await Installation.running(.init(answersTokenInfoLikeDoorkeeper: isDoorkeeper)) { installation in
            let gitlab = installation.gitlab
            let ada = try installation.ada
            let revoked = gitlab.accessToken(for: ada, application: installation.application)
            gitlab.revoke(token: revoked)
            #expect(await installation.refusal(of: Credential(.accessToken(revoked)))?.fault == .credential)

            let old = gitlab.accessToken(for: ada, application: installation.application)
            gitlab.clock.advance(by: 7201)
            #expect(await installation.refusal(of: Credential(.accessToken(old)))?.fault == .credential)
            #expect(await installation.refusal(of: Credential(.accessToken("made-up")))?.fault == .credential)
        }
    }

    @Test func `a token whose info and profile have different users is refused`() async throws {
        try await Installation.running { installation in
            let token = try installation.accessToken()
            let uid = installation.application.clientID
            let info = #"{"resource_owner_id":41,"scope":["read_user"],"application":{"uid":"\#(uid)"}}"#
            installation.gitlab.fail(.tokenInfo, with: .status(200, body: info, contentType: "application/json"))

            let error = await installation.refusal(of: Credential(.accessToken(token)))
            #expect(error?.fault == .credential && error?.step == .fetchProfile)
        }
    }

    @Test(arguments: [#"{"uid":null}"#, "null", #"{}"#])
    func `a token info that names no application is refused`(application: String) async throws {
        try await Installation.running { installation in
            let token = try installation.accessToken()
            let info = #"{"resource_owner_id":1,"scope":["read_user"],"application":\#(application)}"#
            installation.gitlab.fail(.tokenInfo, with: .status(200, body: info, contentType: "application/json"))
            #expect(await installation.refusal(of: Credential(.accessToken(token)))?.fault == .credential)
        }
    }

    @Test func `a token for OpenID Connect alone is read at userinfo`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let token = installation.gitlab.accessToken(
                for: ada, application: installation.application, scopes: ["openid", "email"])
            let identity = try await installation.provider.verify(Credential(.accessToken(token)))

            #expect(identity.subject == String(ada.id) && identity.screenName == "ada")
            #expect(identity.email == .init("ada@example.com", isVerified: true))
            #expect(identity.grant?.accessToken == token && identity.grant?.scopes == ["openid", "email"])
            #expect(installation.gitlab.hits(.user) == 0)
        }
    }

    @Test func `the address on the public profile is not used`() async throws {
        try await Installation.running { installation in
            let token = try installation.accessToken(scopes: ["openid"])
            let identity = try await installation.provider.verify(Credential(.accessToken(token)))

            #expect(identity.profile.object?["email"] == "ada@example.com")
            #expect(identity.email == nil)
        }
    }

    @Test func `a token without a scope for the user is refused`() async throws {
        let application = GitLabSimulator.Application(scopes: ["email"])
        try await Installation.running(.init(application: application)) { installation in
            let token = installation.gitlab.accessToken(for: try installation.ada, application: application)
            #expect(await installation.refusal(of: Credential(.accessToken(token)))?.fault == .credential)
        }
    }
}
