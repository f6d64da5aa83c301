import Foundation

/// The log of a demo's broker, in a file: standard error would mix it with what the demo shows. It stays when the demo
/// ends, since an error page may have shown a request's number by then.
struct DemoLog: Sendable {
    let path: String
    private let file: FileHandle
    private let isTemporary: Bool

    /// `broker.log` in a folder that is kept, otherwise a file beside the temporary folder.
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

    /// Appends a line. A full disk costs the line, not the demo.
    @Sendable func write(_ line: String) {
        try? file.write(contentsOf: Data((line + "\n").utf8))
    }

    func removeIfTemporary() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
