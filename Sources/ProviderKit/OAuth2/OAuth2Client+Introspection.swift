public import Foundation
public import StrictJSON

extension OAuth2Client {
    /// Asks the provider whose an opaque token is (RFC 7662 §2.1), as this client.
    ///
    /// Only a clear answer counts: the token is active, it is a bearer token that has not expired, and it was issued to
    /// this client. An answer that does not name the client is refused, because a token of another client proves no
    /// sign-in here.
    ///
    /// - Parameters:
    ///   - token: The access token that a client presented.
    ///   - url: The introspection endpoint.
    ///   - upstream: The HTTP client.
    ///   - now: The moment that `exp` and `nbf` are compared with.
    /// - Returns: The token as a grant of this client, with its subject.
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/credential`` for a token that is invalid or another
    ///   client's, ``ProviderError/Fault/configuration`` when the provider refuses our client or has no such endpoint,
    ///   ``ProviderError/Fault/upstream`` for any other answer.
    public func introspect(
        _ token: String, at url: String, over upstream: any Upstream, now: Date
    ) async throws(ProviderError) -> IntrospectedToken {
        let form = [(name: "token", value: token), (name: "token_type_hint", value: "access_token")]
        let response = try await upstream.send(try tokenRequest(form, at: .introspect, url: url))
        guard response.status == 200 else {
            // The request authenticates our client and has the token in its body: no status is about the token (§2.3).
            guard [400, 401, 403, 404, 405].contains(response.status), !response.isRateLimited else {
                throw response.refusal(at: .introspect)
            }
            throw ProviderError(
                .configuration, at: .introspect, "the introspection endpoint refused our client or does not exist")
        }
        let answer = try response.decode(IntrospectionAnswer.self, at: .introspect)
        try answer.check(clientID: clientID, now: now)
        guard case .object(let members) = try response.jsonValue(at: .introspect) else {
            throw ProviderError(.upstream, at: .introspect, "the introspection response is no object")
        }
        return IntrospectedToken(
            subject: answer.subject,
            grant: UpstreamGrant(
                clientID: clientID, accessToken: token, scopes: answer.scopes, expiresAt: answer.expiration),
            members: members)
    }
}

/// A token that its provider has confirmed to be valid and issued to our client.
///
/// Its description contains only the client.
public struct IntrospectedToken: Sendable, CustomStringConvertible {
    /// The user that the token was issued for (`sub`); absent where the provider does not name the user here.
    public let subject: String?
    /// The token, with the scopes and the expiration of the response.
    public let grant: UpstreamGrant
    /// The response (RFC 7662 §2.2), unmodified.
    public let members: JSONObject

    /// The client; never the token.
    public var description: String { "IntrospectedToken(client \(grant.clientID))" }
}

/// RFC 7662 §2.2, as far as it decides something.
private struct IntrospectionAnswer: Decodable {
    let isActive: Bool
    let clientID: String?
    let subject: String?
    let tokenType: String?
    let scope: String?
    let expiresAt: Int64?
    let notBefore: Int64?

    enum CodingKeys: String, CodingKey {
        case isActive = "active"
        case clientID = "client_id"
        case subject = "sub"
        case tokenType = "token_type"
        case scope
        case expiresAt = "exp"
        case notBefore = "nbf"
    }

    var scopes: [String] { (scope ?? "").split(separator: " ").map(String.init) }
    var expiration: Date? { expiresAt.map { Date(timeIntervalSince1970: Double($0)) } }

    func check(clientID: String, now: Date) throws(ProviderError) {
        func require(_ holds: Bool, _ reason: String) throws(ProviderError) {
            guard holds else { throw ProviderError(.credential, at: .introspect, reason) }
        }
        try require(isActive, "the token is not active")
        try require(
            self.clientID?.hasSameBytes(as: clientID) ?? false,
            "the introspection response does not say that the token was issued to our client")
        // A refresh token is active as well, and has another type.
        try require(tokenType.map { $0.lowercasedASCII == "bearer" } ?? true, "the token is no bearer token")
        let seconds = Int64(now.timeIntervalSince1970)
        try require(expiresAt.map { $0 > seconds } ?? true, "the token has expired")
        try require(notBefore.map { $0 <= seconds &+ Self.clockSkew } ?? true, "the token is not valid yet")
    }

    private static let clockSkew: Int64 = 60
}
