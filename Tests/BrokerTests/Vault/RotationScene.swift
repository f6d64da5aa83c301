import BrokerStore
import Foundation

@testable import Broker

/// Brokers that have the master key their store was made with, and a new one in a file of its own.
struct RotationScene: Sendable {
    /// Has the file of the new key.
    private let keys: TestFolder
    let broker: TestBroker

    /// Starts a broker with both keys, whose store is sealed under the first one.
    static func run<Value>(
        _ change: (inout Configuration) -> Void = { _ in }, _ test: (RotationScene) async throws -> Value
    ) async throws -> Value {
        let keys = try TestFolder()
        try keys.write("new.key", KeyMaterial.generateText())
        return try await TestBroker.run({ configuration in
            configuration.publicURL = TestBrowser.publicURL
            configuration.previousMasterKey = configuration.masterKey
            configuration.masterKey = .file(keys.path + "/new.key")
            change(&configuration)
        }) { broker in try await test(RotationScene(keys: keys, broker: broker)) }
    }

    /// A redirect URI of an app: the registered one is this broker's own.
    static let appRedirectURI = "http://127.0.0.1:4000/oauth/callback/github.com"

    /// Writes one more key, and returns its place.
    func newKey(_ name: String) throws -> MasterKeySource {
        try keys.write(name, KeyMaterial.generateText())
        return .file("\(keys.path)/\(name)")
    }

    /// Rotates as a command of its own.
    @discardableResult
    func rotate(
        compromised: Bool = false, _ change: (inout Configuration) -> Void = { _ in },
        progress: @escaping @Sendable (MasterKeyRotation.Progress) -> Void = { _ in }
    ) async throws -> MasterKeyRotation.Outcome {
        try await broker.withSecondCore(change) { core in
            try await core.admin.rotateMasterKey(compromised: compromised, origin: Origin(.admin), progress: progress)
        }
    }

    /// What is sealed under which key, as a broker with these keys sees it.
    func inspect(_ change: (inout Configuration) -> Void = { _ in }) async throws -> InspectVault {
        var configuration = broker.core.configuration
        change(&configuration)
        return try await InspectVault(
            StoreContext(
                broker.core.store, try MasterKey.load(configuration, environment: [:]), clock: broker.core.clock))
    }

    /// A configuration whose only key is the new one.
    static func withoutPrevious(_ configuration: inout Configuration) { configuration.previousMasterKey = nil }

    /// A configuration from before the rotation.
    static func onlyPrevious(_ configuration: inout Configuration) {
        if let previous = configuration.previousMasterKey { configuration.masterKey = previous }
        configuration.previousMasterKey = nil
    }
}
