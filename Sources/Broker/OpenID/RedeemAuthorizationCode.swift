package import BrokerStore
import Logging
import OAuth
import ProviderKit

/// The parameters of a token request that redeems a code.
package struct CodeRedemption: Sendable {
    package var code: String
    /// RFC 6749 §4.1.3; without it the code is refused, and consumed.
    package var redirectURI: String?
    /// RFC 7636 §4.5; present exactly when the authorization request had a challenge.
    package var verifier: String?

    package init(code: String, redirectURI: String?, verifier: String?) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }
}

/// The outcome of an exchange.
private enum CodeExchangeOutcome: Sendable {
    case redeemed(SessionFacts, nonce: String?)
    case refused(String)
    /// The session of the first exchange, if it was still alive.
    case usedBefore(sessionID: String?)
}

extension OpenIDContext {
    /// Exchanges a code for a session of the client (RFC 6749 §4.1.3, RFC 7636 §4.5).
    ///
    /// A code is single-use: it is consumed before it is verified, and stays consumed after a failure. A second
    /// redemption ends the session of the first one (RFC 6749 §4.1.2), also when both are concurrent: one of the two
    /// transactions is first, the other finds the code consumed. The first client's tokens are then invalid too, since
    /// the broker cannot tell which of the two stole the code.
    ///
    /// - Returns: The new session, and the nonce for its first ID token.
    /// - Throws: ``OAuthError``, or a store's error.
    package func redeemAuthorizationCode(
        _ request: CodeRedemption, by client: Client, origin: Origin
    ) async throws -> (facts: SessionFacts, nonce: String?) {
        let outcome = try await write(by: origin) { [rules = sessions.rules] transaction in
            try Self.redeem(request, client, rules, origin, in: transaction)
        }
        switch outcome {
        case .redeemed(let facts, let nonce): return (facts, nonce)
        case .refused(let reason): throw OAuthError(.invalidGrant, reason)
        case .usedBefore(let sessionID):
            if let sessionID {
                Logger.current.warning(
                    "authorization code reuse: session revoked",
                    metadata: ["session": "\(sessionID)", "client": "\(client.id)"])
            }
            throw OAuthError(.invalidGrant, Self.unknown)
        }
    }

    private static let unknown = "The code is unknown, has expired, or was used before."

    private static func redeem(
        _ request: CodeRedemption, _ client: Client, _ rules: SessionRules, _ origin: Origin,
        in transaction: borrowing Transaction
    ) throws -> CodeExchangeOutcome {
        let hash = RandomText.hash(of: request.code)
        guard let code = try transaction.consumeAuthorizationCode(hash: hash, at: transaction.now) else {
            return try endFirst(hash, in: transaction)
        }
        guard code.clientID.hasSameBytes(as: client.id) else {
            return .refused("The code was issued to another client.")
        }
        let challenge = code.codeChallenge.isEmpty ? nil : code.codeChallenge
        if let mismatch = request.mismatch(redirectURI: code.redirectURI, challenge: challenge) {
            return .refused(mismatch)
        }
        guard try transaction.client(id: code.clientID) != nil,
            try transaction.isGrantValid(ofUser: code.userKey, epoch: code.epoch, in: code.parentID)
        else {
            return .refused("The user has signed out or may no longer sign in.")
        }
        var session = Session(code, of: client, origin, in: transaction)
        session.identityKey = try transaction.identityKey(ofSession: code.parentID)
        try transaction.begin(session, rules)
        guard let facts = try transaction.sessionFacts(id: code.sessionID) else { return .refused(unknown) }
        try transaction.audit(
            "session.started", of: facts.user.localID, provider: code.provider,
            detail: ["session": .string(code.sessionID), "client": .string(client.id)])
        return .redeemed(try transaction.withNotices(facts), nonce: code.nonce)
    }

    /// Ends the session that an earlier exchange of the same code began.
    private static func endFirst(_ hash: [UInt8], in transaction: borrowing Transaction) throws -> CodeExchangeOutcome {
        guard let used = try transaction.consumedAuthorizationCode(hash: hash),
            let facts = try transaction.sessionFacts(id: used.sessionID),
            try transaction.revokeSession(
                id: used.sessionID, at: transaction.now, reason: "authorization code reuse")
        else { return .usedBefore(sessionID: nil) }
        try transaction.audit(
            "session.code-reuse-detected", of: facts.user.localID,
            detail: ["session": .string(used.sessionID), "client": .string(used.clientID)])
        return .usedBefore(sessionID: used.sessionID)
    }
}

extension CodeRedemption {
    /// The reason why the request does not match a code that was sent to `redirectURI` under `challenge`, or `nil`.
    func mismatch(redirectURI expected: String, challenge: String?) -> String? {
        guard let redirectURI else { return "redirect_uri is missing: send the one of the authorization request." }
        guard redirectURI.hasSameBytes(as: expected) else { return "redirect_uri is not the one the code was sent to." }
        switch (challenge, verifier) {
        case (nil, nil): return nil
        case (nil, _?): return "code_verifier is sent, but the authorization request had no code_challenge."
        case (_?, nil): return "code_verifier is missing: the authorization request had a code_challenge."
        case (let challenge?, let verifier?):
            let isMatch = CodeChallenge(challenge)?.matches(verifier) ?? false
            return isMatch ? nil : "code_verifier is not the one code_challenge was made from."
        }
    }
}

extension Session {
    /// The session that begins with the exchange of a code.
    fileprivate init(
        _ code: AuthorizationCode, of client: Client, _ origin: Origin, in transaction: borrowing Transaction
    ) {
        // A confidential client's request comes from its server, not from the user's device.
        let device = client.kind == .confidential ? ClientDevice() : origin.device
        self.init(
            key: transaction.nextKey(), id: code.sessionID, userKey: code.userKey, signInProvider: code.provider,
            authTime: code.authTime, createdAt: transaction.now, epoch: code.epoch, family: .oauth,
            clientID: code.clientID, scope: code.scope, authenticationMethods: code.authenticationMethods,
            parentID: code.parentID, userAgent: device.userAgent, address: device.address, acr: code.acr)
    }
}
