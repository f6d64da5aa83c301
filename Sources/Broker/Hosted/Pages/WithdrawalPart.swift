/// The withdrawal of this site's access at a provider, for a page. It is sealed into the page's address.
struct WithdrawalPart: Codable, Sendable {
    /// The provider's name.
    let provider: String
    var state: State
    let receipt: String?

    enum State: String, Codable, Sendable {
        /// It will be asked for.
        case forecast
        case queued, done, failed
        case nothingStored, notSupported
    }

    /// One sentence, with the name of this site.
    func text(in language: PageLanguage) -> String {
        let text = language.texts.withdrawal
        return switch state {
        case .forecast: text.forecast(provider: provider)
        case .queued: text.queued(provider: provider, receipt: receipt ?? "")
        case .done: text.done(provider: provider)
        case .failed: text.failed(provider: provider, receipt: receipt ?? "")
        case .nothingStored: text.nothingStored(provider: provider)
        case .notSupported: text.notSupported(provider: provider)
        }
    }
}

struct WithdrawalText: Sendable, Decodable {
    let forecast, queued, done, failed, nothingStored, notSupported: Phrase
}
