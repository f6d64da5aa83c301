import BrokerStore
import ProviderKit

/// `providers.show`: an entry, and how many users sign in with it.
package struct ShowProvider: AdminOperation {
    package static let name = "providers.show"
    package static let summary = "Shows a provider entry, and how many users sign in with it."
    package static let scope: AdminScope? = .readConfiguration

    let id: String

    package struct Answer: Codable, Sendable {
        package let provider: ListProviders.ProviderAnswer
        /// The users with an identity of it.
        package let users: Int
        /// Those of them who have no other way to sign in.
        package let onlyWayIn: Int
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        let listed = try await providers.listedProvider(id)
        let use = try await providers.use(ofProvider: id)
        return Answer(provider: .init(listed, nil, call.admin), users: use.users, onlyWayIn: use.onlyWayIn)
    }
}

/// `providers.enable`: enables a provider entry of the store.
package struct EnableProvider: AdminOperation {
    package static let name = "providers.enable"
    package static let summary = "Enables a provider entry of the store."
    package static let scope: AdminScope? = .writeConfiguration

    let id: String

    package typealias Answer = UpdateProvider.Answer

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let entry = try await call.admin.providers.setProviderEnabled(
            true, id, by: call.channel, origin: call.origin)
        return Answer(provider: call.answer(entry))
    }
}

/// `providers.disable`: disables a provider entry of the store. Its users and their identities stay.
package struct DisableProvider: AdminOperation {
    package static let name = "providers.disable"
    package static let summary =
        "Disables a provider entry of the store, and says how many users have no other way to sign in."
    package static let scope: AdminScope? = .writeConfiguration

    let id: String

    package struct Answer: Codable, Sendable {
        package let provider: ListProviders.ProviderAnswer
        /// The users who have no other way to sign in.
        package let onlyWayIn: Int
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        let entry = try await providers.setProviderEnabled(false, id, by: call.channel, origin: call.origin)
        return Answer(provider: call.answer(entry), onlyWayIn: try await providers.use(ofProvider: id).onlyWayIn)
    }
}

/// `providers.remove`: removes a provider entry of the store. Its users and their identities stay.
package struct RemoveProvider: AdminOperation {
    package static let name = "providers.remove"
    package static let summary =
        "Removes a provider entry of the store, and says how many users have no other way to sign in."
    package static let scope: AdminScope? = .trustProviders

    let id: String

    package struct Answer: Codable, Sendable {
        /// The id.
        package let removed: String
        /// The users who have no other way to sign in.
        package let onlyWayIn: Int
    }

    package init(id: String) {
        self.id = id
    }

    package func run(for call: AdminCall) async throws -> Answer {
        let providers = call.admin.providers
        try await providers.removeProvider(id, origin: call.origin)
        return Answer(removed: id, onlyWayIn: try await providers.use(ofProvider: id).onlyWayIn)
    }
}
