import Foundation

/// Reads a file that an operator named. The error says why the file cannot be read: it does not exist, or the system
/// denies it to the named user.
enum ReadableFile {
    /// - Parameters:
    ///   - path: The file.
    ///   - name: What it holds, such as `the master key`; nil where its name says so.
    ///   - fix: What to do when it is not there.
    /// - Returns: What it holds.
    /// - Throws: ``ConfigurationError``.
    static func bytes(
        of path: String, named name: String? = nil, ifMissing fix: String
    ) throws(ConfigurationError) -> Data {
        if let data = FileManager.default.contents(atPath: path) { return data }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let code = descriptor < 0 ? errno : EISDIR
        if descriptor >= 0 { close(descriptor) }
        let subject = name.map { "\($0) " } ?? ""
        switch code {
        case ENOENT: throw ConfigurationError(path, "\(subject)cannot be read: there is no such file.", fix: fix)
        case EACCES, EPERM:
            throw ConfigurationError(
                path, "\(subject)cannot be read: permission denied for \(reader)\(owner(of: path)).",
                fix: "Run broker as the file's owner, or change the owner (chown).")
        default:
            throw ConfigurationError(path, "\(subject)cannot be read: \(String(cString: strerror(code))).", fix: fix)
        }
    }

    /// The account that tries to read.
    private static var reader: String { "user \(NSUserName()) (uid \(geteuid()))" }

    /// The owner of the file; unknown when a parent folder cannot be read.
    private static func owner(of path: String) -> String {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
        else { return ", who may not enter its folder" }
        let owner = attributes[.ownerAccountName] as? String
        let number = (attributes[.ownerAccountID] as? NSNumber).map { "uid \($0)" }
        return "; it belongs to \(owner ?? number ?? "another user"), mode \(String(mode, radix: 8))"
    }
}
