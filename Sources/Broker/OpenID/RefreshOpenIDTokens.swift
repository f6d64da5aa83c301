package import BrokerStore
import JOSE
import ProviderKit

extension OpenIDContext {
    static let refreshRefusal = OAuthError(
        .invalidGrant,
        "The refresh token is unknown, was used before, or its session has ended.")

    /// Exchanges an OAuth client's refresh token for new tokens and its successor (RFC 6749 §6, RFC 9700 §4.14.2).
    ///
    /// - Parameters:
    ///   - text: The refresh token.
    ///   - wanted: Less scope than was granted, if the client wants less; it may want it all again the next time.
    ///   - acceptsMerges: Whether the client says that it understands merge tokens.
    ///   - client: The authenticated client.
    ///   - origin: The same, for the audit.
    /// - Returns: New tokens, the successor of the refresh token among them.
    /// - Throws: ``OAuthError``, with a merge token where the session's user was merged into another one and a first-party
    ///   client accepts that; or a store's error. A token of another client's changes nothing.
    package func refreshTokens(
        _ text: String, scope wanted: String?, acceptsMerges: Bool = false, by client: Client, origin: Origin
    ) async throws -> IssuedOpenIDTokens {
        guard let token = tokens.refreshTokens.decode(text) else { throw Self.refreshRefusal }
        let (now, admission) = (now, RequestAdmission.current)
        try admission?.checkRefresh(of: token.sessionID)
        let (rotated, scopes) = try await refusing {
            try await RequestAdmission.look(behind: TokenDigest(of: text), answeredAsForged: true, at: now) {
                guard
                    let session = try await store.pointRead({ try $0.session(id: token.sessionID) }),
                    session.family == .oauth, session.clientID?.hasSameBytes(as: client.id) ?? false
                else { throw BrokerError.invalidRefreshToken }
                let scopes = try Self.narrowed(client.scopes(of: session), to: wanted)
                do {
                    let renewed = try await sessions.renewSession(
                        of: token, .rotating, at: now, origin: origin, with: TokenIdentity.self)
                    return (renewed, scopes)
                } catch BrokerError.refreshTokenExpired where acceptsMerges && client.isFirstParty {
                    // Looked at only now: the merge may have come after the first look.
                    throw try await merged(token, at: now, origin)
                }
            }
        }
        admission?.prove(refreshOf: token.sessionID)
        var facts = rotated
        if facts.mayHaveNotices {
            facts = try await store.write(at: now) { [facts] in try $0.withNotices(facts) }
        }
        return try await tokens.issue(facts, for: client, scopes: scopes, at: now)
    }

    /// The scopes that the client wants; nil for all that were granted.
    private static func narrowed(_ granted: Scopes, to wanted: String?) throws(OAuthError) -> Scopes? {
        guard let wanted else { return nil }
        guard let scopes = granted.narrowed(to: wanted) else {
            throw OAuthError(.invalidScope, "scope exceeds the scope that was granted.")
        }
        return scopes
    }

    /// The refusal that lets the client go on as another user: a refresh never changes `sub` (OpenID Connect Core §12.2).
    private func merged(_ token: RefreshToken, at now: Timestamp, _ origin: Origin) async throws -> OAuthError {
        let waiting = try await sessions.waitingSession(of: token, at: now, origin: origin)
        guard let absorbed = waiting.session.mergedFrom else { throw BrokerError.refreshTokenExpired }
        RequestAdmission.current?.prove(refreshOf: token.sessionID)
        return .merged(
            tokens.mergeTokens.encode(
                MergeToken(
                    sessionID: waiting.session.id, generation: waiting.session.generation, absorbed: absorbed,
                    survivor: waiting.user.localID, expiresAt: now.advanced(by: MergeToken.lifetime))))
    }

    func refusing<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as BrokerError {
            switch error {
            case .invalidRefreshToken, .refreshTokenExpired, .userDisabled: throw Self.refreshRefusal
            default: throw error
            }
        }
    }
}
