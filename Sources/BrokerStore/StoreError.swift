/// An error of the store.
///
/// Holds no value of any row: it may be logged as it is.
package struct StoreError: Error, Sendable, Hashable {
    /// The kind of fault, by the required reaction.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Another process held the store for longer than the busy time-out. Nothing was written; a retry may succeed.
        case busy
        /// The store cannot be reached or the operating system refused an operation on its files.
        case unavailable
        /// The store failed in the middle of a commit: the change may be there after a restart, or not.
        case outcomeUnknown
        /// The store's data is inconsistent.
        case corrupt
        /// The file belongs to another program.
        case foreignFile
        /// A file is there already that was to be written anew. It was not touched.
        case fileExists
        /// The schema was made by a later version of the broker.
        case newerSchema
        /// There is no room left. Nothing was written.
        case diskFull
        /// Something wrote where only reading is allowed.
        case readOnly
        /// A constraint of the schema refused the change. Expected conflicts never come this way.
        case constraint
        /// Another row has the private key of a new one: two processes drew the same. The transaction is repeated with
        /// new keys first, so this comes out only when that did not help.
        case rowKeyTaken
        /// The store was closed.
        case closed
        /// The data is moved, or being moved, to another database: a write here would be lost.
        case moved
        /// A copy or a restore into this store has begun and not ended.
        case unfinished
        /// A statement and what it was given do not fit: a mistake of ours.
        case misuse
    }

    package let kind: Kind
    /// For the operator's log. Names files, statements and constraints, never values.
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { "\(kind.rawValue): \(reason)" }
}
