package import BrokerStore
import ProviderKit

extension ProvidersContext {
    private static let maximumDomains = 200

    /// Changes the project's settings in the store. What `broker.json` says is the operator's and not changed here. A
    /// setting that becomes nil takes its default again.
    ///
    /// - Parameters:
    ///   - origin: The administrator, for the audit.
    ///   - change: Changes the stored settings. It may run again.
    /// - Returns: The effective settings as they are now.
    /// - Throws: ``BrokerError/configuration(_:)``, or a store's error; nothing is written then.
    package func updateSettings(
        origin: Origin, _ change: @escaping @Sendable (inout StoredSettings) throws -> Void
    ) async throws -> ProjectSettings {
        let effective = try await write(by: origin) { [self] transaction in
            let before = try StoredSettings(in: transaction)
            var stored = before
            try change(&stored)
            let changed = try check(&stored, before: before)
            guard !changed.isEmpty else { return settings.effective(stored) }
            if try !transaction.insertSetting(StoredConfiguration.settingsName, stored.bytes) {
                try transaction.updateSetting(StoredConfiguration.settingsName, stored.bytes)
            }
            let names = changed.map(\.rawValue).sorted().map(JSONValue.string)
            try transaction.audit("settings.updated", of: nil, detail: ["changed": .array(names)])
            return settings.effective(stored)
        }
        // The change is committed whether or not the store can be read now.
        _ = try? await storedConfiguration.reload()
        return effective
    }

    /// The settings of the file may be repeated, so that a whole document can be written back; it is not stored.
    private func check(_ stored: inout StoredSettings, before: StoredSettings) throws -> Set<ProjectSettings.Name> {
        let current = settings.effective(before)
        func check<Value: Equatable>(
            _ value: WritableKeyPath<StoredSettings, Value?>, _ name: ProjectSettings.Name, _ effective: Value
        ) throws {
            guard settings.isInFile(name), stored[keyPath: value] != before[keyPath: value] else { return }
            guard stored[keyPath: value].map({ $0 == effective }) ?? true else {
                throw BrokerError.configuration(.settingInFile(name.rawValue))
            }
            stored[keyPath: value] = before[keyPath: value]
        }
        try check(\.authorizedDomains, .authorizedDomains, current.authorizedDomains)
        try check(\.anonymousSignIn, .anonymousSignIn, current.allowsAnonymousSignIn)
        try check(\.emailEnumeration, .emailEnumeration, current.emailEnumeration)
        for domain in stored.authorizedDomains ?? [] where !Self.isHost(domain) {
            throw BrokerError.configuration(
                .invalid("authorizedDomains has a value that is no host name. Write names such as app.example"))
        }
        guard stored.authorizedDomains?.count ?? 0 <= Self.maximumDomains else {
            throw BrokerError.configuration(.invalid("authorizedDomains has more than \(Self.maximumDomains) names"))
        }
        return stored.changes(from: before)
    }

    /// A host alone: no scheme, no port, no path, no wildcard.
    private static func isHost(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
    }
}
