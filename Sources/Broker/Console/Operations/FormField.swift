import BrokerStore
import ProviderKit

/// A field of a form, made of what is declared of a value.
struct FormField: Sendable {
    /// The names on the way to the value in the body, such as `["selection", "user"]`.
    let path: [String]
    /// Part of a sentence or a sentence; names of code stand between backticks.
    let text: String
    let control: Control
    var isRequired: Bool
    /// What counts when the body does not have it.
    let initialValue: JSONValue?
    let example: JSONValue?

    /// How a value is typed.
    enum Control: Sendable, Hashable {
        /// A line of text.
        case line
        /// Text that is not shown again.
        case secret
        case number(ClosedRange<Int>?)
        /// Ticked or not.
        case flag
        /// Yes, no, or neither, with the word for that.
        case decision(otherwise: String)
        case choice([String])
        case choices([String])
        /// A list with one item a line.
        case lines
        /// A moment in UTC.
        case moment
        /// A JSON document.
        case document
        /// A line of text with values to choose from.
        case suggestion(DeclaredArgument.Reference)
    }

    /// Its name in the form.
    var name: String { path.joined(separator: ".") }

    /// Its name as words: `redirectUris` as `Redirect URIs`.
    var label: String { (path.last ?? "").asWords }

    /// The name of the box for one of several choices.
    func name(of choice: String) -> String { "\(name).\(choice)" }

    /// Its value as it stands in the form; empty for none. `value` gives what was typed into the box of a name.
    func typed(_ value: (String) -> String?) -> String {
        if case .choices(let all) = control {
            return all.filter { value(name(of: $0)) != nil }.joined(separator: "\n")
        }
        // Browsers end lines with both characters.
        let text = (value(name) ?? "").replacing("\r\n", with: "\n")
        return control == .secret || control == .document ? text : text.trimmed
    }

    /// How a value stands in the form.
    func typed(of value: JSONValue) -> String {
        switch value {
        case .string(let text): control == .moment ? String(text.prefix(16)) : text
        case .bool(let isSet): isSet ? Self.yes : Self.no
        case .array(let items) where items.allSatisfy { $0.string != nil }:
            items.compactMap(\.string).joined(separator: "\n")
        case .null: ""
        default: value.serialized()
        }
    }

    /// The value of what was typed; nil where nothing was.
    ///
    /// - Throws: ``FormProblem`` for what is no value of the field.
    func value(of typed: String) throws(FormProblem) -> JSONValue? {
        guard !typed.isEmpty else {
            // A box that is not ticked where it was from the start.
            if control == .flag, initialValue == true { return false }
            guard !isRequired else { throw problem("is required.") }
            return nil
        }
        switch control {
        case .line, .secret, .suggestion: return .string(typed)
        case .choice(let names):
            guard names.contains(where: { $0.hasSameBytes(as: typed) }) else {
                throw problem("takes \(names.joined(separator: ", ")).")
            }
            return .string(typed)
        case .choices, .lines: return .array(Self.items(typed).map(JSONValue.string))
        case .flag: return initialValue == true ? nil : true
        case .decision: return .bool(typed == Self.yes)
        case .number(let range):
            guard let number = Int(typed) else { throw problem("takes a whole number.") }
            if let range, !range.contains(number) {
                throw problem("takes \(range.lowerBound) to \(range.upperBound).")
            }
            return .integer(number)
        case .moment:
            return .string(typed.utf8.count == 16 ? "\(typed):00Z" : typed.hasSuffix("Z") ? typed : typed + "Z")
        case .document:
            do throws(JSONParseError) {
                return try JSONValue(parsing: Array(typed.utf8))
            } catch {
                throw problem("is no JSON: \(error).")
            }
        }
    }

    /// What stands for a value that was taken away; nil where nothing does.
    var emptied: JSONValue? {
        switch control {
        case .line, .suggestion: ""
        case .lines, .choices: []
        default: nil
        }
    }

    func problem(_ text: String) -> FormProblem { FormProblem(field: name, text: "\(label) \(text)") }

    static let yes = "yes"
    static let no = "no"

    private static func items(_ typed: String) -> [String] {
        typed.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

/// What is wrong with what was typed.
struct FormProblem: Error, Sendable, Hashable {
    /// The name of the field; nil where it is about the form as a whole.
    let field: String?
    let text: String
}

extension FormField {
    /// The fields of a declared argument: one, or one for each member of an object.
    ///
    /// - Parameters:
    ///   - declared: The argument.
    ///   - member: It as the operation's type has it.
    /// - Returns: The fields; none for a file, which only the command line reads.
    static func fields(of declared: DeclaredArgument, _ member: JSONMember) -> [FormField] {
        if case .file = declared.content { return [] }
        if case .object(let members) = member.form {
            return members.map { inner in
                FormField(
                    path: [declared.name, inner.name], text: inner.text?.text ?? "",
                    control: Control(of: inner.form, nil), isRequired: !member.isOptional && !inner.isOptional,
                    initialValue: nil, example: nil)
            }
        }
        return [
            FormField(
                path: [declared.name], text: declared.text, control: Control(of: member.form, declared),
                isRequired: !member.isOptional, initialValue: declared.initialValue, example: declared.example)
        ]
    }

    /// The field of a declared key of a provider entry.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - path: The names on the way to its object.
    ///   - isChange: Whether the form changes an object that is there, which then needs no key and keeps what is not named.
    init(_ key: KeyDeclaration, below path: [String], isChange: Bool) {
        self.init(
            path: path + [key.name], text: key.sentence, control: Control(of: key, isChange: isChange),
            isRequired: !isChange && key.presence == .required, initialValue: isChange ? nil : key.initialValue,
            example: key.example)
    }
}

extension FormField {
    /// The field of a variable of a provider of the catalogue.
    init(_ variable: CatalogueProvider.Variable, below path: [String]) {
        self.init(
            path: path + [variable.name], text: variable.description, control: .line, isRequired: true,
            initialValue: nil, example: .string(variable.example))
    }

    /// The field of an entry that is made from the catalogue; nil for what the catalogue says.
    ///
    /// - Parameters:
    ///   - listed: The provider; nil for an entry that is written from nothing.
    ///   - name: The name of the argument.
    /// - Returns: The field. The id may be left out.
    func remaining(beside listed: CatalogueProvider?, below name: String) -> FormField? {
        guard let listed else { return self }
        let place = path.drop { $0 == name }
        var field = self
        if Array(place) == ["id"] { field.isRequired = false }
        let isSaid = place.reduce(.object(listed.entry()) as JSONValue?, { $0?[$1] }) != nil
        return isSaid && !["id", "displayName"].contains(place.last) ? nil : field
    }
}

extension FormField.Control {
    fileprivate init(of form: JSONForm, _ declared: DeclaredArgument?) {
        self =
            switch form {
            case .text: declared?.reference.map { .suggestion($0) } ?? .line
            case .integer: .number(declared?.range)
            case .flag: declared?.spelling == .option ? .flag : .decision(otherwise: "Unchanged")
            case .moment: .moment
            case .choice(let type): .choice(JSONForm.names(of: type))
            case .list(.choice(let type)): .choices(JSONForm.names(of: type))
            case .list(.text): .lines
            case .list, .object, .anyObject, .anything: .document
            }
    }

    fileprivate init(of key: KeyDeclaration, isChange: Bool) {
        if key.schema["anyOf"] == Secret.declaredSchema["anyOf"] {
            self = .secret
        } else if let names = key.schema["enum"]?.array?.compactMap(\.string) {
            self = .choice(names)
        } else {
            self =
                switch key.schema["type"]?.string {
                case "string": .line
                case "boolean" where isChange: .decision(otherwise: "Unchanged")
                case "boolean": key.initialValue == nil ? .decision(otherwise: "Default") : .flag
                case "integer": .number(Self.range(of: key.schema))
                case "array" where key.schema["items"]?["type"]?.string == "string": .lines
                default: .document
                }
        }
    }

    private static func range(of schema: JSONObject) -> ClosedRange<Int>? {
        guard let least = schema["minimum"]?.integer, let most = schema["maximum"]?.integer, least <= most else {
            return nil
        }
        return Int(clamping: least)...Int(clamping: most)
    }
}

extension KeyDeclaration {
    /// What it is and what counts without it, without links.
    fileprivate var sentence: String {
        let initially = initialText ?? initialValue.flatMap { $0.string.map { "`\($0)`" } }
        let sentence = text.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.output.1) }
        return initially.map { "\(sentence). When absent: \($0)" } ?? sentence
    }
}

extension String {
    /// Without blanks and ends of lines around it.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// A name of code as words: `redirectUris` as `Redirect URIs`.
    var asWords: String {
        var words: [String] = [""]
        for character in self {
            switch character {
            case "-", "_", ".": words.append("")
            case _ where character.isUppercase && words.last?.last?.isLowercase == true:
                words.append(character.lowercased())
            default:
                words[words.count - 1] +=
                    words.count > 1 || !words[0].isEmpty ? String(character) : character.lowercased()
            }
        }
        let spelled = words.filter { !$0.isEmpty }.map { Self.acronyms[$0.lowercased()] ?? $0 }
        guard let first = spelled.first else { return self }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + spelled.dropFirst()).joined(separator: " ")
    }

    private static let acronyms = [
        "id": "ID", "ids": "IDs", "uri": "URI", "uris": "URIs", "url": "URL", "pkce": "PKCE", "api": "API",
        "jwks": "JWKS", "alg": "algorithm", "oauth": "OAuth",
    ]
}
