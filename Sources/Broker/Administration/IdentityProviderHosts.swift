import Foundation
package import ProviderKit

/// The hosts of the identity providers in `plugins.json`, read from the file and the plugins without network access.
package struct IdentityProviderHosts {
    package let names: Set<String>

    /// An unreadable file has no hosts: `broker serve` reports the error.
    package init(_ path: String, plugins: [ProviderPlugin]) {
        let entries = (try? PluginsFile.load(path: path, plugins: plugins))?.entries ?? []
        names = Set(
            entries.flatMap { entry in
                let instance = plugins.first { $0.kind == entry.use }?.publicInstance?.instance
                return ([instance] + Self.texts(in: entry.options)).compactMap(\.self).compactMap(Self.host)
            })
    }

    private static func texts(in options: JSONValue) -> [String?] {
        (options.object ?? JSONObject()).map { $0.value.string }
    }

    private static func host(_ text: String) -> String? {
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return nil }
        return URL(string: text)?.host()?.lowercased()
    }
}
