import BrokerStore
import ProviderKit

/// The answer of an operation as a page shows it, by the form of its type.
struct AnswerView {
    private let answer: JSONValue
    private let form: JSONForm
    /// The answer for a person, where it is one line.
    private let sentence: String?

    /// - Throws: An error of ``JSONForm/init(of:)`` or of encoding.
    init<Operation: AdminOperation>(_ answer: Operation.Answer, of operation: Operation) throws {
        self.answer = try JSONValueEncoder().encode(answer)
        form = try JSONForm(of: Operation.Answer.self)
        let text = try operation.text(of: answer).description
        sentence = text.contains("\n") || text.hasPrefix("{") ? nil : text
    }

    /// What was done, and below it what is known of it. A secret stands first, once.
    ///
    /// - Parameters:
    ///   - declaration: The operation.
    ///   - isFailure: Whether it was done without success.
    ///   - back: Where to go on.
    /// - Returns: The content of the page.
    func markup(_ declaration: OperationDeclaration, isFailure: Bool, back: (address: String, text: String)) -> Markup {
        let done = sentence ?? "Done: \(declaration.heading)."
        let banner: Markup =
            declaration.effect == .reads && sentence == nil
            ? "" : .banner(isFailure ? .warn : .good, done)
        let panels = secrets(answer, form, label: "") + sections(answer, form, title: "Answer")
        return .head(declaration.heading) + banner + panels.joined()
            + .actions([.button(back.address, back.text, .primary)])
    }

    /// A text of the answer, by the names on the way to it.
    func text(at path: [String]) -> String? {
        path.reduce(answer as JSONValue?) { $0?[$1] }?.string
    }

    private func secrets(_ value: JSONValue, _ form: JSONForm, label: String) -> [Markup] {
        form.members.flatMap { member -> [Markup] in
            guard let inner = value[member.name], !inner.isNull else { return [] }
            guard member.text?.isSecret == true else {
                return inner.object == nil ? [] : secrets(inner, member.form, label: member.name.asWords)
            }
            let text = inner.string ?? inner.indented()
            return [
                .panel(
                    member.name.asWords,
                    "<p>Store it now: it is not shown again.</p><pre class=\"pick secret\">\(text)</pre>")
            ]
        }
    }

    /// A panel of facts, and one for each object or list of objects in it.
    private func sections(_ value: JSONValue, _ form: JSONForm, title: String) -> [Markup] {
        if let items = value.array { return [list(items, form, title: title)] }
        guard let object = value.object else { return [.panel(title, text(value, form, named: title))] }
        var (facts, inner): ([(name: String, value: Markup)], [Markup]) = ([], [])
        for (name, value) in object where !value.isNull {
            let member = form.members.first { $0.name == name }
            guard member?.text?.isSecret != true, !Self.isHash(name) else { continue }
            let memberForm = member?.form ?? .anything
            if value.object != nil || value.array?.contains(where: { $0.object != nil }) == true {
                inner += sections(value, memberForm, title: name.asWords)
            } else {
                facts.append((name.asWords, text(value, memberForm, named: name)))
            }
        }
        return (facts.isEmpty ? [] : [.panel(title, .facts(facts))]) + inner
    }

    private func list(_ items: [JSONValue], _ form: JSONForm, title: String) -> Markup {
        guard !items.isEmpty else { return .panel(title, .empty("None.")) }
        let names = Self.columns(of: items)
        guard !names.isEmpty else {
            return .panel(title, .bullets(items.map { text($0, form, named: title) }))
        }
        let rows = items.map { item in
            names.map { name in
                item[name].map { value in
                    text(value, form.members.first { $0.name == name }?.form ?? .anything, named: name)
                } ?? ""
            }
        }
        return .panel(title, .table(names.map { .init(stringLiteral: $0.asWords) }, rows))
    }

    /// The names of the first plain members.
    private static func columns(of items: [JSONValue]) -> [String] {
        var names: [String] = []
        for item in items {
            for (name, value) in item.object ?? JSONObject()
            where value.object == nil && !names.contains(name) && !isHash(name) {
                names.append(name)
            }
        }
        return Array(names.prefix(6))
    }

    private func text(_ value: JSONValue, _ form: JSONForm, named name: String) -> Markup {
        switch value {
        case .bool(let isSet): return isSet ? "Yes" : "No"
        case .array(let items):
            return items.map { text($0, form, named: name) }.joined(separator: "<br />")
        case .string(let string):
            if string.hasSuffix("Z"), let moment = Timestamp(dateText: string) { return .moment(moment) }
            // User records have milliseconds in text (contract §6).
            if name.hasSuffix("At"), string.utf8.count == 13, let milliseconds = Int64(string) {
                return .moment(Timestamp(milliseconds: milliseconds))
            }
            return Self.isCode(name) ? .code(string) : "\(string)"
        default: return "\(value.serialized())"
        }
    }

    /// No page has a hash: it tells a person nothing, and a stranger who sees it could compare.
    static func isHash(_ name: String) -> Bool { name.hasSuffix("Hash") || name == "seal" }

    /// Ids and addresses are copied.
    private static func isCode(_ name: String) -> Bool {
        ["id", "ids", "uri", "uris", "url", "receipt"].contains { name.lowercased().hasSuffix($0) }
    }
}
