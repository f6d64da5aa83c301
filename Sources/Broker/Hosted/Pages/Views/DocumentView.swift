/// The values of the `document` template.
struct DocumentView: Sendable {
    let language, title, siteName, nonce, style: String
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

/// The choice of a language. Each language is called by its own name, in every language.
struct LanguageText: PageText {
    let label: String

    static let english = LanguageText(label: "Language")
    static let korean = LanguageText(label: "언어")

    static func name(of language: PageLanguage) -> String {
        switch language {
        case .english: "English"
        case .korean: "한국어"
        }
    }
}
