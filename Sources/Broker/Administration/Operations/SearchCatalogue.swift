package import ProviderKit

/// `providers.catalogue`: the providers from whose facts an entry can be made.
package struct SearchCatalogue: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.catalogue", "Lists the providers of the catalogue, from whose facts `providers.add` makes an entry.",
        .readConfiguration, .reads,
        [
            .positional(
                "word", "A part of a name or an id. Without it all providers are listed.", example: "discord")
        ],
        command: DeclaredCommand(
            "catalogue", "List and search the providers that can be added without further knowledge of them.",
            """
            VERIFIED says how many of the facts behind an entry were read in the provider's own documentation; the others
            come from memory. A provider that is the only one found, or has the word as its name, is shown with the
            redirect URI to register, what to do there, the pages of the provider, and each fact with its page and date.

            Examples:
              broker providers catalogue
              broker providers catalogue discord
              broker providers add discord --client-id 1234 --secret-file discord-secret
            """))

    let word: String?

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["providers": "The providers, by their names."]

        package let providers: [CatalogueAnswer]
    }

    package init(word: String? = nil) {
        self.word = word
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let plugins = call.admin.providers.configured.plugins
        return Answer(
            providers: ProviderCatalogue.embedded.search(word, for: plugins).map {
                CatalogueAnswer($0, publicURL: call.admin.configuration.publicURL)
            })
    }

    package func text(of answer: Answer) -> TerminalText {
        let providers = answer.providers
        if let provider = providers.first(where: { $0.name == word }) ?? (providers.count == 1 ? providers[0] : nil) {
            return provider.text
        }
        guard !providers.isEmpty else {
            let nearest = word.flatMap(ProviderCatalogue.embedded.nearest(to:))
            return nearest.map { "No provider of the catalogue has this word. Did you mean \($0)?" }
                ?? "No provider of the catalogue has this word: add it with --type oidc or oauth2."
        }
        let table = Table<CatalogueAnswer>(
            .init("NAME") { $0.name }, .init("PROVIDER", mayBeCut: true) { $0.displayName }, .init("TYPE") { $0.use },
            .init("VERIFIED") { $0.verifiedText },
            .init("VARIABLES") { $0.variables.map(\.name).joined(separator: " ") })
        return table.text(providers)
    }
}

/// A provider of the catalogue, as the API and `--json` show it.
package struct CatalogueAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "name": "The name: `from` of `providers.add`.",
        "displayName": "What users call it.",
        "id": "The id of an entry that is made from it, unless another one is chosen.",
        "use": "The plugin.",
        "documented": "Whether all that a sign-in depends on was read in the provider's own documentation.",
        "redirectUri": "The redirect URI to register, of an entry with the id.",
        "registration": "What to do at the provider.",
        "links": "Pages of the provider.",
        "variables": "What differs from one customer of the provider to the next.",
        "entry": "The entry as `plugins.json` has it, without the client; variables stand in braces.",
        "button": "The button that the provider's brand rules ask for.",
        "facts": "What the entry is made from.",
    ]

    package let name: String
    package let displayName: String
    package let id: String
    package let use: String
    package let documented: Bool
    package let redirectUri: String
    package let registration: [String]
    package let links: Links
    package let variables: [Variable]
    package let entry: JSONObject
    package let button: Button
    package let facts: [Fact]

    package struct Links: DescribedObject {
        package static let texts: [String: MemberText] = [
            "documentation": "The documentation of sign-ins.",
            "console": "Where clients are registered, or what tells it.",
            "brand": "The rules for buttons.",
        ]

        package let documentation: String
        package let console: String
        package let brand: String?
    }

    package struct Variable: DescribedObject {
        package static let texts: [String: MemberText] = [
            "name": "The name.", "description": "What it is.", "pattern": "The regular expression of its values.",
            "example": "A value.",
        ]

        package let name: String
        package let description: String
        package let pattern: String
        package let example: String
    }

    package struct Button: DescribedObject {
        package static let texts: [String: MemberText] = [
            "text": "Its text in English.", "background": "Its colour.", "foreground": "The colour of its text.",
        ]

        package let text: String
        package let background: String
        package let foreground: String
    }

    package struct Fact: DescribedObject {
        package static let texts: [String: MemberText] = [
            "fact": "One sentence.", "about": "The parts of a sign-in that depend on it.",
            "page": "The page that it was read from; of a fact from memory, where it may be looked up.",
            "read": "The day.", "verified": "Whether the provider's own documentation says so.",
        ]

        package let fact: String
        package let about: [CatalogueProvider.Fact.Subject]
        package let page: String
        package let read: String
        package let verified: CatalogueProvider.Fact.Verification
    }
}

extension CatalogueAnswer {
    /// - Parameters:
    ///   - provider: The provider.
    ///   - values: The values of its variables, as far as they are known.
    ///   - publicURL: The broker's, for the redirect URI.
    init(_ provider: CatalogueProvider, _ values: [String: String] = [:], publicURL: String) {
        (name, displayName, id, use) = (provider.name, provider.displayName, provider.id, provider.use)
        documented = provider.isDocumented
        redirectUri = ConfiguredProvider.callbackURL(of: provider.id, at: publicURL)
        registration = provider.registration
        let links = provider.links
        self.links = Links(
            documentation: links.documentation.filling(values),
            console: (links.console ?? links.documentation).filling(values),
            brand: links.brand)
        variables = provider.variables.map {
            Variable(name: $0.name, description: $0.description, pattern: $0.pattern, example: $0.example)
        }
        entry = provider.entry(values)
        let button = provider.button
        self.button = Button(text: button.text, background: button.background, foreground: button.foreground)
        facts = provider.facts.map {
            Fact(fact: $0.fact, about: $0.about, page: $0.page, read: $0.read, verified: $0.verified)
        }
    }

    fileprivate var verifiedText: String {
        let read = facts.count { $0.verified == .documentation }
        return documented && read == facts.count ? "documentation" : "\(read) of \(facts.count) facts"
    }

    fileprivate var text: TerminalText {
        let values = variables.map { " --variable \($0.name)=\($0.example)" }.joined()
        var lines: [TerminalText] = [
            "\(displayName) (\(use)): \(verifiedText)", "",
            "Add it:       broker providers add \(name) --client-id …\(values) --secret-file FILE",
            "Redirect URI: \(redirectUri)", "Register at:  \(links.console)",
        ]
        lines += registration.map { "  - \($0)" }
        for variable in variables { lines.append("Variable \(variable.name): \(variable.description)") }
        lines.append("Documentation: \(links.documentation)")
        if let brand = links.brand { lines.append("Brand rules:   \(brand)") }
        lines += [
            "Button:        “\(button.text)”, \(button.foreground) on \(button.background)", "", "The entry:",
            TerminalText(json: .object(entry), indented: true), "", "Facts:",
        ]
        lines += facts.map { "  - [\($0.verified.rawValue), \($0.read)] \($0.fact)\n    \($0.page)" }
        return lines.joined(separator: "\n")
    }
}
