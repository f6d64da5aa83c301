import Broker
import BrokerStore
import Foundation
import GitHub
import JOSE
import ProviderKit

extension TestBroker {
    /// Another process's half of this broker, on the same store and with the same clock: nothing of it hears of what the
    /// first one does, nor reads anything again by itself.
    func withSecondCore<Value>(
        _ change: (inout Configuration) -> Void = { _ in }, plugins: [ProviderPlugin] = [.github],
        _ body: (BrokerCore) async throws -> Value
    ) async throws -> Value {
        var configuration = core.configuration
        change(&configuration)
        let core = try await BrokerCore.open(
            configuration, plugins: plugins, environment: [:], now: { [clock] in clock.now })
        do {
            let value = try await body(core)
            await core.close()
            return value
        } catch {
            await core.close()
            throw error
        }
    }

    /// Another process's half of this broker, served at an address of its own.
    func withSecondBroker(
        _ change: (inout Configuration) -> Void = { _ in }, plugins: [ProviderPlugin] = [.github],
        _ test: (TestBroker) async throws -> Void
    ) async throws {
        try await withSecondCore(change, plugins: plugins) { core in
            try await TestBroker.serve(core) { url in
                try await test(
                    TestBroker(
                        core: core, url: url, apiKey: apiKey, simulator: simulator, clock: clock, folder: folder))
            }
        }
    }

    /// The events of a user's audit, latest first.
    func auditEvents(of localID: String) async throws -> [String] {
        try await core.store.read { try $0.auditEntries(localID: localID, limit: 100) }.map(\.event)
    }

    /// The id of the key that signed a new ID token.
    func signingKeyID() async throws -> String? {
        try CompactJWS(parsing: try await signUp().string("idToken")).header.keyID
    }

    /// The ids of the published keys of one algorithm, as verifiers see them.
    func publishedKeyIDs(_ algorithm: SignatureAlgorithm = .es256) async throws -> [String] {
        let set = try KeySet(importing: try await get("/test-project/.well-known/jwks.json").body)
        return set.keys.filter { $0.key.algorithm == algorithm }.compactMap(\.keyID)
    }
}
