/// Says that a sign-out has happened.
struct SignedOutPage: HostedPage {
    var signInHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        return StatementView(
            symbol: .done, heading: text.signedOutTitle, paragraphs: [text.signedOutText],
            links: signInHref.map { [LinkView($0, text.signInAgain, style: "primary")] } ?? []
        ).page()
    }
}
