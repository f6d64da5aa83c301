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

/// Says that the account is deleted, and what becomes of its access at the providers.
struct DeletedPage: HostedPage {
    let withdrawals: [WithdrawalPart]
    var signInHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.closing
        return StatementView(
            symbol: .done, heading: text.deletedTitle, paragraphs: [text.deletedText],
            facts: withdrawals.compactMap { part in
                part.text(in: language).map { .init(label: part.provider, value: $0) }
            },
            links: signInHref.map { [LinkView($0, text.signInAgain, style: "plain")] } ?? []
        ).page()
    }
}

/// The texts of all three.
struct ClosingText: Sendable, Decodable {
    let proven: Phrase
    let closeTerminal: String
    let signedOutTitle, signedOutText, signInAgain: String
    let deletedTitle, deletedText: String
}
