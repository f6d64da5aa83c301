import BrokerStore
import ProviderKit
import Synchronization

/// Follows what administrators have written to the store: provider entries and settings of the project.
///
/// Another broker on the same store may write them. A running server calls ``reload()`` every second, and after each
/// change of its own.
package final class StoredConfiguration: StoreLayer {
    /// A reload's effects.
    package struct Reload: Sendable {
        package let providers: ProviderChange?
        package let settings: ProjectSettings?
    }

    private struct State {
        var rows: [StoredProviderEntry] = []
        var entries: [StoredProvider] = []
        var mappings: [SubjectMapping] = []
        // Reads of the store are numbered, so that an earlier one never replaces what a later one found.
        var started = 0
        var adopted = 0
    }

    /// The name of the setting that holds the project's settings.
    static let settingsName = "project-settings"

    package let stored: StoreContext
    private let codec: StoredProviderCodec
    private let providers: ProviderConfiguration
    private let settings: LiveProjectSettings
    /// The administrators of the console that the configuration names.
    private let administrators: [ConsoleSettings.NamedAdministrator]
    private let state = Mutex(State())

    init(
        _ stored: StoreContext, codec: StoredProviderCodec, providers: ProviderConfiguration,
        settings: LiveProjectSettings, administrators: [ConsoleSettings.NamedAdministrator]
    ) {
        self.stored = stored
        self.administrators = administrators
        self.codec = codec
        self.providers = providers
        self.settings = settings
    }

    /// The stored entries that were read last.
    var entries: [StoredProvider] { state.withLock(\.entries) }

    /// Reads the store and adopts what it says. Records how the subjects of providers are made that are new here.
    ///
    /// - Returns: What has changed; nil when nothing has.
    /// - Throws: A store's error; everything stays as it is then. At the first call ``ConfigurationError`` for an entry of
    ///   the file that would make its users new ones.
    @discardableResult
    package func reload() async throws -> Reload? {
        let number = state.withLock { state in
            state.started += 1
            return state.started
        }
        let (rows, mappings, values) = try await store.read { transaction in
            (
                try transaction.providerEntries(), try transaction.subjectMappings(),
                try StoredSettings(in: transaction)
            )
        }
        let change = try state.withLock { state throws(ConfigurationError) -> Reload? in
            guard number > state.adopted else { return nil }
            let isFirst = state.adopted == 0
            state.adopted = number
            let isKnown = rows == state.rows && state.entries.allSatisfy(\.isReadable)
            if !isKnown {
                state.rows = rows
                state.entries = rows.map(codec.provider)
            }
            let isCurrent = isKnown && mappings == state.mappings && !isFirst
            state.mappings = mappings
            let known = SubjectMappings(rows: mappings, administrators: administrators)
            let change = Reload(
                providers: isCurrent ? nil : try providers.adopt(state.entries, known),
                settings: settings.adopt(values) ? settings.current : nil)
            return change.providers == nil && change.settings == nil ? nil : change
        }
        try await recordSubjects()
        return change
    }

    /// Records the mappings of providers that the store does not have. A mapping that another broker has decided
    /// meanwhile stays: the next start of this broker meets it.
    private func recordSubjects() async throws {
        let unrecorded = providers.takeUnrecorded()
        guard !unrecorded.isEmpty else { return }
        do {
            try await write { [administrators] transaction in
                for provider in unrecorded {
                    do {
                        try transaction.putSubjectsInForce(of: provider, beside: administrators)
                    } catch is BrokerError {}
                }
            }
        } catch {
            providers.keepUnrecorded(unrecorded)
            throw error
        }
    }
}

extension StoredProvider {
    /// An unreadable entry may become readable with a master key that is adopted later.
    fileprivate var isReadable: Bool { if case .success = source { true } else { false } }
}

extension StoredSettings {
    /// The settings in the store.
    init(in transaction: borrowing Transaction) throws(StoreError) {
        let bytes = try transaction.setting(StoredConfiguration.settingsName)
        self = bytes.map(StoredSettings.init(parsing:)) ?? StoredSettings()
    }
}
