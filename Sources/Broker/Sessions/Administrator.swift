/// An authenticated administrator: the bearer of a valid admin credential or a session of the console, with its scopes.
package struct Administrator: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// An admin token (`bat1_…`).
        case token
        /// A service account, authenticated by an access token of the OAuth exchange (RFC 7523).
        case serviceAccount = "service-account"
        /// An administrator of the console, by a session there.
        case console
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
        case .console: "console:" + id
        }
    }
}
