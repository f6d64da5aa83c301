import Broker
import Crypto
import Foundation
import Generic
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

/// The rows of the contract's table (§9.2) whose credential is an ID token.
@Suite("what an unmodified client SDK sends with an ID token")
struct SDKIDTokenReplayTests {
    @Test func `signInWithCredential, apple.com with idToken and rawNonce`() async throws {
        try await TestProviders.run { broker, providers in
            let sdk = ClientSDK(broker: broker)
            let person = providers.apple.people()[0]
            func call(_ fields: String = "") async throws -> Answer {
                let nonce = RandomText.alphanumeric(32)
                let token = providers.apple.nativeCredential(
                    for: person, application: providers.apple.nativeApplication, rawNonce: nonce
                ).idToken
                return try await sdk.signInWithIdp(
                    postBody: "&id_token=\(token)&providerId=apple.com&nonce=\(nonce)", fields: fields)
            }

            let user = try await sdk.user(call())
            let again = try await sdk.user(call(#","autoCreate":false"#))
            let linked = try await call(#","idToken":"\#(user.credential.string("idToken"))""#)

            #expect(user.isNew && !again.isNew && again.localID == user.localID)
            #expect(user.credential["providerId"] == "apple.com")
            #expect(try !user.credential.string("oauthIdToken").isEmpty)
            #expect(
                user.credential["federatedId"]?.string
                    == providers.apple.subject(
                        of: person, for: providers.apple.nativeApplication))
            #expect(user.claims["firebase"]?["sign_in_provider"] == "apple.com")
            #expect(linked.code == "FEDERATED_USER_ID_ALREADY_LINKED")
        }
    }

    @Test func `signInWithCredential, apple.com with a pending token after needConfirmation`() async throws {
        try await TestProviders.run { broker, providers in
            let sdk = ClientSDK(broker: broker)
            let holder = try await broker.signIn(providers.person(at: "github.com", email: "ada@example.com"))
            let credential = try providers.idTokenCredential(at: "apple.com", forging: nil)
            let taken = try await sdk.signInWithIdp(
                postBody: "&id_token=\(credential[0].1)&providerId=apple.com&nonce=\(credential[1].1)")

            // The SDK keeps the pending token only beside a token of the provider.
            let pending = try taken.string("pendingToken")
            #expect(taken["needConfirmation"] == true)
            #expect(try !taken.string("oauthIdToken").isEmpty)
            let linked = try await sdk.user(
                sdk.call(
                    "signInWithIdp",
                    #"{"requestUri":"http://localhost","returnSecureToken":true,"pendingToken":"\#(pending)","#
                        + #""idToken":"\#(holder.string("idToken"))"}"#))

            #expect(linked.localID == holder["localId"]?.string)
            #expect(linked.providers == ["github.com", "apple.com"])
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `signInWithCredential, oidc with idToken, perhaps a nonce and an access token`(
        hasNonce: Bool, hasAccessToken: Bool
    ) async throws {
        let clock = SimulatorClock.stopped(at: TestClock().now)
        let issuer = try await OpenIDSimulator.start(.init(clock: clock))
        try await TestBroker.run(plugins: [.oidc], entries: { _ in [Self.entry(issuer)] }) { broker in
            let sdk = ClientSDK(broker: broker)
            let person = issuer.people()[0]
            let nonce = hasNonce ? RandomText.alphanumeric(32) : nil
            let access =
                hasAccessToken ? issuer.accessToken(for: person, application: issuer.defaultApplication) : nil
            let token = issuer.idToken(
                for: person, application: issuer.defaultApplication, nonce: nonce.map(Self.hash), accessToken: access)
            let postBody =
                "&id_token=\(token)\(access.map { "&access_token=\($0)" } ?? "")&providerId=oidc.example"
                + (nonce.map { "&nonce=\($0)" } ?? "")

            let user = try await sdk.user(sdk.signInWithIdp(postBody: postBody))

            #expect(user.isNew && user.providers == ["oidc.example"])
            #expect(user.credential["federatedId"]?.string == person.subject)
            #expect(try JSONValue(parsing: user.credential.string("rawUserInfo").utf8)["sub"]?.string == person.subject)
        }
        await issuer.stop()
    }

    private static func entry(_ issuer: OpenIDSimulator) -> JSONValue {
        [
            "id": "oidc.example", "use": "oidc", "allowInsecureLoopback": true,
            "options": [
                "issuer": .string(issuer.url), "clientId": .string(issuer.defaultApplication.clientID),
                "clientSecret": .string(issuer.defaultApplication.clientSecret ?? ""),
            ],
        ]
    }

    private static func hash(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}

extension ClientSDK {
    /// `signInWithIdp` with a `postBody` as written; `fields` are what linking and reauthenticating append.
    fileprivate func signInWithIdp(postBody: String, fields: String = "") async throws -> Answer {
        try await call(
            "signInWithIdp",
            #"{"requestUri":"http://localhost","returnSecureToken":true,"postBody":"\#(postBody)"\#(fields)}"#)
    }
}
