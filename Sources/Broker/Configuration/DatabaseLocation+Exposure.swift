import Foundation

extension DatabaseLocation {
    /// Refuses a data folder or database file that others on this host can write to. A server is not on this host's
    /// file system.
    ///
    /// - Throws: ``ConfigurationError``.
    func requirePrivateWriting() throws(ConfigurationError) {
        guard case .sqlite(let path) = self else { return }
        try FileExposure.requirePrivateWriting(
            URL(filePath: path).deletingLastPathComponent().path, named: "the data folder")
        for file in [path, path + "-wal", path + "-shm"] {
            try FileExposure.requirePrivateWriting(file, named: "the database")
        }
    }

    /// The database file when others on this host can read it.
    var readableFiles: [String] {
        guard case .sqlite(let path) = self,
            FileExposure.isEnterable(URL(filePath: path).deletingLastPathComponent().path)
        else { return [] }
        return [path].filter(FileExposure.isReadable)
    }
}

extension Configuration {
    /// The files of this broker with secrets or personal data that others on this host can read; those of its providers
    /// are found with their secrets.
    var readableFiles: [String] { (secretFiles?.readable ?? []) + database.readableFiles }
}
