/// The reason to refuse a copy, a switch or a restore.
package enum TransferRefusal: Error, Sendable, Hashable {
    /// Only a SQLite file can say what changes in it while it is copied.
    case sourceIsNoSQLiteFile
    case sameStore
    case targetIsNotEmpty
    /// The two ends were made by different versions of the broker.
    case differentSchemas
    /// One of the two stores takes part in a copy with a third.
    case anotherCopy
    /// Another process continues this copy at this moment.
    case continuedElsewhere
    case movedAlready
    case notMoving
    /// The rollback of an earlier copy is not finished.
    case withdrawing
    /// These tables are not the same at both ends.
    case tablesDiffer([String])
}

extension TransferRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .sourceIsNoSQLiteFile:
            "only a SQLite store can be copied while it is written to: use broker store backup and restore"
        case .sameStore: "source and target are the same database"
        case .targetIsNotEmpty:
            "the target is not empty and nothing was written to it: name an empty database, or empty this one yourself"
        case .differentSchemas:
            "source and target have different schemas: let the same version of broker bring both up to date"
        case .anotherCopy:
            "one of the two takes part in another copy that has not ended: finish it, or take it back with "
                + "broker store copy --rollback and the database it went to"
        case .continuedElsewhere: "another process continues this copy at this moment: let it"
        case .movedAlready: "the store was moved there already: serve with that configuration"
        case .notMoving: "this store takes part in no copy: there is nothing to take back"
        case .withdrawing: "the copy is being taken back: run broker store copy --rollback again first"
        case .tablesDiffer(let tables): "these tables differ: \(tables.joined(separator: ", "))"
        }
    }
}
