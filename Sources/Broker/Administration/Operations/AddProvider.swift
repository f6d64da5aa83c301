package import ProviderKit

/// `providers.add`: adds a provider entry to the store.
package struct AddProvider: AdminOperation {
    package static let name = "providers.add"
    package static let summary = "Adds a provider entry to the store. Secrets are text."
    package static let scope: AdminScope? = .writeConfiguration

    /// The entry as `plugins.json` would have it.
    let entry: JSONObject

    package struct Answer: Codable, Sendable {
        package let provider: ListProviders.ProviderAnswer
    }

    package init(entry: JSONObject) {
        self.entry = entry
    }

    package func run(in context: AdminContext) async throws -> Answer {
        let entry = try await context.flows.manageProviders.add(entry, by: context.caller, origin: context.origin)
        return context.answer(entry)
    }
}

/// `providers.update`: changes a provider entry of the store.
package struct UpdateProvider: AdminOperation {
    package static let name = "providers.update"
    package static let summary = "Changes a provider entry of the store."
    package static let scope: AdminScope? = .writeConfiguration

    let id: String
    /// The members to set, as `plugins.json` would have them; `null` removes one. Those of `options` are set one by one.
    let changes: JSONObject

    package typealias Answer = AddProvider.Answer

    package init(id: String, changes: JSONObject) {
        self.id = id
        self.changes = changes
    }

    package func run(in context: AdminContext) async throws -> Answer {
        let entry = try await context.flows.manageProviders.update(
            id, by: context.caller, origin: context.origin
        ) { [changes] document in document.merge(changes, isEntry: true) }
        return context.answer(entry)
    }
}

extension JSONObject {
    /// A merge patch (RFC 7396) of the entry and of its options; deeper values are replaced whole.
    fileprivate mutating func merge(_ changes: JSONObject, isEntry: Bool) {
        for (name, value) in changes {
            if isEntry, name == "options", case .object(let options) = value {
                var merged = self[name]?.object ?? [:]
                merged.merge(options, isEntry: false)
                self[name] = .object(merged)
            } else {
                self[name] = value.isNull ? nil : value
            }
        }
    }
}

extension AdminContext {
    /// Where a change of provider entries comes from.
    var caller: ManageProviders.Channel { administrator == nil ? .host : .network }

    /// A stored entry as it was just written.
    func answer(_ entry: ProviderEntry) -> AddProvider.Answer {
        AddProvider.Answer(
            provider: .init(.init(id: entry.id, entry: entry, problem: nil, isStored: true), nil, flows))
    }
}
