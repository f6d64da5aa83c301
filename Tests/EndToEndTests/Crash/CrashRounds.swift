import Foundation

/// How often a broker is killed in each test of it.
enum CrashRounds {
    /// `BROKER_TEST_ROUNDS` raises the number for a soak run.
    static let count = ProcessInfo.processInfo.environment["BROKER_TEST_ROUNDS"].flatMap { Int($0) } ?? 3
}
