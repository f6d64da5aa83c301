import BrokerClient
import Crypto
import Foundation
import JOSE
import StrictJSON
import Testing

@Suite("The nonce and the credential of a native sign-in")
struct NonceTests {
    @Test func `a nonce has 32 characters of a URL-safe alphabet, and none is like another`() {
        let nonces = (0..<200).map { _ in SignInNonce() }
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

        #expect(nonces.allSatisfy { $0.raw.count == 32 && Set($0.raw).isSubset(of: alphabet) })
        #expect(Set(nonces.map(\.raw)).count == nonces.count)
        #expect(Set(nonces.flatMap(\.raw)) == alphabet, "every character occurs")
    }

    @Test func `bytes beyond the alphabet are drawn again`() {
        var bytes: [UInt8] = [64, 255, 0, 200, 63, 128, 1].reversed()

        let text = SignInNonce.draw(3) { bytes.removeLast() }

        #expect(text == "A_B" && bytes.isEmpty)
    }

    @Test func `a length that is not positive has no nonce`() {
        #expect(SignInNonce(length: 0) == nil && SignInNonce(length: -1) == nil)
        #expect(SignInNonce(length: 8)?.raw.count == 8)
    }

    @Test func `the request carries the SHA-256 in lower-case hexadecimal`() {
        // FIPS 180-2, appendix B.1.
        #expect(
            SHA256.hexadecimalHash(of: Data("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    @Test func `Apple's data that is missing or not UTF-8 is a typed error`() throws {
        let nonce = SignInNonce()
        #expect(throws: BrokerAuthError.missingIdentityToken) {
            try ProviderCredential(appleIdentityToken: nil, authorizationCode: nil, nonce: nonce)
        }
        #expect(throws: BrokerAuthError.invalidTokenText) {
            try ProviderCredential(appleIdentityToken: Data([0xFF, 0xFE]), authorizationCode: nil, nonce: nonce)
        }
        #expect(throws: BrokerAuthError.invalidTokenText) {
            try ProviderCredential(appleIdentityToken: Data("t".utf8), authorizationCode: Data([0xFF]), nonce: nonce)
        }
    }

    @Test func `the exchange sends the raw nonce, the code and the name`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            let nonce = SignInNonce()
            var name = PersonNameComponents()
            (name.givenName, name.familyName) = ("Ada", "Lovelace")

            let result = try await app.auth.signIn(
                with: ProviderCredential(
                    appleIdentityToken: Data("apple-token".utf8), authorizationCode: Data("apple-code".utf8),
                    nonce: nonce, fullName: name, email: "ada@example.com"))

            let form = try #require(broker.calls(of: "/oauth/token").first?.form)
            #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange")
            #expect(form["subject_token_type"] == "urn:ietf:params:oauth:token-type:id_token")
            #expect(form["subject_token"] == "apple-token" && form["provider"] == "apple.com")
            #expect(form["nonce"] == nonce.raw && form["authorization_code"] == "apple-code")
            #expect(form["actor_token"] == nil && form["scope"] == "openid offline_access")
            let user = try JSONValue(parsing: try #require(form["user"]))
            #expect(
                user == ["name": ["firstName": "Ada", "lastName": "Lovelace"], "email": "ada@example.com"])
            #expect(result.session.signInProvider == .apple)
        }
    }

    @Test(arguments: [true, false])
    func `the result says what the broker says about a new user`(isNew: Bool) async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            broker.answer { call in
                guard call.path == "/oauth/token" else { return nil }
                var tokens = try broker.tokens(of: "user-1")
                tokens["is_new_user"] = .bool(isNew)
                return .json(tokens)
            }

            let result = try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))

            #expect(result.isNewUser == isNew)
        }
    }

    @Test func `a credential is used once, unless its request did not arrive`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            let credential = ProviderCredential.idToken("t", of: .apple, nonce: SignInNonce())
            broker.answer { call in call.path == "/oauth/token" ? .init(status: 502, body: "") : nil }
            let unreachable = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: credential)
            }
            broker.answer { _ in nil }

            _ = try await app.auth.signIn(with: credential)
            let again = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: credential)
            }

            #expect(unreachable == .network(NetworkFailure(.unavailable(status: 502))))
            #expect(again == .credentialAlreadyUsed)
        }
    }

    @Test func `a credential whose user has to sign in first links afterwards, without its code`() async throws {
        try await StandInBroker.run { broker in
            let app = try await TestApp.signedIn(broker, storage: MemoryStorage())
            let credential = ProviderCredential.appleIDToken("t", nonce: SignInNonce(), authorizationCode: "apple-code")
            broker.answer { call in
                call.path == "/oauth/token"
                    ? .refusal("invalid_grant", "NEED_CONFIRMATION : Sign in with github.com first, then link.") : nil
            }
            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: credential)
            }
            broker.answer { _ in nil }

            _ = try await app.auth.link(credential)

            #expect(thrown == .needConfirmation(providers: []))
            let forms = broker.calls(of: "/oauth/token").suffix(2).map(\.form)
            #expect(forms.first?["authorization_code"] == "apple-code" && forms.first?["actor_token"] == nil)
            #expect(forms.last?["authorization_code"] == nil && forms.last?["prompt"] == "link")
        }
    }

    static let refusals: [(description: String, error: BrokerAuthError)] = [
        ("MISSING_OR_INVALID_NONCE : Duplicate.", .missingOrInvalidNonce),
        ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", .recentLoginRequired),
        ("FEDERATED_USER_ID_ALREADY_LINKED : Another user has it.", .accountExists(providers: [.apple])),
        ("The code is unknown.", .server(code: "invalid_grant", message: "The code is unknown.")),
    ]

    @Test(arguments: refusals.indices)
    func `a refusal has its stable code`(index: Int) async throws {
        let (description, error) = Self.refusals[index]
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            broker.answer { call in call.path == "/oauth/token" ? .refusal("invalid_grant", description) : nil }

            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(with: .idToken("t", of: .apple, nonce: SignInNonce()))
            }

            #expect(thrown == error)
        }
    }

    @Test func `nothing that holds a secret shows it`() throws {
        let nonce = SignInNonce()
        let credential = ProviderCredential.appleIDToken("secret-token", nonce: nonce, authorizationCode: "secret-code")
        let item = StoredItem(key: StorageKey(service: "s", account: "a"), content: Data("secret-content".utf8))
        var dumped = ""
        for value in [nonce as Any, credential, item] {
            dumped += "\(value) \(String(reflecting: value))"
            dump(value, to: &dumped)
        }

        #expect(!dumped.contains("secret") && !dumped.contains(nonce.raw))
    }
}
