package import ProviderKit

/// The providers that an entry can be made from without further knowledge of them.
package struct ProviderCatalogue: Sendable {
    /// By their names.
    package let providers: [CatalogueProvider]

    /// The one of this build.
    package static let embedded: ProviderCatalogue = {
        do {
            return try ProviderCatalogue(documents)
        } catch {
            // They are part of the program, and a test decodes them.
            preconditionFailure("\(error)")
        }
    }()

    /// - Parameter documents: A JSON document for each provider.
    /// - Throws: ``ConfigurationError`` for what is no document of a provider.
    package init(_ documents: [String]) throws(ConfigurationError) {
        var providers: [CatalogueProvider] = []
        for (index, document) in documents.enumerated() {
            let source = "document \(index + 1) of the catalogue"
            let value: JSONValue
            do {
                value = try JSONValue(parsing: document)
            } catch {
                throw ConfigurationError(source, "\(error).")
            }
            do {
                providers.append(try StrictFile.decoder(secrets: .textOnly).decode(CatalogueProvider.self, from: value))
            } catch {
                throw ConfigurationError(source, error)
            }
        }
        self.providers = providers.sorted { $0.name < $1.name }
    }

    /// The provider with a name.
    package func provider(named name: String) -> CatalogueProvider? {
        providers.first { $0.name.hasSameBytes(as: name) }
    }

    /// The providers whose name, id or display name contains a word, without regard to case.
    ///
    /// - Parameters:
    ///   - word: The word; nil for all providers.
    ///   - plugins: The plugins of the build; providers of others are left out.
    /// - Returns: The providers by their names.
    package func search(_ word: String?, for plugins: [ProviderPlugin]) -> [CatalogueProvider] {
        let word = word?.lowercased() ?? ""
        return providers.filter { provider in
            plugins.contains { $0.kind.rawValue == provider.use }
                && (word.isEmpty
                    || [provider.id, provider.displayName].contains { $0.lowercased().contains(word) })
        }
    }

    /// The name that is most similar to one that no provider has.
    package func nearest(to name: String) -> String? {
        NearestName.nearest(to: name, among: providers.map(\.name))
    }
}
