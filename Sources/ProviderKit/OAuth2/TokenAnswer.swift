import Foundation

/// What a token endpoint answers (RFC 6749 §5.1, §5.2): every member optional, since providers leave some out.
struct TokenAnswer: Decodable {
    let accessToken: String?
    let refreshToken: String?
    let idToken: String?
    /// A string; some providers send a list.
    let scope: JSONValue?
    /// Seconds; some providers send them as a string.
    let expiresIn: JSONValue?
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
            scopes: scopes,
            // A century is as good as for ever, and keeps a hostile number from overflowing.
            expiresAt: lifetime.map { now.addingTimeInterval(Double(min(max($0, 0), 3_155_760_000))) })
    }

    private var scopes: [String] {
        let lists = scope?.array.map { $0.compactMap(\.string) } ?? [scope?.string ?? ""]
        return lists.flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "," }) }.map(String.init)
    }

    private var lifetime: Int64? { expiresIn?.integer ?? expiresIn?.string.flatMap { Int64($0) } }
}
