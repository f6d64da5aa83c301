import Foundation
package import ProviderKit

/// `plugins.json`: the providers that the operator of this host configures.
package struct PluginsFile: Sendable {
    package let path: String
    package let entries: [ProviderEntry]
    private let contents: Data

    /// Reads the file and matches its entries with the plugins of this build.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - plugins: The plugins.
    ///   - earlier: The file as it was before.
    /// - Returns: The file, which is `earlier` if not a byte has changed.
    /// - Throws: ``ConfigurationError``.
    package static func load(
        path: String, plugins: [ProviderPlugin], unlessStill earlier: PluginsFile? = nil
    ) throws(ConfigurationError) -> PluginsFile {
        let contents = try ReadableFile.bytes(of: path, ifMissing: "Run broker init to write one.")
        if let earlier, earlier.contents == contents { return earlier }
        let file = try StrictFile.decode(Shape.self, from: contents, path: path, secrets: SecretSource())
        var entries: [ProviderEntry] = []
        for (index, shape) in file.providers.enumerated() {
            let place = ProviderEntry.Place.file(path, pointer: "/providers/\(index)")
            let entry = try ProviderEntry(shape, at: place, plugins: plugins)
            guard !entries.contains(where: { $0.id == entry.id }) else {
                throw place.error(
                    at: "/id", "\(entry.id) is taken by an earlier entry.", fix: "Give each instance its own id.")
            }
            entries.append(entry)
        }
        return PluginsFile(path: path, entries: entries, contents: contents)
    }

    struct Shape: DeclaredOptions {
        var schema: String?
        var providers: [ProviderEntry.Shape] = []

        static let declaration = DeclaredObject<Shape>(
            "The identity providers of a broker. The broker and this schema refuse unknown names.",
            [
                .key("$schema", \.schema, "the path of the schema, for editors; the broker ignores it"),
                .key("providers", \.providers, "the entries; one entry is one instance of one plugin").required(),
            ])
    }
}
