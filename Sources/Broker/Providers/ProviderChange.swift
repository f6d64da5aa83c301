/// How the providers of two moments differ, by id.
package struct ProviderChange: Sendable, Hashable {
    package let added: [String]
    /// Those that are off now are among them.
    package let removed: [String]
    package let changed: [String]

    init(from earlier: ProviderDirectory, to later: ProviderDirectory) {
        added = later.providers.map(\.id).filter { earlier.provider($0) == nil }
        removed = earlier.providers.map(\.id).filter { later.provider($0) == nil }
        changed = later.providers.filter { provider in
            earlier.provider(provider.id).map { $0.source != provider.source } ?? false
        }.map(\.id)
    }
}
