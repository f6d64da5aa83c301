import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("1Pass")
struct OnePassSignInTests {
    @Test(arguments: [OnePassSimulator.Application.ClientType.confidential, .public])
    func `a code signs a user in, with the profile of userinfo`(
        type: OnePassSimulator.Application.ClientType
    ) async throws {
        try await OnePassFixture.running(type) { fixture in
            let ada = try fixture.person("ada")
            let identity = try await fixture.provider.verify(fixture.code(for: ada))
            let request = try #require(fixture.onePass.requests(.token).first)

            #expect(identity.subject == ada.subject && identity.merge == nil && !identity.isAnonymous)
            #expect(identity.email == .init("ada@example.com", isVerified: true))
            #expect(identity.displayName == "ada")
            #expect(identity.profile["full_name"] == "Ada Example" && identity.profile["nonce"] == "n")
            #expect(identity.grant?.clientID == fixture.application.clientID)
            #expect(identity.grant?.refreshToken != nil && identity.grant?.idToken != nil)
            #expect(identity.grant?.scopes == ["openid", "profile:basic", "email"])
            #expect(request.text.contains("client_secret") == (type == .confidential))
            #expect(request.text.contains("code_verifier"))
        }
    }

    @Test func `a code without verifier or redirect URI is not even tried`() async throws {
        try await OnePassFixture.running { fixture in
            for code in [
                Credential.AuthorizationCode(code: "c", redirectURI: OnePassFixture.redirectURI),
                .init(code: "c", redirectURI: nil, verifier: "v"),
            ] {
                #expect(await fixture.failure(.authorizationCode(code))?.fault == .credential)
            }
            #expect(fixture.onePass.hits(.token) == 0)
        }
    }

    @Test func `a user who denies openid has to sign in again`() async throws {
        try await OnePassFixture.running { fixture in
            let code = fixture.code(for: try fixture.person("ada"), scopes: ["email"])

            #expect(await fixture.failure(code.proof)?.fault == .credential)
        }
    }

    @Test func `the ID token behind a code is for the client that redeemed it, not for a further one`() async throws {
        try await OnePassFixture.running(options: ["additionalClientIds": ["native-app"]]) { fixture in
            fixture.onePass.replaceClaim("aud", with: "native-app")

            let error = await fixture.failure(fixture.code(for: try fixture.person("ada")).proof)

            #expect(error?.fault == .credential)
        }
    }

    @Test func `the ID token behind a code has to carry the nonce that was sent`() async throws {
        try await OnePassFixture.running { fixture in
            let ada = try fixture.person("ada")
            for nonce in ["other", nil] {
                let error = await #expect(throws: ProviderError.self) {
                    _ = try await fixture.provider.verify(fixture.code(for: ada, nonce: nonce))
                }
                #expect(error?.fault == .nonce)
            }
        }
    }

    @Test(arguments: IDTokenForgery.allCases)
    func `an ID token that is wrong in any way is refused, from a client and from the token endpoint`(
        forgery: IDTokenForgery
    ) async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.forgery = forgery
            let ada = try fixture.person("ada")
            let tokens = fixture.onePass.tokens(for: ada, application: fixture.phone, nonce: "n")
            let native = Credential.IDToken(
                token: tokens.idToken ?? "", rawNonce: "n", accessToken: tokens.accessToken)

            #expect(await fixture.failure(.idToken(native))?.fault == forgery.expectedFault)
            let error = await #expect(throws: ProviderError.self) {
                _ = try await fixture.provider.verify(fixture.code(for: ada))
            }
            #expect(error?.fault == forgery.expectedFault)
        }
    }

    @Test func `an ID token of any of the app's registrations is taken with its plain nonce`() async throws {
        try await OnePassFixture.running { fixture in
            let ada = try fixture.person("ada")
            for application in [fixture.application, fixture.phone] {
                let tokens = fixture.onePass.tokens(for: ada, application: application, nonce: "raw nonce")
                let identity = try await fixture.verify(
                    .idToken(
                        .init(token: tokens.idToken ?? "", rawNonce: "raw nonce", accessToken: tokens.accessToken)))

                #expect(identity.subject == ada.subject && identity.email?.isVerified == true)
                #expect(identity.grant?.clientID == application.clientID)
                #expect(identity.grant?.idToken == tokens.idToken)
            }
        }
    }

    @Test func `an ID token alone names a subject and nothing else`() async throws {
        try await OnePassFixture.running { fixture in
            let ada = try fixture.person("ada")
            let token = fixture.onePass.idToken(for: ada, application: fixture.phone, nonce: "n")
            let identity = try await fixture.verify(.idToken(.init(token: token, rawNonce: "n")))

            #expect(identity.subject == ada.subject)
            #expect(identity.email == nil && identity.displayName == nil && identity.grant == nil)
            #expect(fixture.onePass.hits(.userinfo) == 0)
        }
    }

    @Test func `an ID token without nonce, as a refresh brings one, is refused from a client`() async throws {
        try await OnePassFixture.running { fixture in
            let token = fixture.onePass.idToken(for: try fixture.person("ada"), application: fixture.phone)
            for nonce in [nil, "", "n"] {
                #expect(await fixture.failure(.idToken(.init(token: token, rawNonce: nonce)))?.fault == .nonce)
            }
        }
    }

    @Test(arguments: [(3500, true), (3700, false)])
    func `an ID token that a client presents is an hour old at most`(age: Int64, isTaken: Bool) async throws {
        try await OnePassFixture.running { fixture in
            let now = Int64(fixture.onePass.clock.now.timeIntervalSince1970)
            fixture.onePass.replaceClaim("iat", with: .integer(now - age))
            let token = fixture.onePass.idToken(
                for: try fixture.person("ada"), application: fixture.phone, nonce: "n")
            let identity = try? await fixture.verify(.idToken(.init(token: token, rawNonce: "n")))
            #expect((identity != nil) == isTaken)
        }
    }

    @Test func `an ID token and an access token of different users are refused`() async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.replaceClaim("at_hash", with: nil)
            let idToken = fixture.onePass.idToken(
                for: try fixture.person("ada"), application: fixture.phone, nonce: "n")
            let foreign = fixture.onePass.accessToken(for: try fixture.person("cleo"), application: fixture.phone)

            let error = await fixture.failure(
                .idToken(.init(token: idToken, rawNonce: "n", accessToken: foreign)))
            #expect(error?.fault == .credential)
        }
    }

    @Test func `a valid access token of any of the app's registrations is accepted`() async throws {
        try await OnePassFixture.running { fixture in
            let ada = try fixture.person("ada")
            for application in [fixture.application, fixture.phone] {
                let token = fixture.onePass.accessToken(for: ada, application: application)
                let identity = try await fixture.verify(.accessToken(token))
                #expect(identity.subject == ada.subject && identity.grant?.clientID == application.clientID)
                #expect(identity.grant?.expiresAt == fixture.onePass.clock.now.addingTimeInterval(900))
                #expect(identity.grant?.scopes == OnePassSimulator.usualScopes)

                fixture.onePass.revoke(token: token, of: application)
                #expect(await fixture.failure(.accessToken(token))?.fault == .credential)
            }
        }
    }

    @Test func `a code of the app's other registration is redeemed as that client, without our secret`() async throws {
        try await OnePassFixture.running { fixture in
            let verifier = UUID().uuidString + UUID().uuidString
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
            let code = fixture.onePass.authorizationCode(
                for: try fixture.person("ada"), application: fixture.phone, codeChallenge: challenge, nonce: "n")
            let identity = try await fixture.verify(
                .authorizationCode(
                    .init(
                        code: code, redirectURI: fixture.phone.redirectURIs[0], verifier: verifier, expectedNonce: "n",
                        clientID: fixture.phone.clientID)))

            #expect(identity.grant?.clientID == fixture.phone.clientID)
            #expect(fixture.onePass.requests(.token).allSatisfy { !$0.text.contains("client_secret") })
        }
    }

    @Test func `an access token of another application is refused before it is used`() async throws {
        try await OnePassFixture.running { fixture in
            let stranger = fixture.onePass.register(.init())
            let token = fixture.onePass.accessToken(for: try fixture.person("ada"), application: stranger)

            #expect(await fixture.failure(.accessToken(token))?.fault == .credential)
            #expect(fixture.onePass.hits(.userinfo) == 0)
        }
    }

    @Test(arguments: [
        IDTokenForgery.foreignKey, .noneAlgorithm, .symmetricAlgorithm, .wrongIssuer, .wrongAudience, .emptyAudience,
        .expired, .brokenSignature, .embeddedKey, .duplicateSubject, .anotherType,
    ])
    func `an access token that is wrong is refused, whatever userinfo would say`(
        forgery: IDTokenForgery
    ) async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.accessTokenForgery = forgery
            let token = fixture.onePass.accessToken(for: try fixture.person("ada"), application: fixture.application)

            #expect(fixture.onePass.isLive(token: token))
            #expect(await fixture.failure(.accessToken(token))?.fault == .credential)
        }
    }

    @Test func `access tokens may say that they are access tokens`() async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.behaviour.accessTokenType = "at+jwt"
            let ada = try fixture.person("ada")
            let token = fixture.onePass.accessToken(for: ada, application: fixture.application)

            #expect(try await fixture.verify(.accessToken(token)).subject == ada.subject)
            let error = await fixture.failure(.idToken(.init(token: token, rawNonce: "n")))
            #expect(error != nil)
        }
    }

    @Test func `an ID token is no access token`() async throws {
        try await OnePassFixture.running { fixture in
            let token = fixture.onePass.idToken(for: try fixture.person("ada"), application: fixture.application)
            #expect(await fixture.failure(.accessToken(token))?.fault == .credential)
        }
    }

    @Test func `keys of other types are passed over and rotated ones found`() async throws {
        try await OnePassFixture.running { fixture in
            let ada = try fixture.person("ada")
            let old = fixture.onePass.accessToken(for: ada, application: fixture.application)
            fixture.onePass.rotateKeys()
            fixture.onePass.keys.publish(["kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "0123456789abcdef"])
            let new = fixture.onePass.accessToken(for: ada, application: fixture.application)

            #expect(try await fixture.verify(.accessToken(old)).subject == ada.subject)
            #expect(try await fixture.verify(.accessToken(new)).subject == ada.subject)
        }
    }

    @Test func `userinfo is found where discovery has it, or at its usual place`() async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.behaviour.namesUserinfoEndpoint = false
            let ada = try await fixture.signIn(fixture.person("ada"))
            #expect(ada.email?.isVerified == true)
            #expect(fixture.onePass.requests(.userinfo).map(\.path) == ["/oauth/userinfo"])
        }
    }

    @Test func `a userinfo that is not there is the operator's concern`() async throws {
        try await OnePassFixture.running { fixture in
            fixture.onePass.fail(.userinfo, with: .status(404))
            let token = fixture.onePass.accessToken(for: try fixture.person("ada"), application: fixture.application)
            #expect(await fixture.failure(.accessToken(token))?.fault == .configuration)
            #expect(fixture.onePass.hits(.userinfo) == 1)
        }
    }

    @Test func `an issuer that is no address has to be configured`() async throws {
        try await OnePassFixture.running(options: ["issuer": "logi"], issuer: "logi") { fixture in
            let ada = try fixture.person("ada")
            #expect(try await fixture.signIn(ada).subject == ada.subject)
            #expect(fixture.provider.instance == fixture.onePass.url)

            let unaware = try OnePassFixture.provider(fixture.onePass, fixture.application)
            let token = fixture.onePass.accessToken(for: ada, application: fixture.application)
            let error = await #expect(throws: ProviderError.self) {
                _ = try await unaware.verify(Credential(.accessToken(token)))
            }
            #expect(error?.fault == .configuration && error?.step == .discover)
        }
    }
}
