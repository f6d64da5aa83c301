import Foundation

/// The databases a store can be kept in.
package enum TestEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite
    case postgreSQL = "postgresql"

    /// The one this run of the tests of the whole broker is for: `BROKER_TEST_DATABASE`, `sqlite` when not set.
    package static var current: TestEngine {
        guard let name = ProcessInfo.processInfo.environment["BROKER_TEST_DATABASE"] else { return .sqlite }
        guard let engine = TestEngine(rawValue: name) else {
            preconditionFailure("BROKER_TEST_DATABASE is sqlite or postgresql, not \(name)")
        }
        return engine
    }

    package var description: String { rawValue }
}
