import Foundation
import ProviderKit

/// The sign-in settings in the files of an iOS or macOS app.
package struct AppFiles: Sendable, Hashable {
    /// The schemes of CFBundleURLTypes; nil without an Info.plist.
    package var schemes: [String]?
    /// LSApplicationQueriesSchemes; nil without an Info.plist.
    package var queriesSchemes: [String]?
    /// The hosts of the `applinks:` entries; nil without entitlements.
    package var linkedHosts: [String]?
    package var hasAppleSignIn: Bool?
    /// The packages of Package.resolved; nil without the file.
    package var packages: [Package]?

    package struct Package: Sendable, Hashable {
        package let identity: String
        /// Nil for one that is pinned to a branch or a commit.
        package let version: String?
    }

    /// A file that cannot be read for what it should be.
    package struct Unreadable: Error, Sendable {
        package let path: String
        package let reason: String
    }

    /// Reads the files that are named. Property lists may be XML or binary.
    ///
    /// - Throws: ``Unreadable``.
    package init(infoPlist: String?, entitlements: String?, resolved: String?) throws {
        if let infoPlist {
            let list = try Self.propertyList(infoPlist)
            let types = list["CFBundleURLTypes"] as? [[String: Any]] ?? []
            schemes = types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
            queriesSchemes = list["LSApplicationQueriesSchemes"] as? [String] ?? []
        }
        if let entitlements {
            let list = try Self.propertyList(entitlements)
            let domains = list["com.apple.developer.associated-domains"] as? [String] ?? []
            linkedHosts = domains.filter { $0.hasPrefix("applinks:") }.map(Self.host)
            hasAppleSignIn = (list["com.apple.developer.applesignin"] as? [String])?.isEmpty == false
        }
        if let resolved { packages = try Self.packages(resolved) }
    }

    /// `applinks:app.example?mode=developer` as `app.example`.
    private static func host(_ entry: String) -> String {
        String(entry.dropFirst("applinks:".count).prefix { $0 != "?" }).lowercased()
    }

    private static func propertyList(_ path: String) throws -> [String: Any] {
        let data = try contents(path)
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw Unreadable(path: path, reason: "is no property list with a dictionary")
        }
        return list
    }

    /// Versions 1 to 3 of the file.
    private static func packages(_ path: String) throws -> [Package] {
        let file = try? JSONValue(parsing: [UInt8](try contents(path)))
        guard let pins = (file?["pins"] ?? file?["object"]?["pins"])?.array else {
            throw Unreadable(path: path, reason: "is no Package.resolved: it has no pins")
        }
        return pins.compactMap { pin in
            guard let identity = pin["identity"]?.string ?? pin["package"]?.string else { return nil }
            return Package(identity: identity.lowercased(), version: pin["state"]?["version"]?.string)
        }
    }

    private static func contents(_ path: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw Unreadable(path: path, reason: "cannot be read")
        }
    }
}
