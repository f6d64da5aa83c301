/// The whole history of an account, page by page.
struct AccountHistoryPage: HostedPage {
    /// Newest first.
    let entries: [Happening]
    /// Leads to what happened before; nil on the last page.
    let olderHref: String?

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.history
        return PageContent(
            title: text.title, template: .history, view: AccountHistoryView(self, text, language),
            layout: .sections([], action: nil), showsMoments: true)
    }
}

/// The texts about what happened to an account.
struct HistoryText: Sendable, Decodable {
    let title, nothing, administrators, all, older, back, byAdministrator: String
    let created, signedIn, refused, confirmationNeeded, profileChanged, merged, separated, exported: String
    let signedOut, signedOutEverywhere, sessionEnded, disabled, enabled: String
    let createdWith, signedInWith, appSignedIn, deviceAllowed, refusedWith, confirmationNeededWith: Phrase
    let connected, disconnected, accessEnded, changed: Phrase
    let parts: Parts

    struct Parts: Sendable, Decodable {
        let name, picture, email, rights: String

        subscript(_ part: Happening.Part) -> String {
            switch part {
            case .name: name
            case .picture: picture
            case .email: email
            case .rights: rights
            }
        }
    }
}

/// The values of the `history` template.
struct AccountHistoryView: Sendable {
    let heading: String
    let nothing: String?
    let happenings: [HappeningView]
    let older: LinkView?
    let back: LinkView

    init(_ page: AccountHistoryPage, _ text: HistoryText, _ language: PageLanguage) {
        heading = text.title
        nothing = page.entries.isEmpty ? text.nothing : nil
        happenings = page.entries.map { HappeningView($0, text, language) }
        older = page.olderHref.map { LinkView($0, text.older, style: "compact") }
        back = LinkView("/account", text.back, style: "plain")
    }
}

/// One entry of the history.
struct HappeningView: Sendable {
    let drawing, tone, title: String
    let date: PageDate
    /// The rest of the line: by an administrator, or from which network.
    let detail: String?

    init(_ happening: Happening, _ text: HistoryText, _ language: PageLanguage) {
        drawing = happening.kind.tone.icon.svg
        tone = happening.kind.tone.rawValue
        title = Self.title(happening, text)
        date = PageDate(happening.at, language)
        detail = happening.isByAdministrator ? text.byAdministrator : happening.network
    }

    private static func title(_ happening: Happening, _ text: HistoryText) -> String {
        func about(_ name: String?, _ phrase: Phrase, else plain: String) -> String {
            name.map { phrase(name: $0) } ?? plain
        }
        return switch happening.kind {
        case .created: about(happening.provider, text.createdWith, else: text.created)
        case .signedIn: about(happening.provider, text.signedInWith, else: text.signedIn)
        case .appSignedIn: about(happening.app, text.appSignedIn, else: text.signedIn)
        case .deviceAllowed: about(happening.app, text.deviceAllowed, else: text.signedIn)
        case .refused: about(happening.provider, text.refusedWith, else: text.refused)
        case .confirmationNeeded:
            about(happening.provider, text.confirmationNeededWith, else: text.confirmationNeeded)
        case .connected: text.connected(name: happening.provider ?? "?")
        case .disconnected: text.disconnected(name: happening.provider ?? "?")
        case .accessEnded: text.accessEnded(name: happening.provider ?? "?")
        case .profileChanged:
            happening.changed.isEmpty
                ? text.profileChanged
                : text.changed(parts: happening.changed.map { text.parts[$0] }.joined(separator: ", "))
        case .merged: text.merged
        case .separated: text.separated
        case .exported: text.exported
        case .signedOut: text.signedOut
        case .signedOutEverywhere: text.signedOutEverywhere
        case .sessionEnded: text.sessionEnded
        case .disabled: text.disabled
        case .enabled: text.enabled
        }
    }
}
