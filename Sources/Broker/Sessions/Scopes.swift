import OAuth
import ProviderKit

/// The scopes that a client may be granted (RFC 6749 §3.3, OpenID Connect Core §5.4 and §11).
package enum Scope: String, Sendable, Hashable, CaseIterable {
    /// An ID token.
    case openid
    /// The user's name and picture.
    case profile
    /// The user's e-mail address.
    case email
    /// The user's custom claims.
    case claims
    /// A refresh token.
    case offlineAccess = "offline_access"
    /// The user's own account: identities, sessions, deletion.
    case account
}

/// A set of scopes, in the order of ``Scope``.
package struct Scopes: Sendable, Hashable {
    private let members: Set<Scope>

    package init(_ members: Set<Scope>) {
        self.members = members
    }

    /// Reads the names that are known here; others are ignored, as OpenID Connect Core §3.1.2.1 wants it.
    ///
    /// - Parameter text: Names separated by spaces.
    package init(_ text: String) {
        members = Set(
            ScopeList(text).scopes.compactMap { name in Scope.allCases.first { $0.rawValue.hasSameBytes(as: name) } })
    }

    func union(_ further: Set<Scope>) -> Scopes { Scopes(members.union(further)) }

    package func contains(_ scope: Scope) -> Bool { members.contains(scope) }

    /// Names separated by spaces.
    package var text: String { Scope.allCases.filter(members.contains).map(\.rawValue).joined(separator: " ") }

    /// Those a client wants less than it was granted (RFC 6749 §6); `nil` when it names something it was not granted.
    func narrowed(to text: String) -> Scopes? {
        let names = ScopeList(text).scopes
        let wanted = Scopes(text)
        guard !names.isEmpty, wanted.members.count == Set(names.map(ExactName.init)).count,
            wanted.members.isSubset(of: members)
        else { return nil }
        return wanted
    }
}
