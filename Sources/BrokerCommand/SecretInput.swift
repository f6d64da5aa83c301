import Foundation

/// A secret from a file or standard input. Command-line arguments are visible to every user of the host.
enum SecretInput {
    private static let maximumSize = 64 << 10

    /// The text of a file, or of standard input for `-`, without white space around it.
    ///
    /// - Returns: `nil` when the input is empty, unreadable, larger than 64 KiB, not UTF-8, or has U+0000.
    static func text(_ path: String) -> String? {
        let data =
            path == "-"
            ? try? FileHandle.standardInput.read(upToCount: maximumSize)
            : FileManager.default.contents(atPath: path)
        guard let data, !data.isEmpty, data.count <= maximumSize, !data.contains(0),
            let text = String(validating: data, as: UTF8.self)
        else { return nil }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
