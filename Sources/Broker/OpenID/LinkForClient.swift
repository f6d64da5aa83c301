package import BrokerStore
import OAuth
import ProviderKit

/// The request behind a code that stands for an identity to be linked.
struct LinkCodeGrant: Codable, Sendable {
    /// Tells these codes from authorization codes.
    static let prefix = "lnk1_"

    let request: AuthorizationRequest
    let pendingToken: String
}

/// Links an identity at a client's request: the browser brings the client a code, and the link is made when the client
/// redeems the code with its verifier and an ID token of the user who asked (decision D9).
///
/// An attacker who lures a victim through a provider's page gains nothing: the code goes to the client in the victim's
/// browser, which has an ID token of another user (security §1, case 2).
extension OpenIDContext {
    /// Issues a code for a pending identity.
    ///
    /// - Returns: The address to redirect the browser to.
    /// - Throws: ``NotRedirectable`` or a store's error.
    package func issueLinkCode(for request: AuthorizationRequest, pendingToken: String) async throws -> String {
        let redirectURI = try await redirectURI(of: request)
        let code = LinkCodeGrant.prefix + RandomText.secret()
        try await redirects.attempts.insert(
            LinkCodeGrant(request: request, pendingToken: pendingToken), .linkCode,
            .init(state: code, binding: request.clientID, lifetime: AuthorizationCode.lifetime),
            at: now)
        return response(code: code, to: redirectURI, state: request.state)
    }

    /// Redeems a code: consumed first, then verified, so that every failure consumes it.
    ///
    /// - Parameters:
    ///   - presented: Code, redirect URI and verifier.
    ///   - idToken: Of the session that asked for the link.
    ///   - client: The authenticated client.
    ///   - origin: The request, for the audit.
    /// - Returns: The session that asked, with the new identity among its user's, and what the request says.
    /// - Throws: ``OAuthError``, ``BrokerError`` when the link is refused.
    package func redeemLinkCode(
        _ presented: CodeRedemption, idToken: String?, by client: Client, origin: Origin
    ) async throws -> (facts: SessionFacts, nonce: String?, provider: String?) {
        let now = now
        let grant = try await consume(presented.code, by: client, at: now)
        // An absent challenge, which a link never has, matches no verifier.
        if let mismatch = presented.mismatch(
            redirectURI: grant.request.redirectURI, challenge: grant.request.codeChallenge ?? "")
        {
            throw OAuthError(.invalidGrant, mismatch)
        }
        guard let idToken,
            let (facts, claims) = try await verifier.session(behind: idToken, .idToken, at: now),
            claims.clientID.hasSameBytes(as: client.id), grant.request.expectedUser == facts.user.localID
        else {
            throw OAuthError(
                .invalidGrant,
                "id_token_hint must be an ID token of the user who requested the link, with a valid session.")
        }
        let linked = try await accounts.link(
            pendingToken: grant.pendingToken, in: .session(id: facts.session.id, .oauth), wasRecent: true,
            origin: Origin(.user, actor: facts.user.localID, requestID: origin.requestID))
        return (linked, grant.request.nonce, grant.request.provider)
    }

    private func consume(_ code: String, by client: Client, at now: Timestamp) async throws -> LinkCodeGrant {
        do {
            return try await redirects.attempts.consume(code, .linkCode, at: now, binding: client.id).payload
        } catch BrokerError.signInAttemptOfAnother {
            throw OAuthError(.invalidGrant, "The code was issued to another client.")
        } catch is BrokerError {
            throw OAuthError(.invalidGrant, "The code is unknown, expired or consumed.")
        }
    }
}

extension SignInAttempts.Purpose where Payload == LinkCodeGrant {
    /// A code that stands for an identity to be linked; bound to its client.
    static var linkCode: Self { Self("link-code") }
}
