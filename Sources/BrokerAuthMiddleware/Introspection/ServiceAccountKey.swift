import Foundation
import JOSE
import StrictJSON

/// The private key of a service account, as its key file has it.
struct ServiceAccountKey: Sendable {
    let email: String
    let tokenURI: String
    private let signer: TokenSigner

    /// The path of the endpoint that exchanges an assertion, below the issuer.
    static let tokenPath = "/oauth/service-accounts/token"
    /// Seconds an assertion lives, and with it the access token.
    private static let lifetime: Int64 = 3600

    /// - Throws: ``BrokerTokensError`` when this is no key file.
    init(parsing file: [UInt8]) throws(BrokerTokensError) {
        guard let document = try? JSONValue(parsing: file), let email = document["client_email"]?.string,
            let tokenURI = document["token_uri"]?.string, let keyID = document["private_key_id"]?.string,
            let pem = document["private_key"]?.string
        else {
            throw BrokerTokensError("the key file of the service account is not in the format of Google's libraries")
        }
        let base64 = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        guard let der = Data(base64Encoded: base64),
            let key = try? PrivateSigningKey(algorithm: .rs256, derRepresentation: Array(der)),
            let signer = try? TokenSigner(keyID: keyID, key: key)
        else { throw BrokerTokensError("private_key of the key file is no RSA key in PKCS #8") }
        (self.email, self.tokenURI, self.signer) = (email, tokenURI, signer)
    }

    /// An assertion for an access token (RFC 7523 §2.1) with the one scope that introspection needs. It is single-use, by
    /// its `jti`.
    ///
    /// - Throws: ``JOSEError`` when the key cannot sign.
    func assertion(at now: Date) throws(JOSEError) -> String {
        let now = Int64(now.timeIntervalSince1970)
        return try signer.token(claims: [
            "iss": .string(email), "sub": .string(email), "aud": .string(tokenURI), "iat": .integer(now),
            "exp": .integer(now + Self.lifetime), "scope": "tokens:introspect",
            "jti": .string(UUID().uuidString),
        ])
    }
}
