import ProviderKit

extension [ReceiptAnswer] {
    /// A line for each, after a line of its own.
    package var text: TerminalText {
        map { "\n  \($0.providerId): \(TerminalText.withdrawal($0.state, $0.receipt))" as TerminalText }.joined()
    }
}

extension [JSONValue] {
    /// A line for each receipt of a user record, after a line of its own.
    package var withdrawalText: TerminalText {
        map { receipt in
            let outcome = TerminalText.withdrawal(receipt["state"]?.string ?? "", receipt["receipt"]?.string)
            return "\n  \(receipt["providerId"]?.string ?? ""): \(outcome)" as TerminalText
        }.joined()
    }
}

extension TerminalText {
    fileprivate static func withdrawal(_ state: String, _ receipt: String?) -> TerminalText {
        switch (state, receipt) {
        case ("queued", let receipt?): "queued for withdrawal, receipt \(receipt)"
        case ("nothingStored", _): "no token stored, so nothing to withdraw"
        case ("notSupported", _): "the plugin cannot revoke grants"
        default: "\(state)"
        }
    }
}
