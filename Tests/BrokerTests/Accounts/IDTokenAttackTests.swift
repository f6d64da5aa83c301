import Broker
import Crypto
import Foundation
import OAuth
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("attacks with ID tokens")
struct IDTokenAttackTests {
    @Test(arguments: ["apple.com", "gitlab.com", "1pass.dev"])
    func `no forged ID token signs a user in or ends the process`(provider: String) async throws {
        try await TestProviders.run { broker, providers in
            for forgery in IDTokenForgery.allCases {
                let credential = try providers.idTokenCredential(at: provider, forging: forgery)
                // The hash of an access token is checked only where one comes along.
                guard forgery != .wrongAccessTokenHash else { continue }

                let answer = try await broker.signIn(postBody: credential)

                let expected =
                    forgery.expectedFault == .nonce ? "MISSING_OR_INVALID_NONCE" : "INVALID_IDP_RESPONSE"
                #expect(answer.status == 400 && answer.code == expected, "\(forgery): \(answer.text)")
                #expect(!answer.text.contains(credential[0].1.suffix(40)), "\(forgery) is repeated")
            }
            let honest = try await broker.signIn(
                postBody: providers.idTokenCredential(at: provider, forging: nil))
            #expect(honest.status == 200, "\(honest.text)")
        }
    }

    @Test func `an attacker's own issuer is not trusted for Apple's users`() async throws {
        try await TestProviders.run { broker, providers in
            let victim = try providers.person(at: "apple.com", email: "ann@example.com")
            let session = try await broker.signIn(victim)
            let nonce = RandomText.alphanumeric(32)
            let issued = Int64(providers.clock.now.timeIntervalSince1970)
            let keys = IssuerKeys()
            for issuer in [providers.apple.url, "https://attacker.example", "https://appleid.apple.com"] {
                let token = keys.token(
                    [
                        "iss": .string(issuer), "sub": .string(victim.subject), "iat": .integer(issued),
                        "aud": .string(providers.apple.nativeApplication.clientID), "exp": .integer(issued + 600),
                        "nonce": .string(Self.hash(nonce)), "email": "ann@example.com", "email_verified": true,
                    ], now: providers.clock.now)

                let answer = try await broker.signIn(
                    postBody: [("id_token", token), ("nonce", nonce), ("providerId", "apple.com")])

                #expect(answer.code == "INVALID_IDP_RESPONSE", "\(issuer)")
            }
            #expect(try await broker.lookup(session.string("idToken")).status == 200)
        }
    }

    @Test func `a token of one provider is none of another's`() async throws {
        try await TestProviders.run { broker, providers in
            for from in ["apple.com", "gitlab.com", "1pass.dev"] {
                for to in TestProviders.ids where to != from {
                    var credential = try providers.idTokenCredential(at: from, forging: nil)
                    credential.removeAll { $0.0 == "providerId" }
                    credential.append(("providerId", to))

                    #expect(
                        try await broker.signIn(postBody: credential).code == "INVALID_IDP_RESPONSE", "\(from) as \(to)"
                    )
                }
            }
        }
    }

    @Test func `a notification from Apple about a user is not a sign-in`() async throws {
        try await TestProviders.run { broker, providers in
            let apple = providers.apple
            let person = apple.people()[0]
            _ = apple.nativeCredential(for: person, application: apple.nativeApplication)
            let news = apple.notification(.consentRevoked, about: person, application: apple.nativeApplication)

            let answer = try await broker.signIn(
                postBody: [("id_token", news.payload), ("nonce", "n"), ("providerId", "apple.com")])

            #expect(answer.status == 400 && answer["localId"] == nil)
        }
    }

    // The author of a job writes its audience; only the subject tells that it is no user.
    @Test func `a CI job's token, signed by GitLab itself, signs no user in`() async throws {
        try await TestProviders.run { broker, providers in
            let person = providers.gitLab.people()[0]
            for audience in ["https://vault.example", providers.gitLab.defaultApplication.clientID] {
                let token = providers.gitLab.jobToken(audience: audience, startedBy: person)

                let answer = try await broker.signIn(postBody: [("id_token", token), ("providerId", "gitlab.com")])

                #expect(answer.code == "INVALID_IDP_RESPONSE", "made out to \(audience)")
            }
        }
    }

    @Test(arguments: [nil, "", "another"])
    func `a nonce that is missing or another one has a code of its own`(nonce: String?) async throws {
        try await TestProviders.run { broker, providers in
            var credential = try providers.idTokenCredential(at: "apple.com", forging: nil)
            credential.removeAll { $0.0 == "nonce" }
            if let nonce { credential.append(("nonce", nonce)) }

            #expect(try await broker.signIn(postBody: credential).code == "MISSING_OR_INVALID_NONCE")
        }
    }

    private static func hash(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}

extension TestProviders {
    /// What a native app would send for a new sign-in of a provider's first person, the token first.
    func idTokenCredential(at provider: String, forging forgery: IDTokenForgery?) throws -> [(String, String)] {
        let nonce = RandomText.alphanumeric(32)
        let token: String
        switch provider {
        case "apple.com":
            apple.forgery = forgery
            defer { apple.forgery = nil }
            token =
                apple.nativeCredential(
                    for: apple.people()[0], application: apple.nativeApplication, rawNonce: nonce
                ).idToken
        case "gitlab.com":
            gitLab.forgery = forgery
            defer { gitLab.forgery = nil }
            token = gitLab.idToken(for: gitLab.people()[0], application: gitLab.defaultApplication, nonce: nonce)
        case "1pass.dev":
            onePass.forgery = forgery
            defer { onePass.forgery = nil }
            token = onePass.idToken(for: onePass.people()[0], application: onePass.defaultApplication, nonce: nonce)
        default: throw TestFailure("\(provider) has no ID tokens")
        }
        return [("id_token", token), ("nonce", nonce), ("providerId", provider)]
    }
}
