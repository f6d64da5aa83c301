import ProviderKit

/// The names and the marks of provider entries. One that is not enabled any more is shown by its id.
struct ProviderLabels: Sendable {
    private let byID: [String: (kind: String, name: String)]

    init(_ providers: [(id: String, kind: String, name: String)]) {
        byID = Dictionary(providers.map { ($0.id, ($0.kind, $0.name)) }) { first, _ in first }
    }

    init(_ directory: ProviderDirectory) {
        self.init(directory.providers.map { ($0.id, $0.kind.rawValue, $0.displayName) })
    }

    func name(_ id: String) -> String { byID[id]?.name ?? id }

    func kind(_ id: String) -> String { byID[id]?.kind ?? "" }

    func mark(_ id: String) -> Markup { .mark(kind: kind(id), name: name(id)) }
}
