import BrokerStore
import ProviderKit
import Synchronization

/// The providers as `plugins.json`, the secret files it names and the store have them now.
///
/// A running server calls ``reload()`` every second, which adopts a changed file as a whole or not at all, and
/// ``adopt(_:)`` with the entries of the store. A caller that has read ``current`` before continues with that directory,
/// which is released with its last user.
package final class ProviderConfiguration: Sendable {
    /// How often a running server looks. A change counts when it was seen twice, so within five seconds by far.
    package static let reloadInterval = Duration.seconds(1)

    /// The outcome of a reload.
    package enum Reload: Sendable {
        case adopted(ProviderChange)
        /// The previous providers stay.
        case refused(ConfigurationError)
    }

    /// The result of reading the files once.
    fileprivate enum Reading {
        case sources([ProviderSource])
        case useless(ConfigurationError)
    }

    private struct Watch {
        /// The file as it was read last without an error.
        var file: PluginsFile?
        /// The sources of ``current`` in the file.
        var adopted: [ProviderSource]
        /// The stored entries of ``current``.
        var stored: [StoredProvider] = []
        /// Nil until the store was read.
        var mappings: SubjectMappings?
        /// The providers whose mappings the store does not have yet.
        var unrecorded: [ConfiguredProvider] = []
        var seen: Reading
        /// Whether ``seen`` was adopted or refused.
        var isSettled = true
        var wasRefused = false
    }

    private let directory: Mutex<ProviderDirectory>
    private let watch: Mutex<Watch>
    private let factory: ProviderFactory
    /// Whether providers are asked at all.
    private let isOffline: Bool
    /// The file's entries of work that asks no provider.
    private let described: [ProviderEntry]

    /// No providers at all, for work that asks none. It knows the entries of the file, without their secrets; a file that
    /// cannot be read has none.
    init(describing factory: ProviderFactory) {
        self.factory = factory
        isOffline = true
        described = (try? PluginsFile.load(path: factory.path, plugins: factory.plugins).entries) ?? []
        directory = Mutex(.none)
        watch = Mutex(Watch(adopted: [], seen: .sources([])))
    }

    /// The providers of the factory's file.
    ///
    /// - Throws: ``ConfigurationError``.
    package init(_ factory: ProviderFactory) throws(ConfigurationError) {
        var file: PluginsFile?
        let sources = try factory.read(&file)
        self.factory = factory
        isOffline = false
        described = []
        directory = Mutex(try ProviderDirectory(sources, by: factory))
        watch = Mutex(Watch(file: file, adopted: sources, seen: .sources(sources)))
    }

    /// The path of `plugins.json`.
    var path: String { factory.path }
    var plugins: [ProviderPlugin] { factory.plugins }

    /// The providers as they are this moment.
    package var current: ProviderDirectory { directory.withLock(\.self) }

    /// Whether the plugin of an entry can revoke grants, enabled or not; nil if there is no such entry.
    func revokesGrants(_ id: String) -> Bool? {
        let current = current
        let stored = watch.withLock(\.stored).compactMap { try? $0.source.get().entry }
        let entries = current.disabled + described + stored
        let use = current.provider(id)?.kind ?? entries.first { $0.id.hasSameBytes(as: id) }?.use
        return use.flatMap { use in plugins.first { $0.kind == use }?.revokesGrants }
    }

    /// The files with secrets that others on this host can read.
    var readableSecretFiles: [String] { factory.secretFiles.readable }

    /// Looks whether the files have changed, and follows them.
    ///
    /// A change counts at the second look that finds the same: the first may have come while the file was being written.
    ///
    /// - Returns: The outcome of a change; nil when there is none, or none yet.
    package func reload() -> Reload? {
        guard !isOffline else { return nil }
        return watch.withLock { watch in
            let reading = Reading(factory, &watch.file)
            guard reading.isSame(as: watch.seen) else {
                watch.seen = reading
                watch.isSettled = false
                return nil
            }
            guard !watch.isSettled else { return nil }
            watch.isSettled = true
            return settle(reading, &watch)
        }
    }

    private func settle(_ reading: Reading, _ watch: inout Watch) -> Reload? {
        let earlier = current
        do throws(ConfigurationError) {
            let sources = try reading.result()
            guard watch.wasRefused || sources != watch.adopted else { return nil }
            let next = try ProviderDirectory(
                sources, stored: watch.stored, by: factory, keeping: earlier, mappings: watch.mappings)
            watch.adopted = sources
            watch.wasRefused = false
            adopt(next, instead: earlier, &watch)
            return .adopted(ProviderChange(from: earlier, to: next))
        } catch {
            watch.wasRefused = true
            return .refused(error)
        }
    }

    /// Adopts the entries of the store, each for itself; the file's stay as they are.
    ///
    /// - Parameters:
    ///   - stored: The entries.
    ///   - mappings: How the subjects of all entries are made.
    /// - Returns: The change; nil when there is none.
    /// - Throws: ``ConfigurationError`` at the first call, for an entry of the file whose subjects are made in another way.
    func adopt(
        _ stored: [StoredProvider], _ mappings: SubjectMappings
    ) throws(ConfigurationError) -> ProviderChange? {
        try watch.withLock { watch throws(ConfigurationError) -> ProviderChange? in
            // What was refused may have been decided meanwhile.
            if watch.wasRefused, watch.mappings != mappings { watch.isSettled = false }
            watch.stored = stored
            watch.mappings = mappings
            guard !isOffline else { return nil }
            let earlier = current
            let next = try ProviderDirectory(
                watch.adopted, stored: stored, by: factory, keeping: earlier, mappings: mappings)
            adopt(next, instead: earlier, &watch)
            let change = ProviderChange(from: earlier, to: next)
            return change.isEmpty ? nil : change
        }
    }

    private func adopt(_ next: ProviderDirectory, instead earlier: ProviderDirectory, _ watch: inout Watch) {
        watch.unrecorded += next.providers.filter { provider in
            let known = earlier.provider(provider.id)
            return provider.issuer != nil && (known?.issuer == nil || known?.source != provider.source)
        }
        directory.withLock { $0 = next }
    }

    /// The providers whose mappings of subjects are to be recorded in the store; they are forgotten here.
    func takeUnrecorded() -> [ConfiguredProvider] {
        watch.withLock { watch in
            defer { watch.unrecorded = [] }
            return watch.unrecorded.filter { provider in
                guard case .inForce = watch.mappings?.resolve(provider, at: Timestamp(milliseconds: 0)) else {
                    return true
                }
                return false
            }
        }
    }

    /// Puts providers back that could not be recorded.
    func keepUnrecorded(_ providers: [ConfiguredProvider]) { watch.withLock { $0.unrecorded += providers } }

    /// Makes an instance of an entry, without network access.
    ///
    /// - Throws: ``ConfigurationError``.
    func provider(from source: ProviderSource) throws(ConfigurationError) -> ConfiguredProvider {
        try factory.provider(from: source)
    }

    /// Makes an instance of an entry of the file, without network access.
    ///
    /// - Throws: ``ConfigurationError``.
    func provider(fromFile entry: ProviderEntry) throws(ConfigurationError) -> ConfiguredProvider {
        try factory.provider(from: ProviderSource(entry, secrets: factory.secrets))
    }

    /// Checks an entry that is to be stored among the others, without network access. Work that asks no provider knows the
    /// ids of the file's entries, and not their clients.
    ///
    /// - Returns: An instance of it.
    /// - Throws: ``ConfigurationError``.
    func check(
        _ candidate: ProviderSource, among stored: [StoredProvider]
    ) throws(ConfigurationError) -> ConfiguredProvider {
        let provider = try factory.provider(from: candidate)
        guard candidate.entry.isEnabled else { return provider }
        let id = candidate.entry.id
        let others = stored.filter { !$0.id.hasSameBytes(as: id) }
        let next = try ProviderDirectory(
            watch.withLock(\.adopted), stored: others + [StoredProvider(id: id, source: .success(candidate))],
            by: factory, keeping: current)
        if let reason = next.unusable.first(where: { $0.id.hasSameBytes(as: id) })?.reason { throw reason }
        return provider
    }

    /// The entries of `plugins.json`, in its order.
    var fileEntries: [ProviderEntry] { watch.withLock(\.adopted).map(\.entry) + described }

    /// Whether `plugins.json` has an entry with this id, enabled or not.
    func isInFile(_ id: String) -> Bool {
        fileEntries.contains { $0.id.hasSameBytes(as: id) }
    }
}

extension ProviderConfiguration.Reading {
    init(_ factory: ProviderFactory, _ file: inout PluginsFile?) {
        do throws(ConfigurationError) {
            self = .sources(try factory.read(&file))
        } catch {
            self = .useless(error)
        }
    }

    func result() throws(ConfigurationError) -> [ProviderSource] {
        switch self {
        case .sources(let sources): return sources
        case .useless(let error): throw error
        }
    }

    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.sources(let mine), .sources(let others)): mine == others
        case (.useless(let mine), .useless(let other)): mine.description.hasSameBytes(as: other.description)
        default: false
        }
    }
}

/// How the providers of two moments differ, by id.
package struct ProviderChange: Sendable, Hashable {
    package let added: [String]
    /// Includes the providers that are disabled now.
    package let removed: [String]
    package let changed: [String]
    /// The stored entries that are left out, if they were not left out before for the same reason.
    package let unusable: [ProviderDirectory.UnusableEntry]

    init(from earlier: ProviderDirectory, to later: ProviderDirectory) {
        added = later.providers.map(\.id).filter { earlier.provider($0) == nil }
        removed = earlier.providers.map(\.id).filter { later.provider($0) == nil }
        changed = later.providers.filter { provider in
            earlier.provider(provider.id).map { $0.source != provider.source } ?? false
        }.map(\.id)
        unusable = later.unusable.filter { !earlier.unusable.contains($0) }
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && unusable.isEmpty }
}
