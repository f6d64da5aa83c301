import BrokerStore

/// How a rotation is measured: when a commit counts, and how many callers there are to share one.
struct RotationShape: Sendable, CustomStringConvertible {
    let synchronous: SQLiteOptions.Synchronous
    let callers: Int

    init(_ synchronous: SQLiteOptions.Synchronous, callers: Int) {
        self.synchronous = synchronous
        self.callers = callers
    }

    var description: String { "\(synchronous.rawValue), \(callers == 1 ? "1 caller" : "\(callers) callers")" }

    var storeName: CaseName { "Store.rotate, \(self)" }
    var rawUpdateName: CaseName { "UPDATE, \(synchronous.rawValue), \(callers) a commit" }
    var rawRotationName: CaseName { "two statements, \(synchronous.rawValue), \(callers) a commit" }
}
