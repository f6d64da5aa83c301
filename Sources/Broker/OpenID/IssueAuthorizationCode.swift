package import BrokerStore
import Foundation
import ProviderKit

/// Issues an authorization code for a valid request and a browser session that satisfies it (RFC 6749 §4.1.2).
package struct IssueAuthorizationCode: Sendable {
    let requests: AuthorizationRequests
    let store: Store
    let keys: KeyGenerator

    /// - Parameters:
    ///   - request: The client's request.
    ///   - session: The browser's session at the hosted pages.
    /// - Returns: The address to redirect the browser to.
    /// - Throws: ``AuthorizationRefusal`` when the session does not satisfy the request,
    ///   ``AuthorizationRequests/NotRedirectable``, or a store's error.
    package func callAsFunction(_ request: AuthorizationRequest, in session: SessionFacts) async throws -> String {
        let redirectURI = try await requests.redirectURI(of: request)
        let date = requests.now()
        let now = Timestamp(date)
        if let refusal = request.refusal(of: session, at: now) { throw refusal }
        try await requests.consume(request)
        let challenge = request.codeChallenge.flatMap { CodeChallenge($0) }
        guard (challenge == nil) == (request.codeChallenge == nil) else {
            throw AuthorizationRequests.NotRedirectable.requestUnknown
        }
        let grant = AuthorizationGrant(
            clientID: request.clientID, redirectURI: redirectURI, codeChallenge: challenge,
            scopes: Scopes(request.scopes.joined(separator: " ")), nonce: request.nonce, user: session.user,
            provider: session.session.signInProvider, authTime: session.session.authTime,
            authenticationMethods: session.session.authenticationMethods?.split(separator: " ").map(String.init) ?? [],
            parentID: session.session.id)
        let (code, row) = AuthorizationCodes.make(grant, key: keys.next(at: date), at: now)
        let id = session.session.id
        try await store.write { transaction in
            _ = try transaction.liveSession(id: id, .web, at: now)
            try transaction.insert(row)
        }
        return requests.response(code: code, to: redirectURI, state: request.state)
    }
}

extension AuthorizationRequest {
    /// The reason a session that began for this request does not satisfy it (`max_age`, `id_token_hint`), or `nil`.
    func refusal(of session: SessionFacts, at now: Timestamp) -> AuthorizationRefusal? {
        guard expects(session.user), isSatisfied(byOwnLoginAt: session.session.authTime, at: now) else {
            return .init(.loginRequired, "The provider did not verify a login that satisfies the request.")
        }
        return nil
    }
}
