import Foundation
import ProviderKit
import Synchronization

/// The settings of the project that administrators may change while brokers run (contract §7.7).
package struct ProjectSettings: Sendable, Hashable {
    package var authorizedDomains: [String]
    package var allowsAnonymousSignIn: Bool
    /// Whether `createAuthUri` answers which providers an address signs in with.
    package var emailEnumeration: Policy.Preset
    /// Whether users may create accounts by signing in. Administrators and service accounts may in any case.
    package var allowsSignUp = true
    /// Whether users may delete their accounts.
    package var allowsDeletion = true

    /// A setting, by its name in `broker.json`; the last two have none there.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case authorizedDomains = "project.authorizedDomains"
        case anonymousSignIn = "signIn.anonymous"
        case emailEnumeration = "policy.emailEnumeration"
        case signUp
        case deletion
    }

    /// The effective settings: what the file says goes before what the store says, and that before the defaults.
    init(_ configuration: Configuration, stored: StoredSettings = StoredSettings()) {
        func counting<Value>(_ value: Value?, _ name: Name) -> Value? {
            configuration.settingsInFile.contains(name) ? nil : value
        }
        authorizedDomains = configuration.admissible(
            counting(stored.authorizedDomains, .authorizedDomains) ?? configuration.project.authorizedDomains)
        allowsAnonymousSignIn =
            counting(stored.anonymousSignIn, .anonymousSignIn) ?? configuration.allowsAnonymousSignIn
        emailEnumeration =
            counting(stored.emailEnumeration, .emailEnumeration) ?? configuration.policy.emailEnumeration
        allowsSignUp = stored.signUp ?? true
        allowsDeletion = stored.deletion ?? true
    }
}

/// The settings in the store: those that administrators have changed.
package struct StoredSettings: Sendable, Hashable {
    package var authorizedDomains: [String]?
    package var anonymousSignIn: Bool?
    package var emailEnumeration: Policy.Preset?
    package var signUp: Bool?
    package var deletion: Bool?

    package init() {}

    /// Reads the stored document. A member that this broker does not understand counts as absent, so that one of a later
    /// release keeps no broker from starting.
    init(parsing bytes: [UInt8]) {
        let document = (try? JSONValue(parsing: bytes))?.object ?? [:]
        authorizedDomains = document["authorizedDomains"]?.array?.compactMap(\.string)
        anonymousSignIn = document["anonymousSignIn"]?.bool
        emailEnumeration = document["emailEnumeration"]?.string.flatMap(Policy.Preset.init)
        signUp = document["signUp"]?.bool
        deletion = document["deletion"]?.bool
    }

    /// The document for the store.
    var bytes: [UInt8] {
        var document = JSONObject()
        document["authorizedDomains"] = authorizedDomains.map { .array($0.map(JSONValue.string)) }
        document["anonymousSignIn"] = anonymousSignIn.map(JSONValue.bool)
        document["emailEnumeration"] = emailEnumeration.map { .string($0.rawValue) }
        document["signUp"] = signUp.map(JSONValue.bool)
        document["deletion"] = deletion.map(JSONValue.bool)
        return document.serializedBytes()
    }

    /// The settings that differ.
    func changes(from earlier: StoredSettings) -> Set<ProjectSettings.Name> {
        var names: Set<ProjectSettings.Name> = []
        if authorizedDomains != earlier.authorizedDomains { names.insert(.authorizedDomains) }
        if anonymousSignIn != earlier.anonymousSignIn { names.insert(.anonymousSignIn) }
        if emailEnumeration != earlier.emailEnumeration { names.insert(.emailEnumeration) }
        if signUp != earlier.signUp { names.insert(.signUp) }
        if deletion != earlier.deletion { names.insert(.deletion) }
        return names
    }
}

/// The project's settings as this broker has them now. A running broker follows the store.
package final class LiveProjectSettings: Sendable {
    private let configuration: Configuration
    private let settings: Mutex<ProjectSettings>

    init(_ configuration: Configuration) {
        self.configuration = configuration
        settings = Mutex(ProjectSettings(configuration))
    }

    /// The settings as they are this moment.
    package var current: ProjectSettings { settings.withLock(\.self) }

    /// Whether `broker.json` says it, which then counts.
    func isInFile(_ name: ProjectSettings.Name) -> Bool { configuration.settingsInFile.contains(name) }

    /// The effective settings with these in the store.
    func effective(_ stored: StoredSettings) -> ProjectSettings { ProjectSettings(configuration, stored: stored) }

    /// Adopts the settings of the store.
    ///
    /// - Returns: Whether that changed an effective setting.
    func adopt(_ stored: StoredSettings) -> Bool {
        let next = effective(stored)
        return settings.withLock { settings in
            defer { settings = next }
            return settings != next
        }
    }
}
