import Foundation
import Testing

/// The Python of the test run, which has the packages tests use.
enum TestPython {
    /// Its interpreter.
    static func path() throws -> String {
        try #require(
            ProcessInfo.processInfo.environment["TESTS_PYTHON"],
            "run ./scripts/test: it installs the Python packages tests use and names their interpreter")
    }
}
