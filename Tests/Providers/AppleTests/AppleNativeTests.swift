import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple: apps on devices")
struct AppleNativeTests {
    @Test func `a device's token has the subject, and the first-time profile the name`() async throws {
        try await AppleSimulator.running { apple in
            let ada = try apple.ada
            let provider = try apple.provider()

            let first = try await provider.verify(apple.native(ada))
            let second = try await provider.verify(apple.native(ada, rawNonce: "again"))

            #expect(first.subject == apple.subject(of: ada, for: apple.nativeApplication))
            #expect(first.email == .init("ada@example.com", isVerified: true))
            #expect(first.displayName == "Ada Example")
            #expect(first.givenName == "Ada" && first.familyName == "Example")
            #expect(first.profile["sub"]?.string == first.subject)
            #expect(first.profile["user"] == ["name": ["firstName": "Ada", "lastName": "Example"]])
            #expect(first.grant == nil)
            #expect(second.subject == first.subject && second.email == first.email)
            #expect(second.displayName == nil && second.givenName == nil && second.profile["user"] == nil)
        }
    }

    @Test func `an address that the client sends beside the token is ignored`() async throws {
        try await AppleSimulator.running { apple in
            let cleo = try #require(apple.person(givenName: "Cleo"))
            let native = apple.nativeCredential(for: cleo, application: apple.nativeApplication, rawNonce: "raw")
            let credential = Credential(
                .idToken(.init(token: native.idToken, rawNonce: "raw")),
                firstTimeProfile: .init(givenName: "", email: "ada@example.com"))

            let identity = try await apple.provider().verify(credential)

            #expect(identity.email == nil)
            #expect(identity.displayName == nil)
        }
    }

    @Test func `a code that came along is redeemed as the app the token is for, without redirect URI`() async throws {
        try await AppleSimulator.running { apple in
            let other = apple.register(AppleSimulator.Application(kind: .native))
            let apps = [apple.nativeApplication, other]
            let provider = try apple.provider(["clientIds": .array(apps.map { .string($0.clientID) })])

            for app in apps {
                let credential = apple.native(try apple.ada, sendsCode: true, application: app)
                let grant = try #require(try await provider.verify(credential).grant)
                let token = try #require(grant.refreshToken)
                let form = try #require(apple.forms(.token).last)
                #expect(grant.clientID == app.clientID && apple.isLive(token: token))
                #expect(form["client_id"] == app.clientID && form["redirect_uri"] == nil)
            }
        }
    }

    @Test func `a code of another user fails the sign-in`() async throws {
        try await AppleSimulator.running { apple in
            let ben = try #require(apple.person(givenName: "Ben"))
            let mine = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication, rawNonce: "raw")
            let other = apple.nativeCredential(for: ben, application: apple.nativeApplication, rawNonce: "raw")

            let error = try await apple.refusal(
                Credential(
                    .idToken(
                        .init(token: mine.idToken, rawNonce: "raw", authorizationCode: other.authorizationCode))))

            #expect(error.fault == .credential && error.step == .verifyIDToken)
        }
    }

    @Test func `a code of another request of the same user fails the sign-in`() async throws {
        try await AppleSimulator.running { apple in
            let (ada, app) = (try apple.ada, apple.nativeApplication)
            let mine = apple.nativeCredential(for: ada, application: app, rawNonce: "raw")
            let other = apple.nativeCredential(for: ada, application: app, rawNonce: "another")

            let error = try await apple.refusal(
                Credential(
                    .idToken(
                        .init(token: mine.idToken, rawNonce: "raw", authorizationCode: other.authorizationCode))))

            #expect(error.fault == .nonce && error.step == .verifyIDToken)
        }
    }

    @Test func `an access token beside the token has to be the one that at_hash binds`() async throws {
        try await AppleSimulator.running { apple in
            apple.forgery = .wrongAccessTokenHash
            let native = apple.nativeCredential(
                for: try apple.ada, application: apple.nativeApplication, rawNonce: "raw")

            let error = try await apple.refusal(
                Credential(.idToken(.init(token: native.idToken, rawNonce: "raw", accessToken: "another"))))
            let alone = try await apple.provider().verify(
                Credential(.idToken(.init(token: native.idToken, rawNonce: "raw"))))

            #expect(error.fault == .credential)
            #expect(alone.subject == apple.subject(of: try apple.ada, for: apple.nativeApplication))
        }
    }

    @Test func `an invalid code is a credential fault, an unavailable Apple an upstream fault`() async throws {
        try await AppleSimulator.running { apple in
            let used = apple.native(try apple.ada, sendsCode: true)
            _ = try await apple.provider().verify(used)
            let dead = try await apple.refusal(used)
            apple.fail(.token, with: .status(503))
            let silent = try await apple.refusal(apple.native(try apple.ada, sendsCode: true))

            #expect(dead.fault == .credential)
            #expect(silent.fault == .upstream)
        }
    }

    @Test func `the raw nonce is needed and has to be the token's`() async throws {
        try await AppleSimulator.running { apple in
            let token = apple.nativeCredential(
                for: try apple.ada, application: apple.nativeApplication, rawNonce: "raw"
            ).idToken
            let bare = apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication).idToken

            for (token, rawNonce) in [(token, nil), (token, "other"), (token, ""), (bare, "raw"), (bare, nil)] {
                let error = try await apple.refusal(Credential(.idToken(.init(token: token, rawNonce: rawNonce))))
                #expect(error.fault == .nonce, "\(rawNonce ?? "none")")
            }
            let hashed = AppleSimulator.hashed("raw")
            #expect(
                try await apple.refusal(Credential(.idToken(.init(token: token, rawNonce: hashed)))).fault == .nonce)
        }
    }

    @Test(arguments: AppleSimulator.BooleanStyle.allCases)
    func `a device that cannot carry a nonce says so`(style: AppleSimulator.BooleanStyle) async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.supportsNonce = false
            apple.behaviour.booleans = style

            let identity = try await apple.provider().verify(apple.native(try apple.ada))

            #expect(identity.subject == apple.subject(of: try apple.ada, for: apple.nativeApplication))
        }
    }

    @Test(arguments: IDTokenForgery.allCases.filter { $0 != .wrongAccessTokenHash })
    func `a forged token is refused`(forgery: IDTokenForgery) async throws {
        try await AppleSimulator.running { apple in
            apple.forgery = forgery

            let error = try await apple.refusal(apple.native(try apple.ada))

            #expect(error.fault == forgery.expectedFault)
            #expect(apple.hits(.token) == 0)
        }
    }

    @Test func `a token of another app of the team is accepted only when it is listed`() async throws {
        try await AppleSimulator.running { apple in
            let other = apple.register(.init(kind: .native))
            let credential = apple.native(try apple.ada, application: other)

            let error = try await apple.refusal(credential)
            let listed = try await apple.provider([
                "clientIds": [.string(apple.nativeApplication.clientID), .string(other.clientID)]
            ]).verify(credential)

            #expect(error.fault == .credential)
            #expect(listed.subject == apple.subject(of: try apple.ada, for: apple.nativeApplication))
        }
    }

    @Test func `a token older than an hour is refused, though Apple's lifetime is a day`() async throws {
        try await AppleSimulator.running { apple in
            let young = apple.native(try apple.ada)
            let old = apple.native(try apple.ada)
            apple.clock.advance(by: .seconds(3600))
            _ = try await apple.provider().verify(young)
            apple.clock.advance(by: .seconds(120))

            #expect(try await apple.refusal(old).fault == .credential)
        }
    }

    @Test func `the web site's tokens are accepted as well`() async throws {
        try await AppleSimulator.running { apple in
            let credential = apple.native(try apple.ada, application: apple.defaultApplication)

            let identity = try await apple.provider().verify(credential)

            #expect(identity.subject == apple.subject(of: try apple.ada, for: apple.nativeApplication))
        }
    }

    @Test func `keys are found by name, however they are shuffled and rotated`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try apple.provider()
            let before = apple.native(try apple.ada)
            apple.keys.rotate()

            _ = try await provider.verify(before)
            _ = try await provider.verify(apple.native(try apple.ada))
            apple.keys.retireEarlierKeys()

            #expect(try await apple.refusal(before).fault == .credential)
        }
    }
}
