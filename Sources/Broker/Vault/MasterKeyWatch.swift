import BrokerStore
import Foundation
import Logging
import OAuth

/// Follows the rotations of the master key in a running broker, and reports the broker's master keys to the store.
package struct MasterKeyWatch: StoreLayer {
    package let stored: StoreContext
    private let holder = RandomText.alphanumeric(22)
    /// The last report to the store.
    private var reported: KeyHolder?

    /// How often a running broker looks.
    package static let interval = Duration.seconds(3)
    /// How often it reports.
    private static let reporting = Duration.seconds(15)
    /// A broker that was silent for so long has stopped.
    package static let silence = Duration.seconds(60)

    package init(_ stored: StoreContext) {
        self.stored = stored
    }

    /// Adopts the store's keys, and then says so.
    ///
    /// - Throws: ``ConfigurationError`` when the store is sealed under a key this broker does not have: it must stop,
    ///   since its own values would open nowhere else. A store's error, such as a damaged row, changes nothing.
    package mutating func turn() async throws {
        guard let vault = try await store.read({ try $0.vaultState() }) else { return }
        _ = try masterKey.sealingKey(of: vault)
        if try adopt(vault) {
            Logger.current.notice(
                "the master key was rotated; sealing with the new one", metadata: ["keyId": "\(masterKey.identifier)"])
        }
        let now = now
        let sealing = masterKey.identifier
        if let reported, reported.sealing == sealing,
            (reported.seenAt..<reported.seenAt.advanced(by: Self.reporting)).contains(now)
        {
            return
        }
        let report = KeyHolder(
            holder: holder, keyIDs: masterKey.keys.map(\.identifier), sealing: sealing, seenAt: now,
            version: BrokerVersion.current, host: Self.host)
        let silence = now.advanced(by: .zero - Self.silence)
        try await store.write(at: now) { try $0.put(report, forgettingSilentSince: silence) }
        reported = report
    }

    /// The name of this computer or container, without a question to a name server.
    private static let host: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
        guard let start = buffer.baseAddress, gethostname(start, buffer.count) == 0 else { return nil }
        return String(cString: start)
    }

    private func adopt(_ vault: VaultState) throws(StoreError) -> Bool {
        do {
            return try masterKey.adopt(vault)
        } catch {
            // The keys in memory are good, and a broker that stops could not start again.
            throw StoreError(.corrupt, "\(error)")
        }
    }

    /// Says that this broker has stopped, so that a rotation does not wait for it.
    package func end() async throws {
        try await store.write { [holder] in try $0.removeKeyHolder(holder) }
    }
}
