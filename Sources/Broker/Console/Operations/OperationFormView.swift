import ProviderKit

/// The form of an operation as a page shows it.
struct OperationFormView: Sendable {
    let form: OperationForm
    let contents: FormContents
    var problems: [FormProblem] = []
    /// The ids that values refer to, with their names.
    var suggestions: [DeclaredArgument.Reference: [Suggestion]] = [:]
    /// The redirect URI of the provider entry that is added.
    var redirectURI: String?
    /// Carries what proves that the form is ours.
    let hidden: HiddenForm
    /// Where an administrator who changes nothing goes.
    let leave: String

    /// A value to choose from.
    struct Suggestion: Sendable {
        let id: String
        let name: String?
    }

    private var isChange: Bool { form.declaration.effect != .reads }

    /// The title, what is wrong as a whole, and the form.
    var markup: Markup {
        let marked = Set(shown.map(\.name) + [ConsoleVisit.reasonField])
        let whole = problems.filter { problem in problem.field.map { !marked.contains($0) } ?? true }
        let banner: Markup? =
            problems.isEmpty
            ? nil
            : .banner(
                .bad, isChange ? "Nothing has changed." : "Nothing was read.",
                whole.isEmpty
                    ? "The marked fields say why."
                    : whole.map { "<span>\($0.text)</span>" as Markup }.joined(separator: " "))
        return .head(form.declaration.heading) + (banner ?? "") + .panel(body)
    }

    private var body: Markup {
        let summary: Markup = "<p class=\"soft\">\(Markup.prose(form.declaration.summary))</p>"
        let button: Markup = """
            <div class="actions"><button class="button \(buttonStyle.rawValue)" type="submit">\(buttonText)</button>\
            \(.button(leave, "Cancel"))</div>
            """
        return summary + fixedFacts + registration
            + .form(hidden, "<div class=\"fields\">\(fixedFields)\(first)\(further)\(reason)\(button)</div>")
    }

    /// The form of what cannot be undone leads to the page that asks.
    private var buttonStyle: FormView.Style { form.declaration.effect == .irreversible ? .careful : .primary }

    private var buttonText: String {
        form.declaration.effect == .irreversible ? "Continue" : isChange ? form.declaration.heading : "Show"
    }

    /// The fields that can be filled here.
    private var shown: [FormField] { form.fields.filter { !contents.fixed.contains($0.name) } }

    /// A long form shows what it needs, and the rest on demand.
    private var first: Markup { main.map(row).joined() }

    private var main: [FormField] {
        shown.count <= 12 ? shown : shown.filter { $0.isRequired || $0.path.count < 2 || $0.isUsual }
    }

    private var further: Markup {
        let names = Set(main.map(\.name))
        let rest = shown.filter { !names.contains($0.name) }
        guard !rest.isEmpty else { return "" }
        // What was typed, or is wrong, is not hidden.
        let isOpen = rest.contains { field in
            problems.contains { $0.field == field.name } || !field.typed(contents.value).isEmpty
        }
        return """
            <details\(isOpen ? " open=\"open\"" : "" as Markup)><summary>Further settings</summary>\
            <div class="fields">\(rest.map(row).joined())</div></details>
            """
    }

    private var fixedFacts: Markup {
        let rows = form.fields.filter { contents.fixed.contains($0.name) }.map { field in
            (name: field.label, value: Markup.code(contents.value(field.name) ?? ""))
        }
        return rows.isEmpty ? "" : .facts(rows)
    }

    private var registration: Markup {
        redirectURI.map { uri in
            """
            <p>First register the broker at the provider, with this redirect URI. The provider then gives the values below.</p>\
            <p>\(Markup.code(uri))</p>
            """
        } ?? ""
    }

    private var fixedFields: Markup {
        // A link fills fields of the operation and nothing else, so that none can answer the question before it.
        let names = form.fields.map(\.name).filter(contents.fixed.contains)
        guard !names.isEmpty else { return "" }
        let fields =
            names.map { ($0, contents.value($0) ?? "") } + [(FormContents.fixedName, names.joined(separator: ","))]
        return fields.map { Markup.hidden($0.0, $0.1) }.joined()
    }

    private var reason: Markup {
        guard isChange else { return "" }
        return FieldRow(
            name: ConsoleVisit.reasonField, label: "Reason",
            hint: "For the audit. Users do not see it.", problem: problem(of: ConsoleVisit.reasonField)
        ).markup { attributes in
            """
            <input class="entry" type="text"\(attributes) required="required" maxlength="\(AdministratorReason.longest)" \
            value="\(contents.value(ConsoleVisit.reasonField) ?? "")" autocomplete="off" />
            """
        }
    }

    private func problem(of name: String) -> String? { problems.first { $0.field == name }?.text }

    private func row(_ field: FormField) -> Markup {
        let present = contents.present(field)
        let typed = contents.value(field.name) == nil ? present : nil
        let known: Markup = present.map { .hidden(FormContents.presentName(field.name), $0) } ?? ""
        let control = FieldControl(
            field: field, value: typed ?? field.typed(contents.value), contents: contents, suggestions: suggestions)
        return known + control.markup(problem: problem(of: field.name))
    }
}

extension FormField {
    /// Whether most forms fill it although nothing requires it.
    fileprivate var isUsual: Bool { control == .secret || path.last == "displayName" || path.last == "issuer" }
}

/// The label of a field with what explains it.
private struct FieldRow {
    let name: String
    let label: String
    let hint: Markup
    let problem: String?
    var isOptional = false

    private var id: String { "f-\(name)" }

    /// `control` makes the control, whose attributes name what explains it.
    func markup(_ control: (Markup) -> Markup) -> Markup {
        let optional: Markup = isOptional ? " <span class=\"soft\">(optional)</span>" : ""
        return """
            <div class="field"><label for="\(id)">\(label)\(optional)</label>\(explanation)\
            \(control(" id=\"\(id)\" name=\"\(name)\"\(described)"))</div>
            """
    }

    /// Several boxes with one label.
    func group(_ boxes: Markup) -> Markup {
        "<fieldset class=\"choices\"\(described)><legend>\(label)</legend>\(explanation)\(boxes)</fieldset>"
    }

    private var explanation: Markup {
        let wrong: Markup? = problem.map { "<p class=\"problem\" id=\"\(id)-problem\">\($0)</p>" }
        let text: Markup? = hint.isEmpty ? nil : "<p class=\"soft hint\" id=\"\(id)-hint\">\(hint)</p>"
        return "\(text)\(wrong)"
    }

    private var described: Markup {
        let ids = (hint.isEmpty ? [] : ["\(id)-hint"]) + (problem == nil ? [] : ["\(id)-problem"])
        let reference: Markup = ids.isEmpty ? "" : " aria-describedby=\"\(ids.joined(separator: " "))\""
        return problem == nil ? reference : reference + " aria-invalid=\"true\""
    }
}

/// The control of a field with its value.
private struct FieldControl {
    let field: FormField
    let value: String
    let contents: FormContents
    let suggestions: [DeclaredArgument.Reference: [OperationFormView.Suggestion]]

    func markup(problem: String?) -> Markup {
        let isFlag = field.control == .flag
        let row = FieldRow(
            name: field.name, label: field.label, hint: isFlag ? "" : .prose(hint), problem: problem,
            isOptional: !field.isRequired && !isFlag)
        return switch field.control {
        case .flag: box
        case .choices(let names): row.group(names.map { choice($0) }.joined())
        case .line: row.markup { line($0, "text") }
        case .number(let range): row.markup { line($0, "number", bounds(range)) }
        case .moment: row.markup { line($0, "datetime-local") }
        case .secret:
            // What was typed is not sent back.
            row.markup {
                "<textarea class=\"entry\" rows=\"2\"\($0)\(required) spellcheck=\"false\" autocomplete=\"off\"></textarea>"
            }
        case .lines, .document:
            row.markup {
                "<textarea class=\"entry\" rows=\"3\"\($0)\(required)\(example) spellcheck=\"false\">\n\(value)</textarea>"
            }
        case .decision(let otherwise):
            row.markup { select($0, [("", otherwise), (FormField.yes, "Yes"), (FormField.no, "No")]) }
        case .choice(let names):
            row.markup { select($0, (field.isRequired ? [] : [("", none)]) + names.map { ($0, $0) }) }
        case .suggestion(let reference): row.markup { suggested($0, suggestions[reference] ?? []) }
        }
    }

    private var hint: String {
        // Declared for the command line, which repeats an option for each value and takes an empty one for none.
        let text = field.text.replacing("; repeatable", with: "").replacing("; \"\" removes it", with: "").asSentence
        return switch field.control {
        case .moment: "\(text) In UTC."
        case .lines: "\(text) One a line."
        default: text
        }
    }

    private static let checked: Markup = " checked=\"checked\""

    private var required: Markup { field.isRequired ? " required=\"required\"" : "" }

    private var none: String { field.initialValue?.string.map { "Default: \($0)" } ?? "None" }

    private var example: Markup {
        field.example.map { " placeholder=\"\(field.typed(of: $0))\"" } ?? ""
    }

    private func line(_ attributes: Markup, _ type: Markup, _ bounds: Markup = "") -> Markup {
        """
        <input class="entry" type="\(type)"\(attributes)\(required)\(example)\(bounds) value="\(value)" \
        autocomplete="off" spellcheck="false" />
        """
    }

    private func bounds(_ range: ClosedRange<Int>?) -> Markup {
        range.map { " min=\"\($0.lowerBound)\" max=\"\($0.upperBound)\"" } ?? ""
    }

    private func select(_ attributes: Markup, _ options: [(value: String, text: String)]) -> Markup {
        let all = options.map { option -> Markup in
            let mark: Markup = option.value == value ? " selected=\"selected\"" : ""
            return "<option value=\"\(option.value)\"\(mark)>\(option.text)</option>"
        }
        return "<select class=\"entry\"\(attributes)\(required)>\(all.joined())</select>"
    }

    private var isTicked: Bool {
        contents.isSent ? value == FormField.yes || value == "on" : field.initialValue == true
    }

    private var box: Markup {
        """
        <label class="check"><input type="checkbox" name="\(field.name)" value="\(FormField.yes)"\(isTicked ? Self.checked : "") />\
        <span>\(field.label)<span class="soft hint">\(Markup.prose(field.text.asSentence))</span></span></label>
        """
    }

    private func choice(_ name: String) -> Markup {
        let isTicked = value.split(separator: "\n").contains { $0 == name }
        return """
            <label class="check"><input type="checkbox" name="\(field.name(of: name))" value="\(FormField.yes)"\
            \(isTicked ? Self.checked : "") /><span>\(name)</span></label>
            """
    }

    /// A line with a list to choose from; any other id can be typed.
    private func suggested(_ attributes: Markup, _ all: [OperationFormView.Suggestion]) -> Markup {
        guard !all.isEmpty else { return line(attributes, "text") }
        let id = "ids-\(field.name)"
        let options = all.map { "<option value=\"\($0.id)\">\($0.name ?? $0.id)</option>" as Markup }
        return line(attributes + " list=\"\(id)\"", "text") + "<datalist id=\"\(id)\">\(options.joined())</datalist>"
    }
}

extension Markup {
    /// A field that only carries a value.
    static func hidden(_ name: String, _ value: String) -> Markup {
        "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\" />"
    }

    /// A text of a declaration: what stands between backticks is code.
    static func prose(_ text: String) -> Markup {
        text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part -> Markup in
            index % 2 == 1 ? "<code>\(String(part))</code>" : Markup(escaping: String(part))
        }.joined()
    }

    /// A section without a title of its own.
    static func panel(_ content: Markup) -> Markup { "<section class=\"panel block\">\(content)</section>" }
}
