import Foundation
package import ProviderKit

/// A provider entry: one instance of one plugin, from `plugins.json` or from the store.
package struct ProviderEntry: Sendable {
    /// The wire's `providerId`.
    package let id: String
    package let use: ProviderKind
    /// The name of the instance on pages; absent for the plugin's own name.
    package let displayName: String?
    /// The colours of its button; absent for those of the pages.
    package let button: ButtonColors?
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
    /// Where apps receive its authorization responses themselves.
    package let appRedirects: [AppRedirect]
    package let options: JSONValue
    package let place: Place

    /// The place of an entry.
    package enum Place: Sendable, Hashable {
        /// A file of the host; the pointer is the entry's place in it, as a JSON Pointer.
        case file(String, pointer: String)
        /// The store, which administrators write.
        case store

        /// An error at a JSON Pointer below the entry.
        func error(at path: String, _ problem: String, fix: String? = nil) -> ConfigurationError {
            ConfigurationError(source, at: pointer + path, problem, fix: fix)
        }

        var source: String {
            switch self {
            case .file(let path, _): path
            case .store: "the entry"
            }
        }

        var pointer: String {
            switch self {
            case .file(_, let pointer): pointer
            case .store: ""
            }
        }
    }

    /// All keys of an entry.
    package static var keys: [KeyDeclaration] { Shape.declaration.keys.map(\.declaration) }

    /// Whether the store has it, not a file of the host.
    package var isStored: Bool { place == .store }

    /// Decodes an entry of the store by the rules of `plugins.json`.
    ///
    /// - Throws: ``ConfigurationError``.
    init(stored document: JSONValue, plugins: [ProviderPlugin]) throws(ConfigurationError) {
        let shape: Shape
        do {
            shape = try StrictFile.decoder(secrets: .textOnly).decode(Shape.self, from: document)
        } catch {
            throw ConfigurationError(Place.store.source, error)
        }
        try self.init(shape, at: .store, plugins: plugins)
    }

    /// Matches a decoded entry with the plugins of this build.
    ///
    /// - Throws: ``ConfigurationError``.
    init(_ shape: Shape, at place: Place, plugins: [ProviderPlugin]) throws(ConfigurationError) {
        guard let plugin = plugins.first(where: { $0.kind.rawValue == shape.use }) else {
            let known = plugins.map(\.kind.rawValue).sorted().joined(separator: ", ")
            throw place.error(at: "/use", "\(shape.use) is no plugin of this build.", fix: "It has: \(known).")
        }
        guard let id = shape.id ?? plugin.publicInstance?.id else {
            throw place.error(at: "/id", "is missing.", fix: "Name the instance.")
        }
        try Self.check(id, of: shape.use, at: place)
        self.id = id
        use = plugin.kind
        displayName = try shape.checkedDisplayName(at: place)
        button = try shape.checkedButton(at: place)
        isEnabled = shape.enabled
        trustEmail = shape.trustEmail
        autoMerge = shape.autoMerge
        allowsInsecureLoopback = shape.allowInsecureLoopback
        privateNetworks = try shape.checkedNetworks(at: place)
        allowance = try shape.allowance(at: place)
        appRedirects = try shape.checkedAppRedirects(at: place)
        options = shape.options
        self.place = place
    }

    private static func check(_ id: String, of kind: String, at place: Place) throws(ConfigurationError) {
        guard id.utf8.allSatisfy(isIDByte), (1...64).contains(id.utf8.count) else {
            throw place.error(
                at: "/id", "must be 1 to 64 of a-z, 0-9, dot, - and _.", fix: #"Write "\#(kind).<name>"."#)
        }
        guard !genericKinds.contains(kind) || isGenericID(id, of: kind) else {
            let others = FirebaseProviderID.allCases.map(\.rawValue).joined(separator: ", ")
            throw place.error(
                at: "/id", "\(id) is no name for an entry of \(kind).",
                fix: #"Write "\#(kind).<name>", or one of \#(others)."#)
        }
        guard !reservedIDs.contains(id) else {
            throw place.error(
                at: "/id", "\(id) means something else in tokens.", fix: #"Write "\#(kind).<name>"."#)
        }
    }

    /// Whether an entry of a plugin can have this id.
    package static func isID(_ id: String, of kind: ProviderKind) -> Bool {
        (try? check(id, of: kind.rawValue, at: .store)) != nil
    }

    /// Names the tokens use for other ways to sign in (contract §5.1).
    static let reservedIDs: Set<String> = ["anonymous", "custom", "email", "password", "phone"]

    /// Plugins that are many providers: their entries' ids say so, as client SDKs expect of `oidc.` (contract §7.8).
    package static let genericKinds: Set<String> = ["oauth2", "oidc"]

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
}
