import Foundation

/// The folder of a demo's files: the one of `--data`, or a temporary one.
struct DemoFolder {
    let path: String
    let isTemporary: Bool

    /// - Throws: ``CommandFailure`` when the folder cannot be created.
    init(_ chosen: String?) throws(CommandFailure) {
        isTemporary = chosen == nil
        path =
            chosen ?? FileManager.default.temporaryDirectory.appending(path: "broker-demo-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(code: "CANNOT_WRITE", "the folder \(path) cannot be created")
        }
    }

    func removeIfTemporary() {
        if isTemporary { try? FileManager.default.removeItem(atPath: path) }
    }
}
