/// How far work on all rows of a store is, for the operator.
package struct StoreProgress: Sendable, Hashable {
    package enum Work: Sendable, Hashable {
        /// Rows are copied to another store.
        case copying
        /// Changes that were made during a copy are applied.
        case following
        /// Rows are read, and compared with those of another store.
        case comparing
        /// Rows are read.
        case reading
        /// Rules that every store keeps are checked.
        case checking
        case removing
        /// Bytes of a file are written.
        case writing
    }

    package let work: Work
    /// The table whose rows were the last.
    package let table: String?
    /// Rows, changes, rules or bytes.
    package let done: Int
    /// How many there are altogether, where that is known. More may come meanwhile.
    package let total: Int?

    init(_ work: Work, table: String? = nil, _ done: Int, of total: Int?) {
        self.work = work
        self.table = table
        self.done = done
        self.total = total
    }
}
