import Foundation

/// Reads what must never stand on a command line, where every other user of the host could read it.
enum SecretInput {
    private static let maximumSize = 64 << 10

    /// The text of a file, or of standard input for `-`, without white space around it.
    ///
    /// - Returns: `nil` when there is none, or more than any secret has.
    static func text(_ path: String) -> String? {
        let data =
            path == "-"
            ? try? FileHandle.standardInput.read(upToCount: maximumSize)
            : FileManager.default.contents(atPath: path)
        guard let data, !data.isEmpty, data.count <= maximumSize else { return nil }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
