import BrokerStore
import Foundation
import Logging
import ProviderKit

/// Records in the audit that this broker has adopted changed files of its configuration.
struct ReloadRecord: Sendable {
    private let store: Store
    private let now: @Sendable () -> Date

    init(_ core: BrokerCore) {
        store = core.store
        now = core.now
    }

    func callAsFunction(_ change: ProviderChange) async {
        func list(_ ids: [String]) -> JSONValue { .array(ids.map(JSONValue.string)) }
        await self(
            "providers",
            ["added": list(change.added), "removed": list(change.removed), "changed": list(change.changed)])
    }

    func certificate() async { await self("certificate", [:]) }

    private func callAsFunction(_ part: String, _ detail: JSONObject) async {
        var detail = detail
        detail["part"] = .string(part)
        do {
            try await store.write(at: Timestamp(now()), by: Origin(.system)) { [detail] transaction in
                try transaction.audit("configuration.reloaded", of: nil, detail: detail)
            }
        } catch {
            // The configuration is adopted: a broker cannot refuse a file because its store is away.
            Logger.current.error("audit of a reload failed", metadata: ["error": "\(error)"])
        }
    }
}
