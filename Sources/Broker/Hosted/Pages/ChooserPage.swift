import ProviderKit

/// The chooser: one button for each provider.
struct ChooserPage: HostedPage {
    /// The client that waits, if any.
    var app: String?
    var appLogo: LogoView?
    let providers: [ProviderButton]
    /// The id of the provider that this browser's last sign-in was with; its button stands first.
    var usedLast: String?
    var notice: Notice?
    /// The session this browser already has.
    var continueAs: Known?
    /// Back to the app, without signing in.
    var cancelHref: String?
    var termsHref, privacyHref: String?
    /// In place of the words that every user is asked with.
    var words: Words?

    struct Words: Sendable {
        let title, explanation: String
    }

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
        let title = words?.title ?? app.map { text.titleForApp($0) } ?? text.title
        let first = preferred
        let others = providers.filter { $0.id != first?.id }
        let shown = providers.count > Self.unfolded ? Self.unfolded - (first == nil ? 0 : 1) : others.count
        let view = ChooserView(
            tile: app.map { TileView(name: $0, logo: appLogo) }, heading: title,
            explanation: providers.isEmpty || notice != nil ? nil : words?.explanation ?? text.account,
            notice: providers.isEmpty ? .remark(text.nothing) : notice.map { Self.view($0, text) },
            known: continueAs.map { KnownView($0, text) },
            usedLast: first.map { .init(caption: text.usedLast, provider: ProviderView($0, isUsedLast: true, text)) },
            or: others.isEmpty || first == nil && continueAs == nil ? nil : text.or,
            providers: others.prefix(shown).map { ProviderView($0, text) },
            further: shown == others.count
                ? nil
                : .init(caption: text.more, providers: others.dropFirst(shown).map { ProviderView($0, text) }),
            legal: [
                termsHref.map { LinkView($0, text.terms) },
                privacyHref.map { LinkView($0, text.privacy) },
            ].compactMap(\.self),
            cancel: cancelHref.map { LinkView($0, app.map { text.backToApp($0) } ?? text.back) })
        return PageContent(
            title: title, template: .chooser, view: view, style: providers.compactMap(\.style).joined())
    }

    /// How many providers are shown at once.
    private static let unfolded = 5

    /// The provider used last, where it is a likely choice: a notice and a remembered account speak first.
    private var preferred: ProviderButton? {
        guard providers.count > 1, continueAs == nil else { return nil }
        switch notice {
        case nil, .signInAgain: return providers.first { $0.id == usedLast }
        case .accountExists, .otherAccount, .cancelled, .providerUnavailable: return nil
        }
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
    let tile: TileView?
    let heading: String
    let explanation: String?
    let notice: NoticeView?
    let known: KnownView?
    let usedLast: UsedLast?
    /// Stands between the first choice and the others.
    let or: String?
    let providers: [ProviderView]
    let further: Further?
    let legal: [LinkView]
    let cancel: LinkView?

    struct UsedLast: Sendable {
        let caption: String
        let provider: ProviderView
    }

    /// Those that are shown on demand.
    struct Further: Sendable {
        let caption: String
        let providers: [ProviderView]
    }
}

private struct KnownView: Sendable {
    let person: PersonView
    let form: FormView

    init(_ known: ChooserPage.Known, _ text: ChooserText) {
        person = PersonView(name: known.name, email: known.email, fallback: text.nameless)
        form = FormView(known.form, [.init(text.continueAs(person.name), .primary)])
    }
}

private struct ProviderView: Sendable {
    let id, href, caption: String
    let mark: ProviderMark
    let isUsedLast: Bool

    init(_ provider: ProviderButton, isUsedLast: Bool = false, _ text: ChooserText) {
        self.isUsedLast = isUsedLast
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
    /// The provider's own, where the entry names them.
    let colors: ButtonColors?
    let href: PageLink

    init(_ provider: ConfiguredProvider, href: String) {
        self.init(
            id: provider.id, kind: provider.kind.rawValue, name: provider.displayName,
            colors: provider.source?.entry.button, href: href)
    }

    init(id: String, kind: String, name: String, colors: ButtonColors? = nil, href: String) {
        self.id = id
        self.kind = kind
        self.name = name
        self.colors = colors
        self.href = PageLink(href)
    }

    /// The rule that paints it; an id has no character that ends a string.
    var style: String? {
        colors.map { colors in
            let button = ".provider[data-provider=\"\(id)\"]"
            return "\(button),\(button):hover{background:\(colors.background.hex);color:\(colors.foreground.hex)}"
                + "\(button) .letter{background:none;color:inherit}\n"
        }
    }
}
