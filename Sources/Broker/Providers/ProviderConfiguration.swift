import ProviderKit
import Synchronization

/// The providers as `plugins.json` and the secret files it names have them now.
///
/// A running server calls ``reload()`` every second, which adopts a changed file as a whole or not at all. A caller that
/// has read ``current`` before continues with that directory, which is released with its last user.
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
        /// The sources of ``current``.
        var adopted: [ProviderSource]
        var seen: Reading
        /// Whether ``seen`` was adopted or refused.
        var isSettled = true
        var wasRefused = false
    }

    private let directory: Mutex<ProviderDirectory>
    private let watch: Mutex<Watch>
    private let factory: ProviderFactory?
    private let plugins: [ProviderPlugin]
    /// The entries of work that asks no provider.
    private let described: [PluginsFile.Entry]

    /// No providers at all, for work that asks none. It knows the entries of the file, without their secrets; a file that
    /// cannot be read has none.
    init(describing path: String, plugins: [ProviderPlugin]) {
        factory = nil
        self.plugins = plugins
        described = (try? PluginsFile.load(path: path, plugins: plugins).entries) ?? []
        directory = Mutex(.none)
        watch = Mutex(Watch(adopted: [], seen: .sources([])))
    }

    /// The providers of the factory's file.
    ///
    /// - Throws: ``ConfigurationError``.
    package init(_ factory: ProviderFactory) throws(ConfigurationError) {
        let sources = try factory.read()
        self.factory = factory
        plugins = factory.plugins
        described = []
        directory = Mutex(try ProviderDirectory(sources, by: factory))
        watch = Mutex(Watch(adopted: sources, seen: .sources(sources)))
    }

    /// The providers as they are this moment.
    package var current: ProviderDirectory { directory.withLock(\.self) }

    /// Whether the plugin of an entry can revoke grants, enabled or not; nil if there is no such entry.
    func revokesGrants(_ id: String) -> Bool? {
        let current = current
        let use =
            current.provider(id)?.kind ?? (current.disabled + described).first { $0.id.hasSameBytes(as: id) }?.use
        return use.flatMap { use in plugins.first { $0.kind == use }?.revokesGrants }
    }

    /// The files with secrets that others on this host can read.
    var readableSecretFiles: [String] { factory?.secretFiles.readable ?? [] }

    /// Looks whether the files have changed, and follows them.
    ///
    /// A change counts at the second look that finds the same: the first may have come while the file was being written.
    ///
    /// - Returns: The outcome of a change; nil when there is none, or none yet.
    package func reload() -> Reload? {
        guard let factory else { return nil }
        return watch.withLock { watch in
            let reading = Reading(factory)
            guard reading.isSame(as: watch.seen) else {
                watch.seen = reading
                watch.isSettled = false
                return nil
            }
            guard !watch.isSettled else { return nil }
            watch.isSettled = true
            return settle(reading, factory, &watch)
        }
    }

    private func settle(_ reading: Reading, _ factory: ProviderFactory, _ watch: inout Watch) -> Reload? {
        let earlier = current
        do throws(ConfigurationError) {
            let sources = try reading.result()
            guard watch.wasRefused || sources != watch.adopted else { return nil }
            let next = try ProviderDirectory(sources, by: factory, keeping: earlier)
            watch.adopted = sources
            watch.wasRefused = false
            directory.withLock { $0 = next }
            return .adopted(ProviderChange(from: earlier, to: next))
        } catch {
            watch.wasRefused = true
            return .refused(error)
        }
    }
}

extension ProviderConfiguration.Reading {
    init(_ factory: ProviderFactory) {
        do throws(ConfigurationError) {
            self = .sources(try factory.read())
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

    init(from earlier: ProviderDirectory, to later: ProviderDirectory) {
        added = later.providers.map(\.id).filter { earlier.provider($0) == nil }
        removed = earlier.providers.map(\.id).filter { later.provider($0) == nil }
        changed = later.providers.filter { provider in
            earlier.provider(provider.id).map { $0.source != provider.source } ?? false
        }.map(\.id)
    }
}
