/// An error page: what happened, and what to do. It says nothing that an attacker could use.
struct ErrorPage: HostedPage {
    let cause: Cause
    /// The id of this request in the log.
    let requestID: String
    var exit: Exit?

    enum Cause: Codable, Sendable {
        /// Consumed, expired, or never started; the page does not say which.
        case attemptUnknownOrUsed
        /// A form of this browser that was open for too long.
        case expired
        case otherBrowser
        case providerRefused(String)
        case cancelled(String)
        case providerUnavailable(String)
        case providerMisconfigured(String)
        /// The provider showed no profile, or one without the user's id.
        case profileUnusable(String)
        /// With the `client_id` of the request.
        case clientUnknown(id: String)
        /// With the `redirect_uri` of the request.
        case redirectNotRegistered(uri: String)
        /// With a text of ours for developers, in English.
        case badRequest(String)
        case accountDisabled
        case linkRefused(LinkRefusal, provider: String)
        case mergeRefused(MergeRefusal, provider: String)
        case lastWayIn
        case signUpOff
        case deletionOff
        case notFound
        case unavailable
        /// The request met a rate limit.
        case tooManyRequests
        /// The request did not come from a page of ours.
        case notAllowed
    }

    enum LinkRefusal: String, Codable, Sendable {
        case alreadyLinkedElsewhere, providerAlreadyLinked, emailTaken
    }

    enum MergeRefusal: String, Codable, Sendable {
        case noAccount, sameAccount, twoOfOneProvider, needsAdministrator, undoNeedsAdministrator, loginEnded
    }

    /// The link that the page offers.
    enum Exit: Codable, Sendable {
        case startAgain(href: String)
        case account(href: String)
        /// To the app that waits.
        case app(name: String, href: String)
        /// To the start page that an app or the site has registered.
        case home(name: String, href: String)
    }

    func content(in language: PageLanguage) -> PageContent {
        let texts = language.texts.errors
        let frame = language.texts.errorLinks
        let (text, subject) = text(texts)
        return StatementView(
            symbol: .problem, heading: text.headline(subject),
            paragraphs: [text.happened(subject), text.advice(subject)],
            links: exit.map { [link($0, frame)] } ?? [], details: details(text, frame),
            reference: .init(label: frame.reference, value: requestID)
        ).page()
    }

    /// What only developers understand. Nothing of it is a link.
    private func details(_ text: ErrorText, _ frame: ErrorLinksText) -> StatementView.Details? {
        let facts: [(String, String)] =
            switch cause {
            case .clientUnknown(let id): [(OAuthParameter.clientID.name, id)]
            case .redirectNotRegistered(let uri): [(OAuthParameter.redirectURI.name, uri)]
            case .badRequest(let detail): [(frame.fault, detail)]
            default: []
            }
        let rows =
            facts.filter { !$0.1.isEmpty }.map { StatementView.Fact(label: $0.0, value: String($0.1.prefix(200))) }
            + (text.developers.map { [.init(label: frame.remedy, value: $0)] } ?? [])
        return rows.isEmpty ? nil : .init(caption: frame.details, rows: rows)
    }

    /// The text, with the name in it. No `default`: a new cause does not compile until it has its texts.
    private func text(_ texts: ErrorTexts) -> (ErrorText, subject: String) {
        switch cause {
        case .attemptUnknownOrUsed: (texts.attemptUnknownOrUsed, "")
        case .expired: (texts.expired, "")
        case .otherBrowser: (texts.otherBrowser, "")
        case .providerRefused(let name): (texts.providerRefused, name)
        case .cancelled(let name): (texts.cancelled, name)
        case .providerUnavailable(let name): (texts.providerUnavailable, name)
        case .providerMisconfigured(let name): (texts.providerMisconfigured, name)
        case .profileUnusable(let name): (texts.profileUnusable, name)
        case .clientUnknown: (texts.clientUnknown, "")
        case .redirectNotRegistered: (texts.redirectNotRegistered, "")
        case .badRequest: (texts.badRequest, "")
        case .accountDisabled: (texts.accountDisabled, "")
        case .linkRefused(.alreadyLinkedElsewhere, let provider): (texts.alreadyLinkedElsewhere, provider)
        case .linkRefused(.providerAlreadyLinked, let provider): (texts.providerAlreadyLinked, provider)
        case .linkRefused(.emailTaken, let provider): (texts.emailTaken, provider)
        case .mergeRefused(.noAccount, let provider): (texts.noAccountToMerge, provider)
        case .mergeRefused(.sameAccount, _): (texts.sameAccount, "")
        case .mergeRefused(.twoOfOneProvider, let provider): (texts.twoOfOneProvider, provider)
        case .mergeRefused(.needsAdministrator, _): (texts.mergeNeedsAdministrator, "")
        case .mergeRefused(.undoNeedsAdministrator, _): (texts.undoNeedsAdministrator, "")
        case .mergeRefused(.loginEnded, _): (texts.otherLoginEnded, "")
        case .lastWayIn: (texts.lastWayIn, "")
        case .signUpOff: (texts.signUpOff, "")
        case .deletionOff: (texts.deletionOff, "")
        case .notFound: (texts.notFound, "")
        case .unavailable: (texts.unavailable, "")
        case .tooManyRequests: (texts.tooManyRequests, "")
        case .notAllowed: (texts.notAllowed, "")
        }
    }

    private func link(_ exit: Exit, _ text: ErrorLinksText) -> LinkView {
        switch exit {
        case .startAgain(let href): LinkView(href, text.startAgain, style: "primary")
        case .account(let href):
            switch cause {
            case .linkRefused(.alreadyLinkedElsewhere, _): LinkView(href + "#merge", text.join, style: "primary")
            default: LinkView(href, text.account, style: "quiet")
            }
        case .app(let name, let href): LinkView(href, text.app(name), style: "primary")
        case .home(let name, let href):
            switch cause {
            case .attemptUnknownOrUsed, .expired: LinkView(href, text.startAgainAt(name), style: "primary")
            default: LinkView(href, text.home(name), style: "primary")
            }
        }
    }
}
