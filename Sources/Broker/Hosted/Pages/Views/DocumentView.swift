/// The values of the `document` template.
struct DocumentView: Sendable {
    let language, direction, title, siteName, nonce, style: String
    /// `nil` on pages that need none.
    let script: String?
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

    init(_ languages: [PageLanguage], current: PageLanguage, url: (PageLanguage) -> String) {
        label = current.texts.language.menu
        self.languages = languages.map { language in
            Entry(
                tag: language.tag, name: language.texts.language.name, href: PageLink(url(language)).href,
                isCurrent: language == current)
        }
    }
}
