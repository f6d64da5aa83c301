public import Foundation
public import StrictJSON

/// The verified caller of a request.
public struct BrokerIdentity: Sendable {
    /// The user's id at the broker (`sub`): stable, and the key to store data under.
    public let userID: String
    /// The kind of the token.
    public let kind: BrokerTokenKind
    /// The client that the token was issued to; nil for tokens of Identity Toolkit.
    public let clientID: String?
    /// The scopes of an access token; empty for tokens of Identity Toolkit, which have none.
    public let scopes: Set<String>
    /// When the user last proved who they are (`auth_time`).
    public let authenticatedAt: Date
    /// The session of the token (`sid`).
    public let sessionID: String
    /// When the token was issued.
    public let issuedAt: Date
    /// When the token expires.
    public let expiresAt: Date
    /// All claims. Those of Identity Toolkit include custom claims, also with names such as `scope`, `client_id` and `sid`,
    /// which give no right: use ``scopes``, ``clientID`` and ``sessionID``.
    public let claims: JSONObject

    /// The token itself, for introspection.
    let token: PresentedToken
    /// The verifier of the token.
    let tokens: BrokerTokens

    /// Requires scopes of the token. Tokens of Identity Toolkit have none.
    ///
    /// - Throws: ``BrokerAuthRefusal/insufficientScope(_:)``.
    public func requireScopes(_ required: some Collection<String>) throws(BrokerAuthRefusal) {
        guard required.allSatisfy(scopes.contains) else { throw .insufficientScope(required.map(\.self)) }
    }

    /// Requires that the user's login is not older than `age`, with whole seconds.
    ///
    /// - Throws: ``BrokerAuthRefusal/insufficientUserAuthentication(maximumAge:)``.
    public func requireLogin(within age: Duration) throws(BrokerAuthRefusal) {
        let seconds = age.components.seconds
        let elapsed = tokens.now().timeIntervalSince(authenticatedAt)
        guard elapsed <= Double(seconds) else { throw .insufficientUserAuthentication(maximumAge: Int(seconds)) }
    }

    /// Asks the broker whether the token is still valid: its session has not ended, and its user exists and is not
    /// disabled (RFC 7662). Costs one request; nothing is cached.
    ///
    /// - Throws: ``BrokerAuthRefusal``: `invalidToken` for a token that was revoked, `unavailable` when the broker gives no
    ///   answer, `notConfigured` without a ``BrokerCredential`` that may ask.
    public func requireActive() async throws(BrokerAuthRefusal) {
        try await tokens.introspect(self)
    }
}

extension BrokerIdentity: CustomStringConvertible, CustomReflectable {
    /// User, kind and session, without the token.
    public var description: String { "user \(userID), \(kind.rawValue), session \(sessionID)" }

    /// Without the token and the claims.
    public var customMirror: Mirror {
        Mirror(self, children: ["userID": userID, "kind": kind, "sessionID": sessionID], displayStyle: .struct)
    }
}
