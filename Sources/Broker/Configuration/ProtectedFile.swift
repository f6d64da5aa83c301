import Foundation

/// A file that holds a secret: it is refused when other accounts of this host can read it.
enum ProtectedFile {
    /// - Parameters:
    ///   - path: The file, or a link to it.
    ///   - name: What it holds, for the error's words, such as `the master key`.
    ///   - fix: What to do when it is not there.
    ///   - environment: Where systemd says which folder holds the service's credentials.
    /// - Returns: What it holds.
    /// - Throws: ``ConfigurationError`` when it cannot be read, or others can.
    static func bytes(
        of path: String, named name: String, fix: String, environment: [String: String]
    ) throws(ConfigurationError) -> Data {
        // Secret mounts are links; what counts is the file behind them.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let data = try ReadableFile.bytes(of: target, named: name, ifMissing: fix)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else {
            throw ConfigurationError(path, "\(name) cannot be read.", fix: fix)
        }
        let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        guard permissions & (isCredential(target, environment: environment) ? 0o037 : 0o077) == 0 else {
            throw ConfigurationError(path, "others on this host can read \(name).", fix: "chmod 600 it.")
        }
        return data
    }

    /// Whether `file` is in the folder systemd made for this service's credentials. Only the service can enter it, and
    /// where an access control list lets it in, the list's mask shows as a permission of the group (systemd.exec(5)).
    static func isCredential(_ file: String, environment: [String: String]) -> Bool {
        guard let credentials = environment["CREDENTIALS_DIRECTORY"], credentials.hasPrefix("/") else { return false }
        return file.hasPrefix(URL(filePath: credentials).resolvingSymlinksInPath().path + "/")
    }
}
