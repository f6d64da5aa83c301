package import BrokerStore
import Foundation
import ProviderKit

/// The end of a link that an app asked for: the browser brings the app a code, and the link is made when the app redeems
/// it with its verifier and an ID token of the very user who asked (decision D9).
///
/// Whoever lures somebody else through the provider's page gets nothing for it: the code goes to the app of the person
/// who was there, and the app of that person holds another user's ID token (security §1, case 2).
package struct LinkForClient: Sendable {
    let authorize: Authorize
    let attempts: SignInAttempts
    let link: Link

    /// What tells these codes from those that sign in.
    static let prefix = "lnk1_"

    private struct Grant: Codable {
        let request: AuthorizationRequest
        let pendingToken: String
    }

    /// Gives out a code for an identity that waits.
    ///
    /// - Returns: Where the browser goes with it.
    package func answer(_ request: AuthorizationRequest, with pendingToken: String) async throws -> String {
        let redirectURI = try await authorize.stillRegistered(request)
        let code = Self.prefix + RandomText.secret()
        let grant = Grant(request: request, pendingToken: pendingToken)
        let text = String(decoding: try JSONEncoder().encode(grant), as: UTF8.self)
        try await attempts.keep(
            .init(request: text), state: code, binding: request.clientID, purpose: .linkCode, provider: "",
            for: AuthorizationCodes.lifetime, at: authorize.now())
        return authorize.answer([("code", code)], to: redirectURI, state: request.state)
    }

    /// Redeems such a code: used up first, then judged, so that every failure burns it.
    ///
    /// - Parameters:
    ///   - presented: Code, redirect URI and verifier.
    ///   - idToken: Of the session that asked for the link.
    ///   - client: Who redeems.
    ///   - origin: Who asks, for the audit.
    /// - Returns: The session that asked, with the new identity among its user's, and the nonce of the request.
    /// - Throws: ``OAuthError``, ``BrokerError`` when the link is refused.
    package func redeem(
        _ presented: RedeemAuthorizationCode.Request, idToken: String?, by client: Client, origin: Origin
    ) async throws -> (facts: SessionFacts, nonce: String?) {
        let now = Timestamp(authorize.now())
        let grant = try await consume(presented.code, by: client, at: now)
        // An absent challenge, which a link never has, matches no verifier.
        if let mismatch = presented.mismatch(
            redirectURI: grant.request.redirectURI, challenge: grant.request.codeChallenge ?? "")
        {
            throw OAuthError(.invalidGrant, mismatch)
        }
        guard let idToken,
            let (facts, claims) = try await authorize.openID.verifier.session(behind: idToken, .idToken, at: now),
            claims.clientID.utf8.elementsEqual(client.id.utf8), grant.request.expectedUser == facts.user.localID
        else {
            throw OAuthError(
                .invalidGrant,
                "id_token_hint has to be an ID token of the user who asked for the link, in a session that is alive.")
        }
        let linked = try await link(
            .pendingToken(grant.pendingToken), in: .session(id: facts.session.id, .oauth), wasRecent: true,
            origin: Origin(.user, actor: facts.user.localID, requestID: origin.requestID))
        return (linked, grant.request.nonce)
    }

    private func consume(_ code: String, by client: Client, at now: Timestamp) async throws -> Grant {
        do {
            return try await attempts.take(code, .linkCode, at: now, binding: client.id).request(Grant.self)
        } catch BrokerError.signInAttemptOfAnother {
            throw OAuthError(.invalidGrant, "The code is another client's.")
        } catch is BrokerError {
            throw OAuthError(.invalidGrant, "The code is unknown, has expired, or was used before.")
        }
    }
}
