/// The end of a way that began elsewhere: in a terminal, or in an app that waits.
struct DonePage: HostedPage {
    let achievement: Achievement
    let origin: Origin
    /// Whom it was done for, if that may be shown.
    var person: String?

    enum Achievement: Sendable {
        case signedIn
        case linked(provider: String)
        case reauthenticated
        /// Whom a terminal waits for is known; what comes of it is decided there.
        case proven(provider: String)
    }

    enum Origin: Sendable {
        case terminal
        /// An app, by its name if it has one.
        case app(String?)
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = ClosingText.texts(in: language)
        let heading =
            switch achievement {
            case .signedIn: text.signedIn
            case .linked(let provider): text.linked(provider)
            case .reauthenticated: text.reauthenticated
            case .proven(let provider): text.proven(provider)
            }
        let close =
            switch origin {
            case .terminal: text.closeTerminal
            case .app(let name?): text.closeApp(name)
            case .app(nil): text.closeAnyApp
            }
        return StatementView(symbol: .done, heading: heading, paragraphs: (person.map { [$0] } ?? []) + [close]).page()
    }
}
