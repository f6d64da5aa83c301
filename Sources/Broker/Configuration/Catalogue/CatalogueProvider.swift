package import ProviderKit

/// A provider of the catalogue: facts from which an entry is made. `Documents` has one document for each.
package struct CatalogueProvider: DeclaredOptions {
    /// The id of the entry.
    package private(set) var id = ""
    /// What users call it: the entry's `displayName`.
    package private(set) var displayName = ""
    /// The plugin of the entry.
    package private(set) var use = ""
    /// The entry's `trustEmail`; nil where the provider's documentation does not say that it verifies addresses.
    package private(set) var trustEmail: Bool?
    /// The entry's options except the client, with `{name}` for each variable.
    package private(set) var options: JSONValue = [:]
    package private(set) var variables: [Variable] = []
    package private(set) var button = Button()
    package private(set) var links = Links()
    /// What to do at the provider, in sentences.
    package private(set) var registration: [String] = []
    package private(set) var facts: [Fact] = []

    package init() {}

    package static let declaration = DeclaredObject<CatalogueProvider>(
        "Facts about a provider, from which `broker providers add` makes an entry.",
        [
            .key("id", \.id, "the id of the entry").required(),
            .key("name", \.displayName, "what users call it").required(),
            .key("use", \.use, "the plugin").required(),
            .key(
                "trustEmail", \.trustEmail, "`true` where the provider's documentation says that it verifies addresses"),
            .key("options", \.options, "the entry's options except the client, with `{name}` for each variable")
                .required().narrowed(by: ["type": "object"]),
            .key("variables", \.variables, "what differs from one customer of the provider to the next").initially([]),
            .key("button", \.button, "the button that the provider's brand rules ask for").required(),
            .key("links", \.links, "pages of the provider").required(),
            .key("registration", \.registration, "what to do at the provider, in sentences").required(),
            .key("facts", \.facts, "what the options are made from").required(),
        ])

    /// Something that differs from one customer of the provider to the next, such as a tenant.
    package struct Variable: DeclaredOptions {
        package private(set) var name = ""
        package private(set) var description = ""
        package private(set) var pattern = ""
        package private(set) var example = ""

        package init() {}

        package static let declaration = DeclaredObject<Variable>(
            "A variable of the options.",
            [
                .key("name", \.name, "the name").required().narrowed(by: ["pattern": "^[a-z][a-zA-Z0-9]*$"]),
                .key("description", \.description, "what it is, and where an operator finds it").required(),
                .key("pattern", \.pattern, "the regular expression of its values").required(),
                .key("example", \.example, "a value").required(),
            ])
    }

    /// The button that the provider's brand rules ask for.
    package struct Button: DeclaredOptions {
        package private(set) var text = ""
        package private(set) var background = ""
        package private(set) var foreground = ""

        package init() {}

        package static let declaration = DeclaredObject<Button>(
            "A button.",
            [
                .key("text", \.text, "its text in English").required(),
                .key("background", \.background, "its colour").required().narrowed(by: ButtonColors.Shape.color),
                .key("foreground", \.foreground, "the colour of its text").required()
                    .narrowed(by: ButtonColors.Shape.color),
            ])
    }

    /// Pages of the provider.
    package struct Links: DeclaredOptions {
        package private(set) var documentation = ""
        package private(set) var console: String?
        package private(set) var brand: String?

        package init() {}

        package static let declaration = DeclaredObject<Links>(
            "Pages of the provider.",
            [
                .key("documentation", \.documentation, "its documentation of sign-ins").required(),
                .key("console", \.console, "where clients are registered").initially(
                    inWords: "`documentation` tells it"),
                .key("brand", \.brand, "its rules for buttons"),
            ])
    }

    /// A fact, with the page that it was read from.
    package struct Fact: DeclaredOptions {
        package private(set) var fact = ""
        package private(set) var about: [Subject] = []
        package private(set) var page = ""
        package private(set) var read = ""
        package private(set) var verified = Verification.memory

        package init() {}

        package static let declaration = DeclaredObject<Fact>(
            "A fact.",
            [
                .key("fact", \.fact, "one sentence").required(),
                .key("about", \.about, "the parts of a sign-in that depend on it").initially([]),
                .key("page", \.page, "the page").required(),
                .key("read", \.read, "when it was read").required()
                    .narrowed(by: ["pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"]),
                .key("verified", \.verified, "whether the provider's own documentation says so").required(),
            ])

        /// A part of a sign-in.
        package enum Subject: String, CaseIterable, Codable, DeclaredValue {
            case endpoints, authentication, scopes, userinfo
        }

        /// The source of a fact.
        package enum Verification: String, CaseIterable, Codable, DeclaredValue {
            /// The provider's own documentation, on the page.
            case documentation
            /// What is known of the provider otherwise; the page is where to look it up.
            case memory
        }
    }
}

extension CatalogueProvider {
    /// The word by which `broker providers add` takes it: the id without what only says its kind.
    package var name: String {
        for prefix in ProviderEntry.genericKinds.map({ $0 + "." }) where id.hasPrefix(prefix) {
            return String(id.dropFirst(prefix.count))
        }
        return id.hasSuffix(".com") ? String(id.dropLast(".com".count)) : id
    }

    /// Whether all that a sign-in depends on was read from the provider's documentation.
    package var isDocumented: Bool {
        Fact.Subject.allCases.allSatisfy { subject in
            let facts = facts.filter { $0.about.contains(subject) }
            return !facts.isEmpty && facts.allSatisfy { $0.verified == .documentation }
        }
    }

    /// The entry as `plugins.json` has it, without the client.
    ///
    /// - Parameter values: The values of the variables by their names; a variable without a value stays as it is.
    /// - Returns: The entry.
    package func entry(_ values: [String: String] = [:]) -> JSONObject {
        var entry: JSONObject = ["id": .string(id), "use": .string(use), "displayName": .string(displayName)]
        entry["button"] = ["background": .string(button.background), "foreground": .string(button.foreground)]
        entry["trustEmail"] = trustEmail.map(JSONValue.bool)
        let options = options.filling(values)
        if options.object?.isEmpty == false { entry["options"] = options }
        return entry
    }
}

extension CatalogueProvider.Variable {
    /// Whether a value has the form of the variable's values.
    package func accepts(_ value: String) -> Bool {
        // A test compiles the expressions of all documents.
        guard let expression = try? Regex(pattern) else { return false }
        return value.utf8.count <= 253 && value.wholeMatch(of: expression) != nil
    }
}

extension String {
    /// The text with the values of variables in the place of their names in braces.
    package func filling(_ values: [String: String]) -> String {
        values.reduce(self) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}

extension JSONValue {
    /// The value with those of variables in its texts.
    fileprivate func filling(_ values: [String: String]) -> JSONValue {
        switch self {
        case .string(let text): .string(text.filling(values))
        case .array(let elements): .array(elements.map { $0.filling(values) })
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.filling(values)) }))
        default: self
        }
    }
}
