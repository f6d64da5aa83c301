import BrokerClient
import Foundation

/// Keeps each user's notes in a folder of that user.
struct NotesFolders: AccountDataHandler {
    let root: URL

    func migrate(from oldUserID: String, to userID: String) async throws {
        let (source, target) = (root.appending(path: oldUserID), root.appending(path: userID))
        let files = FileManager.default
        guard files.fileExists(atPath: source.path) else { return }
        try files.createDirectory(at: target, withIntermediateDirectories: true)
        for note in try files.contentsOfDirectory(atPath: source.path) {
            try files.moveItem(at: source.appending(path: note), to: target.appending(path: "\(oldUserID)-\(note)"))
        }
        try files.removeItem(at: source)
    }

    func absorb(_ subjects: [String], into userID: String) async throws {}

    func uploadAnonymousData(of userID: String) async throws {}
}
