import Broker
import ProviderKit

extension [WithdrawalReceipt] {
    var document: JSONValue { .array(map { .object(JSONObject($0)) }) }

    /// A line for each, after a line of its own.
    var text: TerminalText { TerminalText(escapingLines: map { "\n" + $0.line }.joined()) }
}

extension WithdrawalReceipt {
    fileprivate var line: String {
        switch state {
        case .queued(let id): "  \(provider): queued for withdrawal, receipt \(id)"
        case .nothingStored: "  \(provider): no token stored, so nothing to withdraw"
        case .notSupported: "  \(provider): the plugin cannot revoke grants"
        }
    }
}
