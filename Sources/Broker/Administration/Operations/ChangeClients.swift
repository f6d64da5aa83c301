package import BrokerStore
import ProviderKit

/// A client that was registered or changed.
package struct ClientChangeAnswer: Codable, Sendable {
    package let client: ClientAnswer
    /// Sentences about doubtful redirect URIs.
    package let warnings: [String]?
    /// A new secret. The store has only its hash.
    package let clientSecret: String?

    fileprivate init(_ client: Client, warnings: [String] = [], secret: ClientSecret? = nil) {
        self.client = ClientAnswer(client)
        self.warnings = warnings.isEmpty ? nil : warnings
        clientSecret = secret?.text
    }
}

/// `clients.add`: registers an app.
package struct AddClient: AdminOperation {
    package static let name = "clients.add"
    package static let summary = "Registers an OAuth client. Its secret is answered once."
    package static let scope: AdminScope? = .writeConfiguration
    package typealias Answer = ClientChangeAnswer

    let type: Client.Kind
    let name: String
    let redirectUris: [String]?
    let postLogoutRedirectUris: [String]?
    let idTokenSigningAlg: Client.Algorithm?
    let pkce: Client.PKCE?
    let receivesProviderTokens: Bool?
    /// The URL that logout tokens are posted to (OpenID Connect Back-Channel Logout 1.0).
    let backchannelLogoutUri: String?
    let backchannelLogoutSessionRequired: Bool?
    let isFirstParty: Bool?

    package init(
        type: Client.Kind, name: String, redirectURIs: [String], postLogoutRedirectURIs: [String],
        algorithm: Client.Algorithm, pkce: Client.PKCE, receivesProviderTokens: Bool,
        backChannelLogout: Client.BackChannelLogout? = nil, isFirstParty: Bool = false
    ) {
        self.type = type
        self.name = name
        redirectUris = redirectURIs
        postLogoutRedirectUris = postLogoutRedirectURIs
        idTokenSigningAlg = algorithm
        self.pkce = pkce
        self.receivesProviderTokens = receivesProviderTokens
        backchannelLogoutUri = backChannelLogout?.uri
        backchannelLogoutSessionRequired = backChannelLogout?.requiresSession
        self.isFirstParty = isFirstParty
    }

    package func run(for call: AdminCall) async throws -> ClientChangeAnswer {
        let registration = try ClientRegistration(
            kind: type, name: name, redirectURIs: redirectUris ?? [],
            postLogoutRedirectURIs: postLogoutRedirectUris ?? [], algorithm: idTokenSigningAlg ?? .es256,
            pkce: pkce ?? .required, receivesProviderTokens: receivesProviderTokens ?? false,
            backChannelLogout: backchannelLogoutUri.map {
                .init(uri: $0, requiresSession: backchannelLogoutSessionRequired ?? false)
            }, isFirstParty: isFirstParty ?? false)
        let added = try await call.admin.openID.clients.add(registration, origin: call.origin)
        return ClientChangeAnswer(
            added.client, warnings: registration.warnings(providerHosts: call.admin.providerHosts),
            secret: added.secret)
    }
}

/// `clients.update`: changes what is given of a client.
package struct UpdateClient: AdminOperation {
    package static let name = "clients.update"
    package static let summary = "Updates an OAuth client. What is absent stays unchanged."
    package static let scope: AdminScope? = .writeConfiguration
    package typealias Answer = ClientChangeAnswer

    /// The client's id.
    let client: String
    let name: String?
    let redirectUris: [String]?
    let postLogoutRedirectUris: [String]?
    let pkce: Client.PKCE?
    let receivesProviderTokens: Bool?
    /// An empty text removes it.
    let backchannelLogoutUri: String?
    let backchannelLogoutSessionRequired: Bool?
    let isFirstParty: Bool?

    package init(client: String, _ changes: ClientChanges) {
        self.client = client
        name = changes.name
        redirectUris = changes.redirectURIs
        postLogoutRedirectUris = changes.postLogoutRedirectURIs
        pkce = changes.pkce
        receivesProviderTokens = changes.receivesProviderTokens
        backchannelLogoutUri = changes.backChannelLogoutURI
        backchannelLogoutSessionRequired = changes.backChannelLogoutRequiresSession
        isFirstParty = changes.isFirstParty
    }

    package func run(for call: AdminCall) async throws -> ClientChangeAnswer {
        let changes = ClientChanges(
            name: name, redirectURIs: redirectUris, postLogoutRedirectURIs: postLogoutRedirectUris, pkce: pkce,
            receivesProviderTokens: receivesProviderTokens, backChannelLogoutURI: backchannelLogoutUri,
            backChannelLogoutRequiresSession: backchannelLogoutSessionRequired, isFirstParty: isFirstParty)
        guard let updated = try await call.admin.openID.clients.update(id: client, changes, origin: call.origin) else {
            throw AdminFailure.clientNotFound
        }
        return ClientChangeAnswer(
            updated.client, warnings: updated.registration.warnings(providerHosts: call.admin.providerHosts))
    }
}

/// `clients.rotate`: makes a new secret.
package struct RotateClientSecret: AdminOperation {
    package static let name = "clients.rotate"
    package static let summary = "Rotates the secret of a confidential client. The new one is answered once."
    package static let scope: AdminScope? = .writeConfiguration
    package typealias Answer = ClientChangeAnswer

    /// The client's id.
    let client: String
    /// Whether the old secret is revoked at once.
    let now: Bool?

    package init(client: String, now: Bool) {
        self.client = client
        self.now = now
    }

    package func run(for call: AdminCall) async throws -> ClientChangeAnswer {
        let clients = call.admin.openID.clients
        guard try await clients.client(id: client) != nil else { throw AdminFailure.clientNotFound }
        let rotated = try await clients.rotateSecret(
            ofClient: client, endingPrevious: now ?? false, origin: call.origin)
        guard let rotated else {
            throw AdminFailure(code: "CLIENT_HAS_NO_SECRET", "only confidential clients have a secret")
        }
        return ClientChangeAnswer(rotated.client, secret: rotated.secret)
    }
}

/// `clients.remove`: deletes a client and revokes its sessions.
package struct RemoveClient: AdminOperation {
    package static let name = "clients.remove"
    package static let summary = "Deletes an OAuth client and revokes its sessions."
    package static let scope: AdminScope? = .writeConfiguration

    /// The client's id.
    let client: String

    package struct Answer: Codable, Sendable {
        package let removed: String
        package let sessionsEnded: Int
    }

    package init(client: String) {
        self.client = client
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let count = try await call.admin.openID.clients.remove(id: client, origin: call.origin) else {
            throw AdminFailure.clientNotFound
        }
        return Answer(removed: client, sessionsEnded: count)
    }
}

extension AdminContext {
    /// The hosts of the identity providers, which no redirect URI of an app should have.
    package var providerHosts: Set<String> {
        IdentityProviderHosts(configuration.pluginsPath, plugins: providers.configured.plugins).names
    }
}
