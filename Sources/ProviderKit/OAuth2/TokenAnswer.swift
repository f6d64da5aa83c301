import Foundation

/// What a token endpoint answers (RFC 6749 §5.1, §5.2): every member optional, since providers leave some out.
struct TokenAnswer: Decodable {
    let accessToken: String?
    let refreshToken: String?
    let idToken: String?
    let scope: String?
    let expiresIn: Int64?
    let error: String?
    let interval: Int64?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case idToken = "id_token"
        case scope
        case expiresIn = "expires_in"
        case error, interval
    }

    /// The tokens, when there is an access token to speak of.
    func grant(clientID: String, now: Date) -> UpstreamGrant? {
        guard let accessToken, !accessToken.isEmpty, error == nil else { return nil }
        return UpstreamGrant(
            clientID: clientID, accessToken: accessToken, refreshToken: refreshToken, idToken: idToken,
            scopes: (scope ?? "").split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init),
            // A century is as good as for ever, and keeps a hostile number from overflowing.
            expiresAt: expiresIn.map { now.addingTimeInterval(Double(min(max($0, 0), 3_155_760_000))) })
    }
}
