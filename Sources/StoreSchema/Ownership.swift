/// Whose rows a table has, and what each flow does with the rows of a user.
package struct Ownership: Sendable, Hashable {
    /// The column that leads to the user.
    package enum Owner: Sendable, Hashable {
        /// The table of the users themselves.
        case own
        /// Holds the user's key.
        case user(String)
        /// Holds the key of one of the user's identities. The row stays with its identity; what is declared for a merge and
        /// its undo happens where another identity takes that one's place.
        case identity(String)
        /// Holds the user's local id.
        case localID(String)
        /// Provider, issuer and subject of one of the user's identities.
        case subject
        /// Its rows belong to no user.
        case noUser
    }

    /// What a flow does with a row.
    package enum Disposition: String, Sendable, Hashable {
        /// It becomes the other user's.
        case move
        /// It stays as it is.
        case keep
        /// It ends with an effect outside: an event, a logout token, a withdrawal at the provider.
        case end
        /// It is removed without a trace, or was there only as long as its user.
        case drop
        /// It is not part of what is written.
        case leaveOut
    }

    package let owner: Owner
    /// A merge, with the rows of the absorbed user.
    package let merge: Disposition
    /// The undo of a merge, with the rows that the remaining user got by it.
    package let undo: Disposition
    /// An export of users: ``Disposition/keep`` or ``Disposition/leaveOut``.
    package let export: Disposition
    /// The sealed snapshot of a merge: ``Disposition/keep`` or ``Disposition/leaveOut``.
    package let snapshot: Disposition
    /// The deletion of the user.
    package let deletion: Disposition

    /// Rows that belong to users. There is no default: each flow is decided for each table.
    package static func rows(
        of owner: Owner, merge: Disposition, undo: Disposition, export: Disposition, snapshot: Disposition,
        deletion: Disposition
    ) -> Ownership {
        Ownership(
            owner: owner, merge: merge, undo: undo, export: export, snapshot: snapshot, deletion: deletion)
    }

    /// Rows that belong to no user: none of the flows touches them.
    package static let noUser = Ownership(
        owner: .noUser, merge: .keep, undo: .keep, export: .leaveOut, snapshot: .leaveOut, deletion: .keep)
}
