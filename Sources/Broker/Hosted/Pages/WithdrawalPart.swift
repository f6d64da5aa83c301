/// The withdrawal of this site's access at a provider, for a page. It is sealed into the page's address.
struct WithdrawalPart: Codable, Sendable {
    /// The provider's name.
    let provider: String
    /// The name of a ``WithdrawalReceipt/State``.
    let state: String
    let receipt: String?

    /// One sentence; nil for a state that there is none of.
    func text(in language: PageLanguage) -> String? {
        let text = language.texts.withdrawal
        switch state {
        case "queued": return receipt.map { text.queued($0) }
        case "nothingStored": return text.nothingStored
        case "notSupported": return text.notSupported
        default: return nil
        }
    }
}

struct WithdrawalText: Sendable, Decodable {
    let queued: Phrase
    let nothingStored, notSupported: String
}
