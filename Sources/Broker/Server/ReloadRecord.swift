import BrokerStore
import Logging
import ProviderKit

extension StoreContext {
    /// Records in the audit that this broker has adopted changed providers.
    func recordReload(of change: ProviderChange) async {
        func list(_ ids: [String]) -> JSONValue { .array(ids.map(JSONValue.string)) }
        await recordReload(
            of: "providers",
            ["added": list(change.added), "removed": list(change.removed), "changed": list(change.changed)])
    }

    /// Records in the audit that this broker has adopted a changed certificate.
    func recordReloadOfCertificate() async { await recordReload(of: "certificate", [:]) }

    /// Records in the audit that this broker has adopted changed texts of the pages.
    func recordReloadOfPageTexts() async { await recordReload(of: "pageTexts", [:]) }

    private func recordReload(of part: String, _ detail: JSONObject) async {
        var detail = detail
        detail["part"] = .string(part)
        do {
            try await write(by: Origin(.system)) { [detail] transaction in
                try transaction.audit("configuration.reloaded", of: nil, detail: detail)
            }
        } catch {
            // The configuration is adopted: a broker cannot refuse a file because its store is away.
            Logger.current.error("audit of a reload failed", metadata: ["error": "\(error)"])
        }
    }
}
