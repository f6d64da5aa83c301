import Foundation

/// A folder of one test, gone with it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        let parent =
            ProcessInfo.processInfo.environment["TESTS_TMP"] ?? FileManager.default.temporaryDirectory.path
        path = "\(parent)/broker-\(randomText(12))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String, permissions: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: file(name)))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file(name))
    }

    func text(of name: String) throws -> String {
        try String(contentsOfFile: file(name), encoding: .utf8)
    }

    /// What lies in the folder.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    func permissions(of name: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? NSNumber)?.intValue
    }
}

/// `count` random letters and digits; with the default length nothing else anywhere contains them by chance.
func randomText(_ count: Int = 32) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<count).compactMap { _ in alphabet.randomElement() })
}
