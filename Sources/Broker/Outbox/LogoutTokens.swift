import BrokerStore
import JOSE
import OAuth
import ProviderKit

/// Mints logout tokens (OpenID Connect Back-Channel Logout 1.0 §2.4).
package struct LogoutTokens: Sendable {
    let issuer: String
    let keys: SigningKeys

    /// The `typ` of logout tokens, which tells them from ID tokens.
    static let type = "logout+jwt"
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// §4 recommends two minutes at most. Each attempt has a token of its own.
    private static let lifetime: Int64 = 120

    package init(issuer: String, keys: SigningKeys) {
        self.issuer = issuer
        self.keys = keys
    }

    /// A token that tells `client` of the end of a session.
    ///
    /// - Throws: ``InternalError/signingKeyMissing(_:)``.
    func token(for client: Client, session: String, of localID: String, at now: Timestamp) async throws -> String {
        try await keys.sign(
            [
                "iss": .string(issuer), "aud": .string(client.id), "sub": .string(localID), "sid": .string(session),
                "iat": .integer(now.seconds), "exp": .integer(now.seconds + Self.lifetime),
                "jti": .string(RandomText.alphanumeric(22)),
                "events": .object([Self.event: .object(JSONObject())]),
            ], client.algorithm, type: Self.type)
    }
}
