import ProviderKit

/// The form of an operation, made of its declaration: its fields, and the body of a call from what was typed.
struct OperationForm: Sendable {
    let declaration: OperationDeclaration
    let fields: [FormField]

    /// The form of an operation.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - plugin: The plugin of the provider entry that the operation adds or changes.
    ///   - listed: The provider of the catalogue that the entry is made from.
    /// - Throws: An error of ``JSONForm/init(of:)``.
    init<Operation: AdminOperation>(
        of operation: Operation.Type, plugin: ProviderPlugin? = nil, from listed: CatalogueProvider? = nil
    ) throws {
        declaration = operation.declaration
        fields = try operation.members().flatMap { declared, member in
            switch declared.content {
            case .providerEntry:
                Self.entryFields(of: plugin, below: [declared.name], isChange: false)
                    .compactMap { $0.remaining(beside: listed, below: declared.name) }
            case .providerChanges: Self.entryFields(of: plugin, below: [declared.name], isChange: true)
            case .catalogueName: listed == nil ? [] : FormField.fields(of: declared, member)
            case .catalogueVariables: (listed?.variables ?? []).map { FormField($0, below: [declared.name]) }
            case .file, .options, nil: FormField.fields(of: declared, member)
            }
        }
    }

    /// Whether the console has a form for an operation: one call of it is of use, and nothing of it must be on the host.
    static func exists(for operation: OperationDeclaration) -> Bool { !operation.isStreamed }

    /// The fields of a provider entry: those of the plugin's options that must be there come first.
    private static func entryFields(of plugin: ProviderPlugin?, below path: [String], isChange: Bool) -> [FormField] {
        let fixed: Set<String> = isChange ? ["id", "use", "options"] : ["options"]
        let members = ProviderEntry.keys.filter {
            !fixed.contains($0.name) && !ProviderEntry.hostKeys.contains($0.name)
        }
        let options = plugin?.options?.keys ?? []
        let own = members.map { key -> FormField in
            var field = FormField(key, below: path, isChange: isChange)
            field.isRequired = field.isRequired || key.name == "id" && plugin?.publicInstance == nil
            return field
        }
        let further = options.map { FormField($0, below: path + ["options"], isChange: isChange) }
        let all = own + further
        return all.filter(\.isRequired) + all.filter { !$0.isRequired }
    }

    /// The body of a call.
    ///
    /// - Parameter contents: What was typed.
    /// - Returns: The body, or what is wrong with each field.
    func body(of contents: FormContents) -> Result<JSONObject, FormProblems> {
        var body = JSONValue.object(JSONObject())
        var problems: [FormProblem] = []
        for field in fields {
            let typed = field.typed(contents.value)
            do throws(FormProblem) {
                guard let value = try value(of: field, typed, contents) else { continue }
                body = body.setting(value, at: field.path[...])
            } catch {
                problems.append(error)
            }
        }
        // An object without members is one too.
        if let entry = declaration.entry, body[entry.name] == nil { body = body.setting([:], at: [entry.name]) }
        return problems.isEmpty ? .success(body.object ?? JSONObject()) : .failure(FormProblems(all: problems))
    }

    /// Only what differs from the present value of a thing that is changed.
    private func value(
        of field: FormField, _ typed: String, _ contents: FormContents
    ) throws(FormProblem) -> JSONValue? {
        guard let present = contents.present(field) else { return try field.value(of: typed) }
        guard field.isRequired || !typed.hasSameBytes(as: present) else { return nil }
        return typed.isEmpty ? field.emptied : try field.value(of: typed)
    }

    /// The command that does the same, with what the page that led to the form knows.
    func commandLine(of contents: FormContents) -> String? {
        let known = fields.filter { $0.path.count == 1 && contents.fixed.contains($0.name) }
        let values = known.compactMap { field in contents.value(field.name).map { (field.name, JSONValue.string($0)) } }
        let body = JSONObject(values)
        return declaration.commandLine(with: body) ?? declaration.commandName
    }

    /// How the values of a thing stand in the form, by the names of the fields.
    func present(_ thing: JSONObject) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields {
            guard let value = field.path.reduce(.object(thing) as JSONValue?, { $0?[$1] }) else { continue }
            values[field.name] = field.typed(of: value)
        }
        return values.filter { !$0.value.isEmpty }
    }

    /// The problem that an operation found with a body, at the field that it is about.
    func problem(_ failure: AdminFailure) -> FormProblem {
        if failure.kind == .invalidParameters,
            let field = fields.first(where: { failure.message.hasPrefix("\($0.path.joined(separator: "/")) ") })
        {
            let rule = failure.message.dropFirst(field.path.joined(separator: "/").count + 1)
            return field.problem("\(rule).")
        }
        if let entry = declaration.entry, let match = failure.message.wholeMatch(of: #/the entry at (/[^:]*): (.*)/#) {
            let path = [entry.name] + match.output.1.split(separator: "/").map(String.init)
            if let field = field(at: path) { return field.problem(String(match.output.2)) }
        }
        // An error of a flow has no words but its code.
        let words = failure.code.replacing("_", with: " ").lowercased()
        return FormProblem(field: nil, text: (failure.message == failure.code ? words : failure.message).asSentence)
    }

    /// What is wrong with the arguments together, by the labels of the fields.
    func problem(misuse: String) -> FormProblem {
        let named = declaration.arguments.reduce(misuse) { text, argument in
            text.replacing("--\(argument.spelledName)", with: "“\(argument.name.asWords)”")
        }
        return FormProblem(field: nil, text: named)
    }

    /// The problem that decoding found with a body.
    func problem(_ error: JSONDecodingError) -> FormProblem {
        let path = error.path.split(separator: "/").map(String.init)
        guard let field = field(at: path) else { return FormProblem(field: nil, text: "\(error)".asSentence) }
        switch error.kind {
        case .missing: return field.problem("is required.")
        case .invalid(let reason): return field.problem("is not valid: \(reason).")
        case .wrongType(let expected, _): return field.problem("takes \(expected).")
        case .unknownName: return field.problem("is not known.")
        }
    }

    /// The field whose value a place is, or is in.
    private func field(at path: [String]) -> FormField? {
        fields.first { $0.path.count <= path.count && $0.path == Array(path.prefix($0.path.count)) }
    }
}

/// What is wrong with the fields of a form.
struct FormProblems: Error, Sendable {
    let all: [FormProblem]
}

/// What a form was opened or sent with.
struct FormContents: Sendable {
    /// By the names of the fields.
    private let values: [String: String]
    /// Whether they were sent, so that a box that is missing is not ticked.
    let isSent: Bool
    /// The names of the fields that the page which led here has filled. The form shows them and does not change them.
    let fixed: [String]

    /// The fields of a form.
    init(sent values: [String: String]) {
        self.values = values
        isSent = true
        fixed = (values[Self.fixedName] ?? "").split(separator: ",").map(String.init)
    }

    /// The parameters of the address of a form, and the present values of the thing that it changes. Of these only the
    /// operation that shows the thing tells, no address.
    init(linked values: [String: String], present: [String: String]) {
        isSent = false
        let linked = values.filter { !$0.key.hasPrefix(Self.presentPrefix) }
        fixed = linked.keys.sorted()
        self.values = linked.merging(present.map { (Self.presentName($0.key), $0.value) }) { $1 }
    }

    func value(_ name: String) -> String? { values[name] }

    /// What stands in a field before anything is typed, of a thing that is changed; nil where nothing is known.
    func present(_ field: FormField) -> String? {
        values[Self.presentName(field.name)].map { $0.replacing("\r\n", with: "\n") }
    }

    /// All fields of the same form, for the page that asks before it is done.
    var all: [(name: String, value: String)] { values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    static let fixedName = "fixed"
    static let confirmedName = "confirmed"
    private static let presentPrefix = "present."
    /// Names the fields of present values.
    static func presentName(_ field: String) -> String { presentPrefix + field }
}

/// The address of the form of an operation.
struct OperationLink: Sendable {
    let href: String

    /// - Parameters:
    ///   - operation: The operation.
    ///   - arguments: Its arguments that the page knows, such as ids. The form shows them and does not change them.
    init<Operation: AdminOperation>(_ operation: Operation.Type, _ arguments: [(String, String)] = []) {
        href = ConsoleLink.address(
            "\(OperationRoutes.path)/\(operation.name)", arguments.map { (name: $0.0, value: $0.1) })
    }
}

extension JSONValue {
    /// The value with another one at a path of names.
    fileprivate func setting(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard let name = path.first else { return value }
        var object = object ?? JSONObject()
        object[name] = (object[name] ?? .object(JSONObject())).setting(value, at: path.dropFirst())
        return .object(object)
    }
}

extension String {
    /// With a capital letter and a full stop.
    var asSentence: String {
        prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".")
    }
}

extension OperationDeclaration {
    /// The argument that holds a provider entry, or changes of one.
    var entry: DeclaredArgument? { arguments.first { [.providerEntry, .providerChanges].contains($0.content) } }

    /// The argument that names the provider of the catalogue that an entry is made from.
    var catalogueName: DeclaredArgument? { arguments.first { $0.content == .catalogueName } }
}
