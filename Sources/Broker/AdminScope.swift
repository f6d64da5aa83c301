import OAuth

/// A right of an admin credential. The list is closed: a credential has no right that is not named here.
package enum AdminScope: String, Sendable, Hashable, CaseIterable {
    /// Implies every other scope; the only one for admin credentials, signing keys and the vault.
    case admin
    case readUsers = "users:read"
    case writeUsers = "users:write"
    /// Reads access tokens of providers that users have granted.
    case readProviderTokens = "provider-tokens:read"
    case readConfiguration = "configuration:read"
    case writeConfiguration = "configuration:write"
    /// Changes what decides whose proof counts: a provider's issuer, endpoints, client and trust.
    case trustProviders = "providers:trust"
    case readAudit = "audit:read"
    case readEvents = "events:read"
    case writeEvents = "events:write"
    /// Introspects the tokens that users send to a backend (RFC 7662).
    case introspectTokens = "tokens:introspect"

    /// The sentence that tells a caller without the right what is needed.
    var requirement: String { "The credential needs the scope \(rawValue)." }

    /// The scopes of a list that is separated by spaces. A name that this broker does not know gives no right.
    static func set(_ list: String) -> Set<AdminScope> {
        Set(ScopeList(list).scopes.compactMap { AdminScope(rawValue: $0) })
    }

    /// The list for storage and tokens: sorted, separated by spaces.
    static func list(_ scopes: Set<AdminScope>) -> String {
        ScopeList(scopes.map(\.rawValue).sorted()).text
    }
}

extension Set<AdminScope> {
    /// Whether these rights include `scope`; ``AdminScope/admin`` implies every right.
    func grants(_ scope: AdminScope) -> Bool { contains(scope) || contains(.admin) }

    /// Those of `requested` that these rights include.
    func granted(of requested: Set<AdminScope>) -> Set<AdminScope> { requested.filter(grants) }
}
