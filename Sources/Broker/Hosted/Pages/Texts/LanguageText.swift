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
