import StrictJSON

/// The key of an identity: unique in the store, set by the broker, compared byte by byte.
package struct IdentityKey: Sendable, Hashable {
    /// The id of the provider entry, `github.com`.
    package var provider: String
    /// The issuer or the instance that knows the subject.
    package var issuer: String
    /// The issuer's permanent subject of the user.
    package var subject: String

    package init(provider: String, issuer: String, subject: String) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
    }
}

extension IdentityKey {
    // Swift's String treats canonically equivalent texts as equal; to an issuer they are different subjects.
    package static func == (left: IdentityKey, right: IdentityKey) -> Bool {
        left.provider.hasSameBytes(as: right.provider) && left.issuer.hasSameBytes(as: right.issuer)
            && left.subject.hasSameBytes(as: right.subject)
    }

    package func hash(into hasher: inout Hasher) {
        for text in [provider, issuer, subject] {
            for byte in text.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xff))
        }
    }
}

extension IdentityKey {
    /// The key of the identity a subject stands for, `$1` to `$3` being provider, issuer and subject. Aliases are
    /// looked at only when no identity has the subject for its own.
    static let lookup = """
        coalesce(
            (SELECT own.key FROM identities AS own WHERE own.provider = $1 AND own.issuer = $2 AND own.subject = $3),
            (SELECT alias.identity_key FROM identity_aliases AS alias
                WHERE alias.provider = $1 AND alias.issuer = $2 AND alias.subject = $3))
        """

    /// The user of an alias, in the answer of a statement that changes it.
    static let userOfAlias = """
        (SELECT identities.user_key FROM identities WHERE identities.key = identity_aliases.identity_key)
        """

    package init(reading row: inout Row) throws(StoreError) {
        try self.init(provider: row.text(), issuer: row.text(), subject: row.text())
    }

    var values: [SQLValue] { [.text(provider), .text(issuer), .text(subject)] }
}
