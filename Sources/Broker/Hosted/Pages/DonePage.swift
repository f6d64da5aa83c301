/// The end of a way that began in a terminal: whom it waits for is known; what comes of it is decided there.
struct DonePage: HostedPage {
    /// Who has confirmed it.
    let provider: String
    /// Whom the terminal will name.
    var person: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        return StatementView(
            symbol: .done, heading: text.proven(provider),
            paragraphs: [person, text.closeTerminal].compactMap(\.self)
        ).page()
    }
}
