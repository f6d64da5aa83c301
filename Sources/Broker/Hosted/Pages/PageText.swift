import ProviderKit

/// A text with places for values, written `{provider}`.
///
/// `text(provider: "GitHub")` fills a place by its name; a value without a label fills the only place there is. Values are
/// put in once and never searched for places themselves.
@dynamicCallable
struct Phrase: Sendable, Decodable {
    fileprivate enum Part: Sendable {
        case text(String)
        case place(String)
    }

    private let parts: [Part]

    init(_ pattern: String) {
        var parts: [Part] = []
        var rest = pattern[...]
        // What is no place in this sense, such as `{{`, is text.
        while let match = rest.firstMatch(of: /\{([a-zA-Z]+)\}/) {
            parts.append(.text(String(rest[..<match.range.lowerBound])))
            parts.append(.place(String(match.1)))
            rest = rest[match.range.upperBound...]
        }
        self.parts = parts + [.text(String(rest))]
    }

    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// The names of the places.
    var places: Set<String> {
        parts.reduce(into: []) { places, part in
            if case .place(let name) = part { places.insert(name) }
        }
    }

    /// The text with `values` in their places.
    func dynamicallyCall(withKeywordArguments values: KeyValuePairs<String, String>) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let own): text += own
            case .place(let name): text += values.first { $0.key == name || $0.key.isEmpty }?.value ?? "{\(name)}"
            }
        }
    }
}

/// A text that depends on a number, with a form for each plural category of its language. The number fills `{count}`.
struct PluralPhrase: Sendable, Decodable {
    private let forms: [PluralCategory: Phrase]
    private let grammar: PageGrammar

    init(from decoder: any Decoder) throws {
        grammar = try PageGrammar(of: decoder)
        let container = try decoder.container(keyedBy: PluralCategory.self)
        var forms: [PluralCategory: Phrase] = [:]
        for category in grammar.plural.categories {
            forms[category] = try container.decode(Phrase.self, forKey: category)
        }
        self.forms = forms
    }

    /// The text about so many.
    func callAsFunction(_ count: Int) -> String {
        let form = forms[grammar.plural.category(of: count)] ?? forms[.other]
        return form?(count: grammar.digits(of: String(count))) ?? ""
    }
}
