package import BrokerStore
import ProviderKit

/// A registered client; it contains no secret.
package struct ClientAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "clientId": "The client's id.",
        "type": "Where the app runs.",
        "name": "The app's name on the sign-in pages.",
        "redirectUris": "The redirect URIs for authorization codes.",
        "postLogoutRedirectUris": "The redirect URIs after sign-out.",
        "idTokenSigningAlg": "The signature algorithm of its tokens.",
        "pkce": "Whether its requests must use PKCE.",
        "providerTokens": "Who gets the providers' tokens: `client` or `server`.",
        "backchannelLogoutUri": "The URI that logout tokens are posted to.",
        "backchannelLogoutSessionRequired": "Whether the app needs `sid` in logout tokens.",
        "isFirstParty": "Whether it is an app of the broker's operator.",
        "homeUrl": "The app's start page.",
        "termsUrl": "The app's terms.",
        "privacyUrl": "The app's privacy policy.",
        "supportUrl": "The app's support.",
        "logo": "The path of its logo at the broker.",
        "logoDark": "The path of its logo on dark pages.",
        "createdAt": "When it was registered.",
        "previousSecretUntil": "Until when the secret before the present one is valid.",
    ]

    package let clientId: String
    package let type: Client.Kind
    package let name: String
    package let redirectUris: [String]
    package let postLogoutRedirectUris: [String]
    package let idTokenSigningAlg: Client.Algorithm
    package let pkce: Client.PKCE
    package let providerTokens: String
    package let backchannelLogoutUri: String?
    package let backchannelLogoutSessionRequired: Bool?
    package let isFirstParty: Bool
    package let homeUrl: String?
    package let termsUrl: String?
    package let privacyUrl: String?
    package let supportUrl: String?
    package let logo: String?
    package let logoDark: String?
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
        (homeUrl, termsUrl, privacyUrl) = (client.homeURL, client.termsURL, client.privacyURL)
        supportUrl = client.supportURL
        logo = client.logo.map { BrandPath.logo($0, ofClient: client.id) }
        logoDark = client.logoDark.map { BrandPath.logo($0, ofClient: client.id) }
        (createdAt, previousSecretUntil) = (client.createdAt, client.previousSecret?.until)
    }
}

extension Client.Kind: Codable {}
extension Client.PKCE: Codable {}
extension StoredSigningKey.Algorithm: Codable {}

/// `clients.list`: the clients, the oldest first.
package struct ListClients: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.list", "Lists the OAuth clients, the oldest first.", .readConfiguration, .reads,
        command: DeclaredCommand(
            "list", "List the clients, the oldest first.",
            """
            Example:
              broker clients list --json
            """))

    package init() {}

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["clients": "The clients, the oldest first."]

        package let clients: [ClientAnswer]
    }

    package func run(for call: AdminCall) async throws -> Answer {
        Answer(clients: try await call.admin.openID.clients.all().map { ClientAnswer($0) })
    }

    package func text(of answer: Answer) -> TerminalText {
        let table = Table<ClientAnswer>(
            .init("CLIENT ID") { $0.clientId }, .init("TYPE") { $0.type.rawValue },
            .init("NAME", mayBeCut: true) { $0.name })
        return answer.clients.isEmpty ? "No clients." : table.text(answer.clients)
    }
}

/// `clients.show`: one client.
package struct ShowClient: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.show", "Returns one OAuth client.", .readConfiguration, .reads, [.client],
        command: DeclaredCommand(
            "show", "Show a client: its type, its redirect URIs and its settings.",
            """
            The broker stores only a hash of the secret: broker clients rotate makes a new one.

            Example:
              broker clients show 4fJqW8…
            """))

    let client: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["client": "The client."]

        package let client: ClientAnswer
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let found = try await call.admin.openID.clients.client(id: client) else {
            throw AdminFailure.clientNotFound
        }
        return Answer(client: ClientAnswer(found))
    }

    package func text(of answer: Answer) -> TerminalText { answer.client.text }
}

extension AdminFailure {
    package static let clientNotFound = AdminFailure(
        code: "CLIENT_NOT_FOUND", "no client has this id: broker clients list shows all clients")
}

extension DeclaredArgument {
    static let client = positional("client", "The client's id.", example: "4fJqW8xT0aPz").of(.client)
}

extension ClientAnswer {
    /// On several lines.
    var text: TerminalText {
        var lines: [TerminalText] = [
            "client id:     \(clientId)", "name:          \(name)", "type:          \(type.rawValue)",
            "tokens:        \(idTokenSigningAlg.rawValue)", "PKCE:          \(pkce.rawValue)",
            "IdP tokens:    \(providerTokens)", "first-party:   \(isFirstParty ? "yes" : "no")",
            "added:         \(createdAt.text)",
        ]
        lines += redirectUris.map { "redirect URI:  \($0)" }
        lines += postLogoutRedirectUris.map { "after logout:  \($0)" }
        if let backchannelLogoutUri { lines.append("logout URI:    \(backchannelLogoutUri)") }
        let pages = [
            ("home:         ", homeUrl), ("terms:        ", termsUrl), ("privacy:      ", privacyUrl),
            ("support:      ", supportUrl), ("logo:         ", logo), ("dark logo:    ", logoDark),
        ]
        for (label, value) in pages { if let value { lines.append("\(label) \(value)") } }
        if let previousSecretUntil { lines.append("old secret:    valid until \(previousSecretUntil.text)") }
        return lines.joined(separator: "\n")
    }
}
