/// The values of the `document` template.
struct DocumentView: Sendable {
    let language, direction, title, siteName, icon, nonce, style: String
    let layout: String
    /// `nil` on pages that need none.
    let script: String?
    /// How the script writes a day with its time.
    let momentPattern: String
    let brand: PageBrand
    /// The form at the top, at the end of the line.
    let action: FormView?
    let contents: ContentsView?
    let footLinks: [LinkView]
    let switches: LanguageSwitch?
    /// The name of the page's own template.
    let main: String
    let view: any Sendable

    init(
        _ content: PageContent, _ language: PageLanguage, brand: PageBrand, switches: LanguageSwitch?, nonce: String
    ) {
        let text = language.texts.frame
        self.language = language.tag
        direction = language.grammar.direction.rawValue
        title = content.title
        siteName = brand.name
        icon = PageLink(brand.iconHref).href
        self.nonce = nonce
        style = StyleSheet.text + brand.style + content.style
        script = content.showsMoments ? LocalTimeScript.text : nil
        momentPattern = language.texts.dates.moment.pattern
        self.brand = brand
        self.switches = switches
        main = content.template.rawValue
        view = content.view
        footLinks = [
            (brand.termsHref, text.terms), (brand.privacyHref, text.privacy), (brand.supportHref, text.support),
        ].compactMap { href, name in href.map { LinkView($0, name) } }
        switch content.layout {
        case .card: (layout, action, contents) = ("", nil, nil)
        case .sections(let anchors, let action):
            (layout, self.action) = ("sections", action)
            contents = anchors.isEmpty ? nil : ContentsView(label: text.contents, skip: text.skip, anchors: anchors)
        }
    }
}

/// The list of a page's sections.
struct ContentsView: Sendable {
    let label, skip: String
    let anchors: [Anchor]

    /// A section of a page.
    struct Anchor: Sendable {
        let id, text: String
    }
}

/// The choice of a language at the foot of a page.
struct LanguageSwitch: Sendable {
    let label: String
    let current: String
    let drawing = PageIcon.globe.svg
    /// The other ones.
    let languages: [Entry]

    struct Entry: Sendable {
        let tag, direction, name, href: String
    }

    init(_ languages: [PageLanguage], current: PageLanguage, url: (PageLanguage) -> String) {
        label = current.texts.language.menu
        self.current = current.texts.language.name
        self.languages = languages.filter { $0 != current }.map { language in
            Entry(
                tag: language.tag, direction: language.grammar.direction.rawValue, name: language.texts.language.name,
                href: PageLink(url(language)).href)
        }
    }
}
