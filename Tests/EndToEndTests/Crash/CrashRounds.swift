import Foundation

/// How often a broker is killed in each test of it.
enum CrashRounds {
    /// `TESTS_ROUNDS` raises the number for a soak run.
    static let count = ProcessInfo.processInfo.environment["TESTS_ROUNDS"].flatMap { Int($0) } ?? 3
}
