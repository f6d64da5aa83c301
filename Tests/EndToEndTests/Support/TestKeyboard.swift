import Foundation
import Testing

/// The keyboard of a terminal: a named pipe whose other end the terminal reads.
struct TestKeyboard {
    let path: String

    init(in folder: TestFolder) throws {
        path = folder.file("keyboard-\(randomText(8))")
        try #require(mkfifo(path, 0o600) == 0)
    }

    /// Types keys, once the terminal is there.
    func type(_ keys: String) throws {
        let pipe = try #require(FileHandle(forWritingAtPath: path))
        try pipe.write(contentsOf: Data(keys.utf8))
        try pipe.close()
    }
}
