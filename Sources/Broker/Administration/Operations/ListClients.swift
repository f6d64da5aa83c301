package import BrokerStore
import ProviderKit

/// A registered client; it contains no secret.
package struct ClientAnswer: Codable, Sendable {
    package let clientId: String
    package let type: Client.Kind
    package let name: String
    package let redirectUris: [String]
    package let postLogoutRedirectUris: [String]
    package let idTokenSigningAlg: Client.Algorithm
    package let pkce: Client.PKCE
    /// `client` or `server`.
    package let providerTokens: String
    package let backchannelLogoutUri: String?
    package let backchannelLogoutSessionRequired: Bool?
    package let isFirstParty: Bool
    package let createdAt: Timestamp
    package let previousSecretUntil: Timestamp?

    init(_ client: Client) {
        (clientId, type, name) = (client.id, client.kind, client.name)
        (redirectUris, postLogoutRedirectUris) = (client.redirectURIs, client.postLogoutRedirectURIs)
        (idTokenSigningAlg, pkce) = (client.algorithm, client.pkce)
        providerTokens = client.receivesProviderTokens ? "client" : "server"
        backchannelLogoutUri = client.backChannelLogout?.uri
        backchannelLogoutSessionRequired = client.backChannelLogout?.requiresSession
        isFirstParty = client.isFirstParty
        (createdAt, previousSecretUntil) = (client.createdAt, client.previousSecret?.until)
    }
}

extension Client.Kind: Codable {}
extension Client.PKCE: Codable {}
extension StoredSigningKey.Algorithm: Codable {}

/// `clients.list`: the clients, the oldest first.
package struct ListClients: AdminOperation {
    package static let name = "clients.list"
    package static let summary = "Lists the OAuth clients, the oldest first."
    package static let scope: AdminScope? = .readConfiguration

    package struct Answer: Codable, Sendable {
        package let clients: [ClientAnswer]
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        Answer(clients: try await call.admin.openID.clients.all().map { ClientAnswer($0) })
    }
}

/// `clients.show`: one client.
package struct ShowClient: AdminOperation {
    package static let name = "clients.show"
    package static let summary = "Returns one OAuth client."
    package static let scope: AdminScope? = .readConfiguration

    /// The client's id.
    let client: String

    package struct Answer: Codable, Sendable {
        package let client: ClientAnswer
    }

    package init(client: String) {
        self.client = client
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let found = try await call.admin.openID.clients.client(id: client) else {
            throw AdminFailure.clientNotFound
        }
        return Answer(client: ClientAnswer(found))
    }
}

extension AdminFailure {
    package static let clientNotFound = AdminFailure(
        code: "CLIENT_NOT_FOUND", "no client has this id: broker clients list shows all clients")
}
