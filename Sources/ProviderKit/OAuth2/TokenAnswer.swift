import Foundation

/// A token endpoint's response (RFC 6749 §5.1, §5.2). Every member is optional, because providers omit some.
struct TokenAnswer: Decodable {
    let accessToken: String?
    let refreshToken: String?
    let idToken: String?
    /// A string; some providers send a list.
    let scope: JSONValue?
    /// Seconds; some providers send them as a string.
    let expiresIn: JSONValue?
    /// Required by RFC 6749 §5.1, but some providers omit it.
    let tokenType: String?
    let error: String?
    let interval: Int64?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case idToken = "id_token"
        case scope
        case expiresIn = "expires_in"
        case tokenType = "token_type"
        case error, interval
    }

    /// Reads a response of the token endpoint, as RFC 6749 or the provider's dialect has it.
    init(
        _ response: UpstreamResponse, in dialect: OAuth2Client.Dialect.TokenResponse = .init(),
        at step: ProviderError.Step
    ) throws(ProviderError) {
        let document = dialect.standardized(try response.jsonValue(at: step))
        do {
            self = try JSONValueDecoder().decode(TokenAnswer.self, from: document)
        } catch {
            throw ProviderError(.upstream, at: step, "the answer has an unexpected shape: \(error)")
        }
    }

    /// Whether the token type is `Bearer`, ignoring case. A client must not use a token of an unknown type (RFC 6749
    /// §7.1).
    var isBearer: Bool { tokenType.map { $0.lowercasedASCII.hasSameBytes(as: "bearer") } ?? true }

    /// The tokens; nil without an access token. Without `scope` the granted scopes are `requested` (RFC 6749 §5.1).
    func grant(clientID: String, requested: [String] = [], now: Date) -> UpstreamGrant? {
        guard let accessToken, !accessToken.isEmpty, error == nil, isBearer else { return nil }
        return UpstreamGrant(
            clientID: clientID, accessToken: accessToken, refreshToken: refreshToken, idToken: idToken,
            scopes: scope == nil ? requested : scopes,
            expiresAt: lifetime.map { now.addingTimeInterval(Double(min(max($0, 0), Self.longestLifetime))) })
    }

    /// The maximum lifetime of a token, in seconds: one year.
    private static let longestLifetime: Int64 = 31_536_000

    private var scopes: [String] {
        let lists = scope?.array.map { $0.compactMap(\.string) } ?? [scope?.string ?? ""]
        return lists.flatMap { $0.split(whereSeparator: { $0 == " " || $0 == "," }) }.map(String.init)
    }

    private var lifetime: Int64? { expiresIn?.integer ?? expiresIn?.string.flatMap { Int64($0) } }
}
