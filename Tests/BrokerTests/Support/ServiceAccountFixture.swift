import Broker
import BrokerStore
import Foundation
import JOSE
import ProviderKit

/// A service account with an RSA key of its own and whatever token one wants signed.
struct ServiceAccountFixture: Sendable {
    static let email = "signer@test-project.iam.example"

    let key: PrivateSigningKey

    /// Making RSA keys takes long; these two serve all tests.
    static let trusted = Result { ServiceAccountFixture(key: try PrivateSigningKey.generate(.rs256)) }
    static let stranger = Result { ServiceAccountFixture(key: try PrivateSigningKey.generate(.rs256)) }

    func account(email: String = email, keyID: String? = nil) throws -> ServiceAccount {
        ServiceAccount(email: email, keys: [try JSONWebKey(keyID: keyID, key: key.publicKey)])
    }

    /// The claims of a good token for `uid`.
    static func claims(_ uid: String, at now: Date, _ extra: JSONObject = [:]) -> JSONObject {
        let seconds = Int64(now.timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(email), "sub": .string(email), "uid": .string(uid), "iat": .integer(seconds),
            "exp": .integer(seconds + 3600),
            "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
        ]
        for (name, value) in extra { claims[name] = value }
        return claims
    }

    func token(_ claims: JSONObject, header: JSONObject = ["alg": "RS256", "typ": "JWT"]) throws -> String {
        let input = Base64URL.encode(header.serialized().utf8) + "." + Base64URL.encode(claims.serialized().utf8)
        return input + "." + Base64URL.encode(try key.sign(Array(input.utf8)))
    }
}

extension TestBroker {
    /// Runs a broker that trusts the fixture's account.
    static func runWithServiceAccount<Value>(
        keyID: String? = nil, _ test: (TestBroker, ServiceAccountFixture) async throws -> Value
    ) async throws -> Value {
        let fixture = try ServiceAccountFixture.trusted.get()
        let account = try fixture.account(keyID: keyID)
        return try await run({ $0.serviceAccounts = [account] }) { try await test($0, fixture) }
    }

    func signIn(customToken: String) async throws -> Answer {
        try await post(
            "/v1/accounts:signInWithCustomToken", ["token": .string(customToken), "returnSecureToken": true])
    }
}
