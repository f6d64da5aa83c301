import Foundation
import Synchronization
package import Testing

/// The databases a store can be kept in.
package enum TestEngine: String, CaseIterable, Sendable, CustomStringConvertible {
    case sqlite
    case postgreSQL = "postgresql"

    /// The one this run of the tests of the whole broker is for: `TESTS_DATABASE`, `sqlite` when not set.
    ///
    /// Nothing else reads that variable, and every use is recorded: a test that does not come here behaves alike for
    /// either engine. `./scripts/test` repeats only the tests that do, but for those with the trait ``OneEngine``. So ask
    /// anew whenever the engine matters instead of storing the answer for other tests.
    package static var current: TestEngine {
        if !OneEngine.applies { recordUse() }
        guard let name = ProcessInfo.processInfo.environment["TESTS_DATABASE"] else { return .sqlite }
        guard let engine = TestEngine(rawValue: name) else {
            preconditionFailure("TESTS_DATABASE is sqlite or postgresql, not \(name)")
        }
        return engine
    }

    package var description: String { rawValue }

    private static let users = Mutex<Set<String>>([])

    /// Appends the test that runs to the file `TESTS_ENGINE_USES`, once; a dash when no test is known.
    private static func recordUse() {
        guard let path = ProcessInfo.processInfo.environment["TESTS_ENGINE_USES"] else { return }
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

/// A test that examines another part than the store, such as a page in a browser or a library of an app, although its broker
/// has a store: `./scripts/test` does not repeat it. The store's part in it has tests of its own on both engines.
package struct OneEngine: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var applies = false

    /// The part that is examined.
    package let comments: [Comment]

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Self.$applies.withValue(true) { try await function() }
    }
}

extension Trait where Self == OneEngine {
    package static func oneEngine(_ examined: Comment) -> OneEngine { OneEngine(comments: [examined]) }
}
