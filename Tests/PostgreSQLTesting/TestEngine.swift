import Foundation
import Synchronization
import Testing

/// The databases a store can be kept in.
package enum TestEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite
    case postgreSQL = "postgresql"

    /// The one this run of the tests of the whole broker is for: `BROKER_TEST_DATABASE`, `sqlite` when not set.
    ///
    /// Nothing else reads that variable, and every use is recorded: a test that does not come here behaves alike for
    /// either engine. `./scripts/test` repeats only the tests that do. So ask anew whenever the engine matters instead of
    /// storing the answer for other tests.
    package static var current: TestEngine {
        recordUse()
        guard let name = ProcessInfo.processInfo.environment["BROKER_TEST_DATABASE"] else { return .sqlite }
        guard let engine = TestEngine(rawValue: name) else {
            preconditionFailure("BROKER_TEST_DATABASE is sqlite or postgresql, not \(name)")
        }
        return engine
    }

    package var description: String { rawValue }

    private static let users = Mutex<Set<String>>([])

    /// Appends the test that runs to the file `BROKER_TEST_ENGINE_USES`, once; a dash when no test is known.
    private static func recordUse() {
        guard let path = ProcessInfo.processInfo.environment["BROKER_TEST_ENGINE_USES"] else { return }
        let name = Test.current.map { "\($0.id)" } ?? "-"
        users.withLock { users in
            guard users.insert(name).inserted else { return }
            guard let file = FileHandle(forWritingAtPath: path) else { preconditionFailure("cannot write \(path)") }
            defer { try? file.close() }
            do {
                try file.seekToEnd()
                try file.write(contentsOf: Data("\(name)\n".utf8))
            } catch {
                preconditionFailure("cannot write \(path): \(error)")
            }
        }
    }
}
