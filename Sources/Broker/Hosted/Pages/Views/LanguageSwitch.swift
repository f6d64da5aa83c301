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
