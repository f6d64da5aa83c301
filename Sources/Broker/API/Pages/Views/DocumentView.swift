/// What the `document` template reads.
struct DocumentView: Sendable {
    let language, title, siteName, nonce, style: String
    let switches: LanguageSwitch?
    /// The name of the page's own template.
    let main: String
    let view: any Sendable
}

/// The choice of a language at the foot of a page.
struct LanguageSwitch: Sendable {
    let label: String
    let languages: [Entry]

    struct Entry: Sendable {
        let tag, name, href: String
        let isCurrent: Bool
    }

    static func all(current: PageLanguage, url: (PageLanguage) -> String) -> LanguageSwitch {
        LanguageSwitch(
            label: LanguageText.texts(in: current).label,
            languages: PageLanguage.allCases.map { language in
                Entry(
                    tag: language.rawValue, name: LanguageText.name(of: language), href: PageLink(url(language)).href,
                    isCurrent: language == current)
            })
    }
}
