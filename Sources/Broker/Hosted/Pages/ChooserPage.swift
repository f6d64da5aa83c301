/// The chooser: one button for each provider.
struct ChooserPage: HostedPage {
    /// The client that waits, if any.
    var app: String?
    let providers: [ProviderButton]
    var notice: Notice?
    /// The session this browser already has.
    var continueAs: Known?
    /// Back to the app, without signing in.
    var cancelHref: String?

    enum Notice: Codable, Sendable {
        /// A first sign-in whose address is another user's: the named provider is connected once that user has signed in,
        /// with one of `ways` where the policy discloses them.
        case accountExists(provider: String, ways: [String] = [])
        /// Reauthentication.
        case signInAgain
        /// The other account of a merge.
        case otherAccount
        case cancelled(provider: String)
        case providerUnavailable(provider: String)
    }

    struct Known: Sendable {
        let name: String?
        let email: String?
        let form: HiddenForm
    }

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.chooser
        let title = app.map { text.titleForApp($0) } ?? text.title
        let view = ChooserView(
            heading: title,
            explanation: providers.isEmpty || notice != nil ? nil : text.explanation,
            notice: notice.map { Self.view($0, text) },
            known: continueAs.map { KnownView($0, isOnlyWay: providers.isEmpty, text) },
            providers: providers.map { ProviderView($0, text) },
            nothing: providers.isEmpty ? text.nothing : nil,
            cancel: cancelHref.map { LinkView($0, app.map { text.backToApp($0) } ?? text.back) })
        return PageContent(title: title, template: .chooser, view: view)
    }

    private static func view(_ notice: Notice, _ text: ChooserText) -> NoticeView {
        switch notice {
        case .accountExists(let provider, let ways) where ways.isEmpty: .remark(text.accountExists(provider))
        case .accountExists(let provider, let ways):
            .remark("\(text.accountFound(provider)) \(text.accountWays(ways.joined(separator: ", ")))")
        case .signInAgain: .remark(text.signInAgain)
        case .otherAccount: .remark(text.otherAccount)
        case .cancelled(let provider): .warning(text.cancelled(provider))
        case .providerUnavailable(let provider): .warning(text.unavailable(provider))
        }
    }
}

/// The values of the `chooser` template.
private struct ChooserView: Sendable {
    let heading: String
    let explanation: String?
    let notice: NoticeView?
    let known: KnownView?
    let providers: [ProviderView]
    let nothing: String?
    let cancel: LinkView?
}

private struct KnownView: Sendable {
    let person: PersonView
    let form: FormView
    /// Stands between this session and the providers.
    let others: String?

    init(_ known: ChooserPage.Known, isOnlyWay: Bool, _ text: ChooserText) {
        person = PersonView(name: known.name, email: known.email, fallback: text.nameless)
        form = FormView(known.form, [.init(text.continueAs(person.name), .primary)])
        others = isOnlyWay ? nil : text.others
    }
}

private struct ProviderView: Sendable {
    let id, href, caption: String
    let mark: ProviderMark

    init(_ provider: ProviderButton, _ text: ChooserText) {
        id = provider.id
        href = provider.href.href
        mark = ProviderMark(kind: provider.kind, name: provider.name)
        // Apple's rules fix the words of its button, in each language.
        caption = provider.kind == "apple" ? text.continueWithApple : text.continueWith(provider.name)
    }
}

/// The button of a provider.
struct ProviderButton: Sendable {
    /// The entry's id, which tells two entries of one kind apart.
    let id: String
    /// The kind of plugin: `github`, `gitlab`, `apple`, `1pass`, `oidc`, `oauth2` or another.
    let kind: String
    /// The display name.
    let name: String
    let href: PageLink

    init(id: String, kind: String, name: String, href: String) {
        self.id = id
        self.kind = kind
        self.name = name
        self.href = PageLink(href)
    }
}
