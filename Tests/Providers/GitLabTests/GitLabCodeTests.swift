import Foundation
import GitLab
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("GitLab: signing in by the browser")
struct GitLabCodeTests {
    @Test func `a code returns the user's number, name, picture and confirmed address`() async throws {
        try await Installation.running { installation in
            let ada = try installation.ada
            let identity = try await installation.provider.verify(installation.code())

            #expect(identity.subject == String(ada.id))
            #expect(identity.email == .init("ada@example.com", isVerified: true))
            #expect(identity.displayName == "Ada Example" && identity.screenName == "ada")
            #expect(identity.pictureURL == "\(installation.gitlab.url)/uploads/user/avatar/\(ada.id)")
            #expect(identity.profile.object?["web_url"] == .string(installation.gitlab.url + "/ada"))
            let grant = try #require(identity.grant)
            #expect(grant.scopes == ["openid", "profile", "email", "read_user"])
            #expect(grant.refreshToken != nil && grant.idToken != nil)
            #expect(installation.gitlab.isLive(token: grant.accessToken))
            let left = try #require(grant.expiresAt).timeIntervalSince(installation.gitlab.clock.now)
            #expect((7100...7200).contains(left))
        }
    }

    @Test func `an application that is not confidential signs users in with PKCE alone`() async throws {
        let application = GitLabSimulator.Application(isConfidential: false)
        try await Installation.running(.init(application: application), withSecret: false) { installation in
            let ada = try installation.ada
            let identity = try await installation.provider.verify(installation.code())

            #expect(identity.subject == String(ada.id))
            #expect(installation.gitlab.requests(.token).allSatisfy { !$0.text.contains("client_secret") })
        }
    }

    @Test func `the address to send the browser to names scopes, challenge and nonce`() async throws {
        try await Installation.running { installation in
            let provider = try #require(installation.provider as? any RedirectSignIn)
            let address = try await provider.authorizationURL(
                for: SignInAttempt(
                    state: "s", redirectURI: Installation.redirectURI, codeChallenge: "c", nonce: "n"))
            let query = URLComponents(string: address)?.queryItems ?? []

            #expect(address.hasPrefix(installation.gitlab.url + "/oauth/authorize?"))
            #expect(query.first { $0.name == "scope" }?.value == "openid read_user")
            #expect(query.first { $0.name == "code_challenge_method" }?.value == "S256")
            #expect(query.first { $0.name == "nonce" }?.value == "n")
            #expect(provider.authorizationResponseIssuer == installation.gitlab.url)
        }
    }

    @Test func `a code is single-use`() async throws {
        try await Installation.running { installation in
            let code = try installation.code()
            let identity = try await installation.provider.verify(code)

            #expect(await installation.refusal(of: code)?.fault == .credential)
            #expect(!installation.gitlab.isLive(token: try #require(identity.grant).accessToken))
        }
    }

    @Test func `a code without its verifier is refused as the client's mistake`() async throws {
        try await Installation.running { installation in
            guard case .authorizationCode(let code) = try installation.code().proof else { return }
            for verifier in [nil, "another-verifier"] {
                let stolen = Credential(
                    .authorizationCode(.init(code: code.code, redirectURI: code.redirectURI, verifier: verifier)))
                #expect(await installation.refusal(of: stolen)?.fault == .credential)
            }
        }
    }

    @Test func `an ID token with another nonce than the attempt's is refused`() async throws {
        try await Installation.running { installation in
            for code in [try installation.code(nonce: "nonce-of-somebody-else"), try installation.code(nonce: nil)] {
                #expect(await installation.refusal(of: code)?.fault == .nonce)
            }
            #expect(installation.gitlab.hits(.user) == 0)
        }
    }

    @Test(arguments: IDTokenForgery.allCases)
    func `a forged ID token beside valid tokens is refused before any request`(
        forgery: IDTokenForgery
    ) async throws {
        try await Installation.running { installation in
            installation.gitlab.forgery = forgery
            let error = await installation.refusal(of: try installation.code())

            #expect(error?.fault == forgery.expectedFault)
            #expect(installation.gitlab.hits(.user) == 0)
        }
    }

    @Test func `tokens without the ID token that was asked for are refused`() async throws {
        try await Installation.running { installation in
            let code = try installation.code(scopes: ["read_user"])
            #expect(await installation.refusal(of: code)?.fault == .upstream)
        }
    }

    @Test func `without an ID token the user comes from the API`() async throws {
        try await Installation.running(options: ["scopes": ["read_user"]]) { installation in
            let ada = try installation.ada
            let code = try installation.code(nonce: nil, expectedNonce: nil, scopes: ["read_user"])
            let identity = try await installation.provider.verify(code)

            #expect(identity.subject == String(ada.id) && identity.grant?.idToken == nil)
            #expect(installation.gitlab.hits(.keys) == 0 && installation.gitlab.hits(.userinfo) == 0)
            // Nothing of it is left for the next user.
            let other = try #require(installation.gitlab.people().first { $0.id != ada.id })
            let next = try await installation.provider.verify(
                installation.code(of: other, nonce: nil, expectedNonce: nil, scopes: ["read_user"]))
            #expect(next.subject == String(other.id))
        }
    }

    @Test func `an ID token and a profile of different users are refused`() async throws {
        try await Installation.running { installation in
            installation.gitlab.replaceClaim("sub", with: "41")
            let code = try installation.code()
            #expect(await installation.refusal(of: code)?.fault == .credential)
        }
    }

    @Test func `a wrong secret is the operator's to mend`() async throws {
        try await Installation.running(options: ["clientSecret": "gloas-wrong"]) { installation in
            let code = try installation.code()
            #expect(await installation.refusal(of: code)?.fault == .configuration)
        }
    }

    @Test func `keys may change between two sign-ins`() async throws {
        try await Installation.running { installation in
            _ = try await installation.provider.verify(installation.code())
            installation.gitlab.keys.rotate()
            installation.gitlab.keys.retireEarlierKeys()
            let identity = try await installation.provider.verify(installation.code())
            #expect(identity.email?.isVerified == true)
        }
    }
}
