import Foundation
import ProviderKit
import Synchronization

/// The permissions that other accounts of this host have on the broker's files.
///
/// A file that others can write to is refused: what stands in it decides who signs in. One that others can read is
/// warned about, since mounts such as those of Kubernetes secrets are readable (0644) by default. A group that the
/// broker's own account belongs to is not others.
enum FileExposure {
    /// - Parameters:
    ///   - path: A file or folder, or a link to it. One that is not there passes: its reader says so.
    ///   - name: What it is, for the error's words, such as `the database`.
    /// - Throws: ``ConfigurationError`` when others can write to it.
    static func requirePrivateWriting(_ path: String, named name: String) throws(ConfigurationError) {
        guard permits(0o222, at: path) else { return }
        throw ConfigurationError(
            path, "others on this host can write to \(name).", fix: "Take the permission away: chmod go-w \(path)")
    }

    /// Whether others can read a file.
    static func isReadable(_ path: String) -> Bool { permits(0o444, at: path) }

    /// Whether others can open what is in a folder.
    static func isEnterable(_ path: String) -> Bool { permits(0o111, at: path) }

    /// Whether others have one of the permissions in `mask`.
    private static func permits(_ mask: Int, at path: String) -> Bool {
        // Secret mounts are links; what counts is the file behind them.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let permissions = (attributes[.posixPermissions] as? NSNumber)?.intValue
        else { return false }
        let group = (attributes[.groupOwnerAccountID] as? NSNumber)?.uint32Value
        let others = group.map(ownGroups.contains) == true ? 0o007 : 0o077
        return permissions & mask & others != 0
    }

    private static let ownGroups: Set<UInt32> = {
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(Int32(groups.count), &groups)
        return Set(groups.prefix(max(0, Int(count))).map { UInt32($0) } + [UInt32(getegid())])
    }()
}

/// The files that secrets of the configuration were read from.
final class SecretFiles: Sendable {
    private let configuration: String
    private let environment: [String: String]
    private let paths = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - configuration: The file that holds secrets or names them.
    ///   - environment: Where `{"env": …}` secrets are looked up.
    init(configuration: String, environment: [String: String]) {
        self.configuration = configuration
        self.environment = environment
    }

    /// The source of the configuration's secrets; it refuses a secret file that others can write to.
    var source: SecretSource {
        let folder = URL(filePath: configuration).deletingLastPathComponent().path
        return SecretSource(
            environment: environment, folder: folder,
            onRead: { [self] (place: SecretSource.Place) throws(SecretSource.Refusal) in try note(place) })
    }

    /// Those that others on this host can read.
    var readable: [String] {
        paths.withLock(\.self).sorted().filter {
            FileExposure.isReadable($0) && !ProtectedFile.isCredential($0, environment: environment)
        }
    }

    private func note(_ place: SecretSource.Place) throws(SecretSource.Refusal) {
        switch place {
        case .text: paths.withLock { _ = $0.insert(configuration) }
        case .file(let path):
            do {
                try FileExposure.requirePrivateWriting(path, named: "the secret")
            } catch {
                throw SecretSource.Refusal(reason: "others on this host can write to \(path): chmod go-w it")
            }
            paths.withLock { _ = $0.insert(path) }
        }
    }
}
