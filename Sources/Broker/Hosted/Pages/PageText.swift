/// Everything one page can say, in each language. All members are required, so a text that is missing in one language
/// does not compile.
protocol PageText: Sendable {
    static var english: Self { get }
    static var korean: Self { get }
}

extension PageText {
    /// The texts of one language.
    static func texts(in language: PageLanguage) -> Self {
        switch language {
        case .english: english
        case .korean: korean
        }
    }
}
