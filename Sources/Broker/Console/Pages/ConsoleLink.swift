import ProviderKit

/// The addresses of the console's pages.
enum ConsoleLink {
    static func user(_ localID: String) -> String { below(.users, localID) }

    /// What became of a request.
    static func request(_ id: String) -> String { below(.requests, id) }

    /// The refused requests of a cause, a provider or a client.
    static func refusals(code: String? = nil, provider: String? = nil, client: String? = nil) -> String {
        RefusalFilter(code: code, provider: provider, client: client).address
    }

    /// A rule of the account policy, in the list of all.
    static func rule(_ name: String) -> String { "\(rules)#\(FormEncoding.encode(name))" }

    static let rules = ConsoleSection.root + "/rules"

    /// The page of one thing below its section's list.
    static func below(_ section: ConsoleSection, _ id: String) -> String {
        "\(section.path)/\(FormEncoding.encode(id))"
    }

    /// An address with parameters.
    static func address(_ path: String, _ parameters: [(name: String, value: String)]) -> String {
        parameters.isEmpty ? path : "\(path)?\(FormEncoding.encode(parameters))"
    }
}

extension Markup {
    /// A rule's name, which leads to its sentence.
    static func rule(_ name: String, _ sentence: String? = nil) -> Markup {
        let title: Markup? = sentence.map { " title=\"\($0)\"" }
        return "<a class=\"badge rule\" href=\"\(ConsoleLink.rule(name))\"\(title)>\(name)</a>"
    }

    /// A request's number, which leads to what became of it.
    static func requestNumber(_ id: String) -> Markup {
        let shown = id.count > 12 ? "\(id.prefix(10))…" : id
        return "<a href=\"\(ConsoleLink.request(id))\"><code>\(shown)</code></a>"
    }
}
