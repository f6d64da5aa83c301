import Foundation
import Logging

/// The log file of a demo's broker, separate from the demo's output. It outlives the demo, because an error page may
/// show the id of a request in it.
struct DemoLog: Sendable {
    let path: String
    private let file: FileHandle
    private let isTemporary: Bool

    /// Opens `broker.log` in the folder of `--data`, or a file beside the temporary folder.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be opened.
    init(_ folder: DemoFolder) throws(CommandFailure) {
        let folderPath = URL(filePath: folder.path).standardizedFileURL.path
        path = folder.isTemporary ? folderPath + ".log" : folderPath + "/broker.log"
        isTemporary = folder.isTemporary
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(code: "CANNOT_WRITE", "the log \(path) cannot be written") }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Appends a line. On a full disk the line is lost and the demo continues.
    @Sendable func write(_ line: String, at level: Logger.Level) {
        try? file.write(contentsOf: Data((line + "\n").utf8))
    }

    func removeIfTemporary() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
