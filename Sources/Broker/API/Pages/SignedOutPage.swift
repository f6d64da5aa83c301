/// Says that a sign-out has happened.
struct SignedOutPage: HostedPage {
    var signInHref: String?
    var backTo: App?

    struct App: Sendable {
        let name: String
        let href: String
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        let back = backTo.map { LinkView($0.href, text.backTo($0.name), style: "primary") }
        let signIn = signInHref.map { LinkView($0, text.signInAgain, style: back == nil ? "primary" : "plain") }
        return StatementView(
            symbol: .done, heading: text.signedOutTitle, paragraphs: [text.signedOutText],
            links: [back, signIn].compactMap { $0 }
        ).page()
    }
}
