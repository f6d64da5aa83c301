/// The end of a terminal's sign-in; the terminal decides what follows.
struct DonePage: HostedPage {
    /// The provider that verified the user.
    let provider: String
    /// The user's name at the provider.
    var person: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.closing
        return StatementView(
            symbol: .done, heading: text.proven(provider),
            paragraphs: [person, text.closeTerminal].compactMap(\.self)
        ).page()
    }
}

/// The end of a sign-in that an administrator tries, in the browser.
struct TriedPage: HostedPage {
    let provider: String

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.closing
        return StatementView(
            symbol: .done, heading: text.tried(provider), paragraphs: [text.triedText(provider), text.closeTerminal]
        ).page()
    }
}

/// Says that a sign-out has happened.
struct SignedOutPage: HostedPage {
    var signInHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.closing
        return StatementView(
            symbol: .done, heading: text.signedOutTitle, paragraphs: [text.signedOutText],
            links: signInHref.map { [LinkView($0, text.signInAgain, style: "primary")] } ?? []
        ).page()
    }
}

/// The texts of all.
struct ClosingText: Sendable, Decodable {
    let proven, tried, triedText: Phrase
    let closeTerminal: String
    let signedOutTitle, signedOutText, signInAgain: String
}
