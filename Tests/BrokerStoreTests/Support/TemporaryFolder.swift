import Foundation

/// A folder of one test, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let parent =
            ProcessInfo.processInfo.environment["TESTS_TMP"] ?? FileManager.default.temporaryDirectory.path
        path = "\(parent)/store-\(randomText(12))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// `count` random letters and digits.
func randomText(_ count: Int = 28) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).compactMap { _ in alphabet.randomElement() })
}

/// `count` random bytes.
func randomBytes(_ count: Int = 32) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max) }
}
