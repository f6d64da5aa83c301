package import BrokerStore
import OAuth
package import ProviderKit

/// The state of a token that a backend asks for.
package enum ProviderTokenState: Sendable {
    case token(UpstreamGrant)
    /// The provider has withdrawn the grant.
    case revoked
    /// The user has to sign in with the provider again: nothing is stored, or it cannot be refreshed.
    case reauthorizationRequired
    /// The grant lacks these scopes of the requested ones.
    case scopeMissing([String])
    /// With seconds until a retry, if the provider sent them.
    case temporarilyUnavailable(retryAfter: Int?)
}

extension OutboxContext {
    /// Answers a user's access token of a provider to a backend. Every read is audited before it is answered.
    ///
    /// - Parameters:
    ///   - localID: The user.
    ///   - id: The provider's id.
    ///   - scopes: The scopes that the token must have, as the provider names them in its answers.
    ///   - origin: The backend.
    /// - Returns: The token, or why there is none.
    /// - Throws: ``BrokerError/userNotFound``, ``BrokerError/userDisabled``, ``BrokerError/unknownProvider(_:)``, or a
    ///   store's error.
    package func readProviderToken(
        of localID: String, at id: String, scopes: [String], origin: Origin
    ) async throws -> ProviderTokenState {
        guard let provider = providers.current.provider(id) else { throw BrokerError.unknownProvider(id) }
        let (identity, grant) = try await store.read { transaction in
            guard let user = try transaction.user(localID: localID) else { throw BrokerError.userNotFound }
            guard !user.isDisabled else { throw BrokerError.userDisabled }
            let identity = try transaction.identities(of: user.key).first { $0.provider.hasSameBytes(as: id) }
            let grants = try transaction.grants(of: user.key).filter { $0.identityKey == identity?.key }
            return (identity, Self.best(of: grants, for: scopes, at: provider))
        }
        var outcome = ProviderTokenState.reauthorizationRequired
        if let identity, let grant {
            outcome = try await read(grant.clientID, of: identity, at: provider, scopes)
        }
        let detail = outcome.auditDetail(client: grant?.clientID)
        try await write(by: origin) { transaction in
            try transaction.audit(
                "provider-token.read", of: localID, provider: id, subjectHash: identity?.identity.subjectHash,
                detail: detail)
        }
        return outcome
    }

    private func read(
        _ clientID: String, of identity: Identity, at provider: ConfiguredProvider, _ scopes: [String]
    ) async throws -> ProviderTokenState {
        switch try await grantState(of: identity, clientID: clientID, at: provider) {
        case .token(let grant):
            let missing = scopes.filter { !grant.scopes.contains($0) }
            return missing.isEmpty ? .token(grant) : .scopeMissing(missing)
        case .revoked: return .revoked
        case .reauthorizationRequired: return .reauthorizationRequired
        case .temporarilyUnavailable(let seconds): return .temporarilyUnavailable(retryAfter: seconds)
        }
    }

    /// The grant to answer with: an identity has one for each client, and clients come and go.
    private static func best(
        of grants: [ProviderGrant], for scopes: [String], at provider: ConfiguredProvider
    ) -> ProviderGrant? {
        func rank(_ grant: ProviderGrant) -> (Int, Int, Int, Timestamp) {
            let granted = ScopeList(grant.scopes).scopes
            return (
                grant.refusal == nil ? 1 : 0, scopes.allSatisfy(granted.contains) ? 1 : 0,
                grant.clientID.hasSameBytes(as: provider.provider.clientID) ? 1 : 0, grant.obtainedAt
            )
        }
        return grants.max { rank($0) < rank($1) }
    }
}

extension ProviderTokenState {
    /// The outcome in the audit: never a token.
    fileprivate func auditDetail(client: String?) -> JSONObject {
        var detail: JSONObject
        switch self {
        case .token(let grant):
            detail = ["outcome": "token", "scopes": .array(grant.scopes.map(JSONValue.string))]
        case .revoked: detail = ["outcome": "revoked"]
        case .reauthorizationRequired: detail = ["outcome": "reauthorization_required"]
        case .scopeMissing(let scopes):
            detail = ["outcome": "scope_missing", "missing": .array(scopes.map(JSONValue.string))]
        case .temporarilyUnavailable: detail = ["outcome": "temporarily_unavailable"]
        }
        detail["client"] = client.map(JSONValue.string)
        return detail
    }
}
