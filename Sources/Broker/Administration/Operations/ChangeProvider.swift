import ProviderKit

/// `providers.enable`: enables a provider entry of the store.
package struct EnableProvider: AdminOperation {
    package static let name = "providers.enable"
    package static let summary = "Enables a provider entry of the store."
    package static let scope: AdminScope? = .writeConfiguration

    let id: String

    package typealias Answer = AddProvider.Answer

    package init(id: String) {
        self.id = id
    }

    package func run(in context: AdminContext) async throws -> Answer {
        let entry = try await context.flows.manageProviders.setEnabled(
            true, id, by: context.caller, origin: context.origin)
        return context.answer(entry)
    }
}

/// `providers.disable`: disables a provider entry of the store. Its users and their identities stay.
package struct DisableProvider: AdminOperation {
    package static let name = "providers.disable"
    package static let summary = "Disables a provider entry of the store."
    package static let scope: AdminScope? = .writeConfiguration

    let id: String

    package typealias Answer = AddProvider.Answer

    package init(id: String) {
        self.id = id
    }

    package func run(in context: AdminContext) async throws -> Answer {
        let entry = try await context.flows.manageProviders.setEnabled(
            false, id, by: context.caller, origin: context.origin)
        return context.answer(entry)
    }
}

/// `providers.remove`: removes a provider entry of the store. Its users and their identities stay.
package struct RemoveProvider: AdminOperation {
    package static let name = "providers.remove"
    package static let summary = "Removes a provider entry of the store."
    package static let scope: AdminScope? = .writeConfiguration

    let id: String

    package struct Answer: Codable, Sendable {
        /// The id.
        package let removed: String
    }

    package init(id: String) {
        self.id = id
    }

    package func run(in context: AdminContext) async throws -> Answer {
        try await context.flows.manageProviders.remove(id, origin: context.origin)
        return Answer(removed: id)
    }
}
