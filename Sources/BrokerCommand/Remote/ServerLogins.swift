import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// The remote brokers at which this user is logged in, with their admin tokens. The file is readable by its owner only.
struct ServerLogins: Codable {
    /// One remote broker.
    struct Login: Codable {
        let url: String
        let token: String
        /// A file with the certificate authority of the broker; nil trusts what the system trusts.
        let caFile: String?
    }

    /// The URL of the broker that commands use unless `--server` names another.
    private(set) var current: String?
    private(set) var servers: [Login] = []

    /// Reads the logins. There are none without a file.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be used, or others on this host can read or change it.
    static func load(_ path: String = Self.path()) throws(CommandFailure) -> ServerLogins {
        guard FileManager.default.fileExists(atPath: path) else { return ServerLogins() }
        // What counts is the file behind a link.
        let file = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue,
            let contents = FileManager.default.contents(atPath: file)
        else { throw unusable("\(path) cannot be read") }
        // Who can write to it sends the tokens to a host of their own.
        guard permissions & 0o077 == 0 else {
            throw unusable(
                "others on this host can read or change \(path), which has admin tokens: take the permission away "
                    + "(chmod 600 \(path)), and revoke the tokens if others have had it")
        }
        do {
            return try JSONValue.decode(ServerLogins.self, parsing: Array(contents))
        } catch {
            // The error is not shown: it may repeat a token.
            throw unusable("\(path) is damaged: remove it and run broker login again")
        }
    }

    private static func unusable(_ text: String) -> CommandFailure {
        CommandFailure(code: "LOGIN_FILE", text, exitCode: ExitCode(78))
    }

    /// Writes the logins, whole or not at all.
    ///
    /// - Throws: ``CommandFailure``.
    func save(_ path: String = Self.path()) throws(CommandFailure) {
        do {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try PrivateFiles.replace(path, with: JSONValueEncoder().encode(self).indented() + "\n")
        } catch {
            throw CommandFailure(code: "CANNOT_WRITE", "\(path) cannot be written")
        }
    }

    subscript(url: String) -> Login? { servers.first { $0.url == url } }

    /// Adds or replaces a login, and makes it the current one.
    mutating func add(_ login: Login) {
        servers.removeAll { $0.url == login.url }
        servers.append(login)
        current = login.url
    }

    /// Makes a broker the current one.
    ///
    /// - Returns: Whether there is a login for it.
    mutating func select(_ url: String) -> Bool {
        guard self[url] != nil else { return false }
        current = url
        return true
    }

    /// Removes a login. The one added last becomes the current one.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ url: String) -> Bool {
        guard self[url] != nil else { return false }
        servers.removeAll { $0.url == url }
        if current == url { current = servers.last?.url }
        return true
    }

    /// `broker/servers.json` in the user's configuration folder (XDG Base Directory Specification).
    static func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        // The specification ignores relative paths.
        let configured = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"] ?? NSHomeDirectory()
        return (configured ?? home + "/.config") + "/broker/servers.json"
    }
}
