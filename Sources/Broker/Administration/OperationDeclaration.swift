package import ProviderKit

/// What an administrative operation is, declared once. The route, the description in `/openapi.json`, the command with its
/// help, completion and manual page, and the question before it follow.
package struct OperationDeclaration: Sendable {
    /// The stable name, such as `users.list`.
    package let name: String
    /// In one sentence, for the API's description.
    package let summary: String
    /// The right that a credential needs; nil for an operation that every valid credential may call.
    package let scope: AdminScope?
    package let effect: OperationEffect
    /// Whether the operation sends requests to providers, and so needs their secrets.
    package let asksProviders: Bool
    /// The maximum size of a request's body, in bytes.
    package let maximumBody: Int
    /// In the order in which help shows them.
    package let arguments: [DeclaredArgument]
    /// The answer as a whole, where its type does not say it.
    package let answer: MemberText?
    /// nil where the operation belongs to a command with a face of its own.
    package let command: DeclaredCommand?
    /// Whether its command calls it many times, for the pages of a file or for entries as they come. One call alone is of
    /// no use to a person.
    package let isStreamed: Bool
    private let ownHeading: String?

    package init(
        _ name: String, _ summary: String, _ scope: AdminScope?, _ effect: OperationEffect,
        asksProviders: Bool = false, maximumBody: Int? = nil, isStreamed: Bool = false,
        _ arguments: [DeclaredArgument] = [], answer: MemberText? = nil, heading: String? = nil,
        command: DeclaredCommand? = nil
    ) {
        self.name = name
        self.summary = summary
        self.scope = scope
        self.effect = effect
        self.asksProviders = asksProviders
        self.maximumBody = maximumBody ?? RequestFields.maximumBody
        self.arguments = arguments
        self.answer = answer
        self.isStreamed = isStreamed
        ownHeading = heading
        self.command = command
    }

    /// What an administrator does with it, as a heading: `Rotate the secret of a confidential client`.
    package var heading: String {
        ownHeading ?? command?.abstract.firstSentence ?? summary.firstSentence
    }

    /// Whether a call with these arguments loses something that no operation restores.
    package func losesSomething(with body: JSONObject) -> Bool {
        switch effect {
        case .reads, .undoable: false
        case .irreversible: true
        case .irreversibleWith(let name): body[name].map { $0.bool ?? !$0.isNull } ?? false
        }
    }
}

/// The effect of an operation on stored data, which decides whether its command requires confirmation.
package enum OperationEffect: Sendable, Hashable {
    /// It reads, or tells only the one who calls.
    case reads
    /// Another call restores what was before, or it adds only.
    case undoable
    /// Something is lost that no operation restores.
    case irreversible
    /// The same, with this argument only; without it, it is undoable.
    case irreversibleWith(String)
}

/// An argument of an operation, or a member of an object among them. Its type is that of the property.
package struct DeclaredArgument: Sendable {
    /// The way in which the command line takes it.
    package enum Spelling: Sendable, Hashable {
        case option
        case positional
        /// An option with its negation, `--no-…`.
        case invertedFlag
    }

    /// What a value is the id of, for completions.
    package enum Reference: Sendable {
        case provider, client, user
    }

    /// The form of a value that its type does not say.
    package enum Content: Sendable {
        /// Base64 of a file, which the command line reads.
        case file
        /// A provider entry as `plugins.json` has it.
        case providerEntry
        /// Members of the provider entry that the argument `id` names.
        case providerChanges
        /// The name of a provider of the catalogue.
        case catalogueName
        /// The values of the variables of a provider of the catalogue.
        case catalogueVariables
        /// An object whose members the command line takes as options.
        case options
    }

    /// On the wire.
    package let name: String
    package let text: String
    package let spelling: Spelling
    /// The name on the command line.
    package let spelledName: String
    /// Of numbers.
    package let range: ClosedRange<Int>?
    /// The value that counts without it.
    package let initialValue: JSONValue?
    package let example: JSONValue?
    package private(set) var reference: Reference?
    package private(set) var content: Content?

    private init(
        _ name: String, _ text: String, _ spelling: Spelling, as spelledName: String?, in range: ClosedRange<Int>?,
        initially initialValue: JSONValue?, example: JSONValue?
    ) {
        self.name = name
        self.text = text
        self.spelling = spelling
        self.spelledName = spelledName ?? name.kebabCase
        self.range = range
        self.initialValue = initialValue
        self.example = example
    }

    /// With values that are ids of such things.
    func of(_ reference: Reference) -> DeclaredArgument {
        var argument = self
        argument.reference = reference
        return argument
    }

    /// With values of this form.
    func containing(_ content: Content) -> DeclaredArgument {
        var argument = self
        argument.content = content
        return argument
    }

    /// `--name VALUE`, or `--name` for a flag.
    package static func option(
        _ name: String, _ text: String, as spelledName: String? = nil, in range: ClosedRange<Int>? = nil,
        initially initialValue: JSONValue? = nil, example: JSONValue? = nil
    ) -> DeclaredArgument {
        DeclaredArgument(name, text, .option, as: spelledName, in: range, initially: initialValue, example: example)
    }

    /// A value without a name before it.
    package static func positional(
        _ name: String, _ text: String, as spelledName: String? = nil, example: JSONValue
    ) -> DeclaredArgument {
        DeclaredArgument(name, text, .positional, as: spelledName, in: nil, initially: nil, example: example)
    }

    /// `--name` or `--no-name`.
    package static func invertedFlag(
        _ name: String, _ text: String, as spelledName: String? = nil
    ) -> DeclaredArgument {
        DeclaredArgument(name, text, .invertedFlag, as: spelledName, in: nil, initially: nil, example: nil)
    }
}

/// The argument `limit` of an operation that answers rows: their maximum number.
package struct DeclaredLimit: Sendable {
    package let text: String
    package let range: ClosedRange<Int>
    /// What counts without it.
    package let standard: Int

    init(_ text: String, in range: ClosedRange<Int> = 1...1000, standard: Int) {
        (self.text, self.range, self.standard) = (text, range, standard)
    }

    package var argument: DeclaredArgument {
        .option("limit", text, in: range, initially: .integer(standard))
    }

    /// The limit of a call.
    ///
    /// - Throws: ``AdminFailure`` out of the range.
    func checked(_ limit: Int?) throws(AdminFailure) -> Int {
        let limit = limit ?? standard
        guard range.contains(limit) else {
            throw .parameter("limit", "takes \(range.lowerBound) to \(range.upperBound)")
        }
        return limit
    }
}

/// The command of an operation of the usual shape.
package struct DeclaredCommand: Sendable {
    /// The last of the words that call it.
    package let name: String
    /// In one sentence.
    package let abstract: String
    /// Paragraphs, and examples in indented lines.
    package let discussion: String

    package init(_ name: String, _ abstract: String, _ discussion: String) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
    }
}

/// The text of a member of an answer, with a schema where the type of the property says too little.
package struct MemberText: Sendable, ExpressibleByStringLiteral {
    package let text: String
    package let schema: JSONObject?
    /// Whether it is a secret, which is answered this once.
    package let isSecret: Bool

    package init(stringLiteral text: String) { self.init(text) }

    init(_ text: String, schema: JSONObject? = nil, isSecret: Bool = false) {
        (self.text, self.schema, self.isSecret) = (text, schema, isSecret)
    }

    /// A secret, which is answered this once.
    static func secret(_ text: String) -> MemberText { MemberText(text, isSecret: true) }

    private static let userSchema: JSONObject = ["$ref": "#/components/schemas/User"]

    /// A user record (contract §6).
    static func user(_ text: String) -> MemberText { MemberText(text, schema: userSchema) }

    /// User records.
    static func users(_ text: String) -> MemberText {
        MemberText(text, schema: ["type": "array", "items": .object(userSchema)])
    }
}

/// An object of the administrative API whose members have texts.
package protocol DescribedObject: Codable, Sendable {
    /// By the names of all members.
    static var texts: [String: MemberText] { get }
}

/// A question before something is lost.
package struct OperationQuestion: Sendable {
    package let text: TerminalText
    /// What is said after a no.
    package let outcome: String

    init(_ text: TerminalText, otherwise outcome: String) {
        self.text = text
        self.outcome = outcome
    }

    /// A question that says that nothing restores it.
    static func irreversible(_ text: TerminalText, otherwise outcome: String) -> OperationQuestion {
        OperationQuestion("\(text)\nThis cannot be undone.", otherwise: outcome)
    }
}

/// What runs operations: in process on the store, or at a broker.
package protocol OperationRunner {
    func run<Operation: AdminOperation>(_ operation: Operation) async throws -> Operation.Answer
}

extension String {
    /// What stands before the first full stop.
    var firstSentence: String {
        let sentence = firstRange(of: ". ").map { self[..<$0.lowerBound] } ?? self[...]
        return String(sentence.hasSuffix(".") ? sentence.dropLast() : sentence)
    }

    /// `redirectUris` as `redirect-uris`.
    fileprivate var kebabCase: String {
        reduce(into: "") { text, character in
            text += character.isUppercase ? "-" + character.lowercased() : String(character)
        }
    }
}
