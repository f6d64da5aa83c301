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

    /// The scopes of a list that is separated by spaces. A name that this broker does not know gives no right.
    static func set(_ list: String) -> Set<AdminScope> {
        Set(list.split(separator: " ").compactMap { AdminScope(rawValue: String($0)) })
    }

    /// The list for storage and tokens: sorted, separated by spaces.
    static func list(_ scopes: Set<AdminScope>) -> String {
        scopes.map(\.rawValue).sorted().joined(separator: " ")
    }
}

extension Set<AdminScope> {
    /// Whether these rights include `scope`; ``AdminScope/admin`` implies every right.
    func grants(_ scope: AdminScope) -> Bool { contains(scope) || contains(.admin) }

    /// Those of `requested` that these rights include.
    func granted(of requested: Set<AdminScope>) -> Set<AdminScope> { requested.filter(grants) }
}

/// An authenticated administrator: the bearer of a valid admin credential, with its scopes.
package struct Administrator: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// An admin token (`bat1_…`).
        case token
        /// A service account, authenticated by an access token of the OAuth exchange (RFC 7523).
        case serviceAccount = "service-account"
    }

    package let kind: Kind
    /// The public id of the credential.
    package let id: String
    /// The name that an administrator gave the credential.
    package let name: String
    package let scopes: Set<AdminScope>

    package init(kind: Kind, id: String, name: String, scopes: Set<AdminScope>) {
        self.kind = kind
        self.id = id
        self.name = name
        self.scopes = scopes
    }

    /// Whether the credential has a right; ``AdminScope/admin`` implies every right.
    package func has(_ scope: AdminScope) -> Bool { scopes.grants(scope) }

    /// The actor of its audit entries.
    package var actor: String {
        switch kind {
        case .token: "credential:" + id
        case .serviceAccount: "service-account:" + id
        }
    }
}
