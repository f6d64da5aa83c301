import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple: who it is")
struct AppleIdentityTests {
    @Test(arguments: AppleSimulator.BooleanStyle.allCases)
    func `Booleans are accepted in both forms`(style: AppleSimulator.BooleanStyle) async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.booleans = style
            apple.add(.init(givenName: "Dan", email: "dan@example.com", isEmailVerified: false))

            let ada = try await apple.provider().verify(apple.native(try apple.ada))
            let dan = try await apple.provider().verify(
                apple.native(try #require(apple.person(givenName: "Dan"))))

            // Absent means no.
            #expect(ada.email == .init("ada@example.com", isVerified: style != .absent))
            #expect(dan.email == .init("dan@example.com", isVerified: false))
        }
    }

    @Test(arguments: [JSONValue.string("True"), "TRUE", 1, "1", "yes", ["true"], .null])
    func `what merely looks true is not`(value: JSONValue) async throws {
        try await AppleSimulator.running { apple in
            apple.replaceClaim("email_verified", with: value)
            apple.replaceClaim("is_private_email", with: value)

            let identity = try await apple.provider().verify(apple.native(try apple.ada))

            #expect(identity.email == .init("ada@example.com", isVerified: false, isRelay: false))
        }
    }

    @Test(arguments: AppleSimulator.BooleanStyle.allCases)
    func `a relay address is marked, even when Apple does not say so`(
        style: AppleSimulator.BooleanStyle
    ) async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.booleans = style
            let ben = try #require(apple.person(givenName: "Ben"))

            let identity = try await apple.provider().verify(apple.native(ben))

            #expect(identity.email?.address == apple.relayAddress(of: ben, for: apple.nativeApplication))
            #expect(identity.email?.isRelay == true)
        }
    }

    @Test func `a relay address of another domain is marked when Apple says so`() async throws {
        try await AppleSimulator.running { apple in
            apple.replaceClaim("is_private_email", with: true)

            let identity = try await apple.provider().verify(apple.native(try apple.ada))

            #expect(identity.email == .init("ada@example.com", isVerified: true, isRelay: true))
        }
    }

    @Test(arguments: [nil, "", 7, ["ada@example.com"]] as [JSONValue?])
    func `a managed account has no address`(claim: JSONValue?) async throws {
        try await AppleSimulator.running { apple in
            apple.replaceClaim("email", with: claim)

            let identity = try await apple.provider().verify(apple.native(try apple.ada))

            #expect(identity.email == nil && !identity.subject.isEmpty)
        }
    }

    @Test func `a subject belongs to the team`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try apple.provider()

            #expect(provider.instance == "\(apple.url)/\(apple.teamID)")
            #expect(!provider.isPublicInstance)
            #expect(try apple.provider(["url": nil]).instance == "https://appleid.apple.com/\(apple.teamID)")
            #expect(try apple.provider(["url": "https://AppleID.apple.com:443/"]).isPublicInstance)
        }
    }

    @Test(arguments: [
        (AppleSimulator.Issuer.appleID, true), (.account, true), (.own, false),
    ])
    func `Apple itself has two names, a simulator its own`(issuer: AppleSimulator.Issuer, isApple: Bool) async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.issuer = issuer
            let real: JSONObject = ["url": nil]
            let simulated = JSONObject()

            let accepted = isApple ? real : simulated
            _ = try await apple.provider(accepted).verify(apple.native(try apple.ada))
            let code = try await apple.provider(accepted).verify(apple.code(try apple.ada))
            let error = try await apple.refusal(apple.native(try apple.ada), isApple ? simulated : real)

            #expect(error.fault == .credential)
            #expect(code.grant != nil)
        }
    }

    @Test func `a picture or a name in the token is ignored`() async throws {
        try await AppleSimulator.running { apple in
            apple.replaceClaim("name", with: "Eve")
            apple.replaceClaim("picture", with: "https://example.com/eve")

            let identity = try await apple.provider().verify(apple.native(try apple.ada))

            #expect(identity.displayName == "Ada Example" && identity.pictureURL == nil && identity.screenName == nil)
        }
    }
}
