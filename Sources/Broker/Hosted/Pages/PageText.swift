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
    private let grammar: PageGrammar?

    /// - Parameters:
    ///   - pattern: The text with its places.
    ///   - grammar: The rules of the text's language; without them values are put in as they are.
    init(_ pattern: String, _ grammar: PageGrammar? = nil) {
        self.grammar = grammar
        var parts: [Part] = []
        var text = pattern[...]
        var rest = text
        // What is no place in this sense is text, and so is all that begins with `{{`.
        while let start = rest.firstIndex(of: "{") {
            let name = rest[start...].dropFirst().prefix { $0.isASCII && $0.isLetter }
            let isTemplate = pattern[..<start].last == "{"
            rest = rest[name.endIndex...]
            guard !name.isEmpty, !isTemplate, rest.first == "}" else { continue }
            rest = rest.dropFirst()
            parts += [.text(String(text[..<start])), .place(String(name))]
            text = rest
        }
        self.parts = parts + [.text(String(text))]
    }

    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self), try PageGrammar(of: decoder))
    }

    /// The text with its places.
    var pattern: String {
        parts.map { part in
            switch part {
            case .text(let own): own
            case .place(let name): "{\(name)}"
            }
        }.joined()
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
            case .place(let name):
                let value = values.first { $0.key == name || $0.key.isEmpty }?.value
                text += value.map { grammar?.isolated($0) ?? $0 } ?? "{\(name)}"
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
