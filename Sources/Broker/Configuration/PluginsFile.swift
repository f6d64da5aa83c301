import Foundation
package import ProviderKit

/// `plugins.json`: the providers this broker offers.
package struct PluginsFile: Sendable {
    package let path: String
    package let entries: [Entry]

    /// One entry: one instance of one plugin.
    package struct Entry: Sendable {
        /// The wire's `providerId`.
        package let id: String
        package let use: ProviderKind
        /// The name of the instance on pages; absent for the plugin's own name.
        package let displayName: String?
        package let isEnabled: Bool
        /// The operator's setting; absent means the default for the instance.
        package let trustEmail: Bool?
        /// Whether users that the provider reports as the same account are merged without an administrator's decision.
        package let autoMerge: Bool
        package let allowsInsecureLoopback: Bool
        /// Private addresses its provider may be at.
        package let privateNetworks: [PrivateNetwork]
        /// The scopes and parameters that applications may add to authorization requests.
        package let allowance: AuthorizationAllowance
        package let options: JSONValue
        /// Its position in the file, as a JSON Pointer.
        let pointer: String
    }

    /// Reads the file and matches its entries with the plugins of this build.
    ///
    /// - Throws: ``ConfigurationError``.
    package static func load(
        path: String, plugins: [ProviderPlugin]
    ) throws(ConfigurationError) -> PluginsFile {
        let file = try StrictFile.decode(
            Shape.self, path: path, hint: "Run broker init to write one.", secrets: SecretSource())
        var entries: [Entry] = []
        for (index, shape) in file.providers.enumerated() {
            let entry = try entry(shape, at: "/providers/\(index)", in: path, plugins: plugins)
            guard !entries.contains(where: { $0.id == entry.id }) else {
                throw ConfigurationError(
                    path, at: "/providers/\(index)/id", "\(entry.id) is taken by an earlier entry.",
                    fix: "Give each instance its own id.")
            }
            entries.append(entry)
        }
        return PluginsFile(path: path, entries: entries)
    }

    private static func entry(
        _ shape: EntryShape, at pointer: String, in path: String, plugins: [ProviderPlugin]
    ) throws(ConfigurationError) -> Entry {
        guard let plugin = plugins.first(where: { $0.kind.rawValue == shape.use }) else {
            let known = plugins.map(\.kind.rawValue).sorted().joined(separator: ", ")
            throw ConfigurationError(
                path, at: pointer + "/use", "\(shape.use) is no plugin of this build.", fix: "It has: \(known).")
        }
        guard let id = shape.id ?? plugin.publicInstance?.id else {
            throw ConfigurationError(path, at: pointer + "/id", "is missing.", fix: "Name the instance.")
        }
        guard id.utf8.allSatisfy(isIDByte), (1...64).contains(id.utf8.count) else {
            throw ConfigurationError(
                path, at: pointer + "/id", "must be 1 to 64 of a-z, 0-9, dot, - and _.",
                fix: #"Write "\#(shape.use).<name>"."#)
        }
        guard !genericKinds.contains(shape.use) || isGenericID(id, of: shape.use) else {
            let others = FirebaseProviderID.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError(
                path, at: pointer + "/id", "\(id) is no name for an entry of \(shape.use).",
                fix: #"Write "\#(shape.use).<name>", or one of \#(others)."#)
        }
        guard !reservedIDs.contains(id) else {
            throw ConfigurationError(
                path, at: pointer + "/id", "\(id) means something else in tokens.",
                fix: #"Write "\#(shape.use).<name>"."#)
        }
        return Entry(
            id: id, use: plugin.kind, displayName: try shape.checkedDisplayName(at: pointer, in: path),
            isEnabled: shape.enabled ?? true, trustEmail: shape.trustEmail, autoMerge: shape.autoMerge ?? false,
            allowsInsecureLoopback: shape.allowInsecureLoopback ?? false,
            privateNetworks: try privateNetworks(shape.privateNetworks ?? [], at: pointer, in: path),
            allowance: try shape.allowance(at: pointer, in: path), options: shape.options ?? [:], pointer: pointer)
    }

    private static func privateNetworks(
        _ shapes: [EntryShape.Network], at pointer: String, in path: String
    ) throws(ConfigurationError) -> [PrivateNetwork] {
        var networks: [PrivateNetwork] = []
        for (index, shape) in shapes.enumerated() {
            let place = "\(pointer)/privateNetworks/\(index)"
            guard let range = AddressRange(shape.range) else {
                throw ConfigurationError(
                    path, at: place + "/range", "is no address range.", fix: "Write one such as 10.20.0.0/16.")
            }
            let ports = shape.ports ?? PrivateNetwork.defaultPorts
            guard !ports.isEmpty, ports.allSatisfy({ (1...65_535).contains($0) }) else {
                throw ConfigurationError(path, at: place + "/ports", "must be numbers between 1 and 65535.")
            }
            networks.append(PrivateNetwork(range: range, ports: Set(ports)))
        }
        return networks
    }

    /// Names the tokens use for other ways to sign in (contract §5.1).
    private static let reservedIDs: Set<String> = ["anonymous", "custom", "email", "password", "phone"]

    /// Plugins that are many providers: their entries' ids say so, as client SDKs expect of `oidc.` (contract §7.8).
    private static let genericKinds: Set<String> = ["oauth2", "oidc"]

    private static func isGenericID(_ id: String, of kind: String) -> Bool {
        FirebaseProviderID(rawValue: id) != nil || id.hasPrefix(kind + ".") && id != kind + "."
    }

    private static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private struct Shape: Decodable {
        let schema: String?
        let providers: [EntryShape]

        enum CodingKeys: String, CodingKey {
            case schema = "$schema"
            case providers
        }
    }
}
