import Foundation

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

/// A text with a place for one name, written `{}`. Korean particles follow a noun of the text, never the name, whose
/// last sound is not known.
struct Phrase: Sendable, ExpressibleByStringLiteral {
    let pattern: String

    init(stringLiteral pattern: String) { self.pattern = pattern }

    /// The text about `name`. The name is put in once and never searched for places itself.
    func callAsFunction(_ name: String) -> String {
        guard let place = pattern.range(of: "{}") else { return pattern }
        return pattern.replacingCharacters(in: place, with: name)
    }
}
