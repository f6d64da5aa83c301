package import BrokerStore
import ProviderKit

/// A client that was registered or changed.
package struct ClientChangeAnswer: DescribedObject {
    package static let texts: [String: MemberText] = [
        "client": "The client.",
        "warnings": "Sentences about doubtful redirect URIs.",
        "clientSecret": .secret("A new secret. The store has only its hash."),
    ]

    package let client: ClientAnswer
    package let warnings: [String]?
    package let clientSecret: String?

    fileprivate init(_ client: Client, warnings: [String] = [], secret: ClientSecret? = nil) {
        self.client = ClientAnswer(client)
        self.warnings = warnings.isEmpty ? nil : warnings
        clientSecret = secret?.text
    }
}

/// `clients.add`: registers an app.
package struct AddClient: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.add", "Registers an OAuth client. Its secret is answered once.", .writeConfiguration, .undoable,
        maximumBody: ClientPresentation.maximumBody,
        ClientPresentation.arguments(after: [
            .option(
                "type",
                "`confidential` for a server, which keeps a secret; `public` for a page; `native` for an app on a device.",
                example: "public"),
            .option("name", "The app's name on the sign-in pages.", example: "Notes"),
            .option(
                "redirectUris", "A redirect URI for authorization codes; repeatable.", as: "redirect-uri",
                example: ["https://notes.example/"]),
            .option(
                "postLogoutRedirectUris", "A redirect URI after sign-out; repeatable.", as: "post-logout-redirect-uri"),
            .option(
                "idTokenSigningAlg", "Signature algorithm of its tokens: ES256, or RS256 for libraries without ES256.",
                as: "id-token-alg", initially: "ES256"),
            .option(
                "pkce", "PKCE: required, or optional for confidential clients without PKCE.", initially: "required"),
            .option(
                "receivesProviderTokens", "Whether the client gets the providers' tokens; otherwise backends only."),
            .option("isFirstParty", "Register the app as your own: custom claims, merges.", as: "first-party"),
            .option(
                "backchannelLogoutUri", "The URI that logout tokens are posted to (OpenID Connect Back-Channel Logout)."
            ),
            .option(
                "backchannelLogoutSessionRequired",
                "Declare that the app needs sid in logout tokens, which always have it."),
        ]), heading: "Add a client")
    package typealias Answer = ClientChangeAnswer

    let type: Client.Kind
    let name: String
    let redirectUris: [String]?
    let postLogoutRedirectUris: [String]?
    let idTokenSigningAlg: Client.Algorithm?
    let pkce: Client.PKCE?
    let receivesProviderTokens: Bool?
    let backchannelLogoutUri: String?
    let backchannelLogoutSessionRequired: Bool?
    let isFirstParty: Bool?
    let logo: String?
    let logoDark: String?
    let homeUrl: String?
    let termsUrl: String?
    let privacyUrl: String?
    let supportUrl: String?

    package init(
        type: Client.Kind, name: String, redirectURIs: [String], postLogoutRedirectURIs: [String],
        algorithm: Client.Algorithm, pkce: Client.PKCE, receivesProviderTokens: Bool,
        backChannelLogout: Client.BackChannelLogout? = nil, isFirstParty: Bool = false,
        presentation: ClientPresentation.Changes = .init()
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
        (logo, logoDark) = (presentation.logo, presentation.logoDark)
        (homeUrl, termsUrl) = (presentation.homeURL, presentation.termsURL)
        (privacyUrl, supportUrl) = (presentation.privacyURL, presentation.supportURL)
    }

    package func run(for call: AdminCall) async throws -> ClientChangeAnswer {
        let registration = try ClientRegistration(
            kind: type, name: name, redirectURIs: redirectUris ?? [],
            postLogoutRedirectURIs: postLogoutRedirectUris ?? [], algorithm: idTokenSigningAlg ?? .es256,
            pkce: pkce ?? .required, receivesProviderTokens: receivesProviderTokens ?? false,
            backChannelLogout: backchannelLogoutUri.map {
                .init(uri: $0, requiresSession: backchannelLogoutSessionRequired ?? false)
            }, isFirstParty: isFirstParty ?? false,
            presentation: ClientPresentation(
                .init(
                    logo: logo, logoDark: logoDark, homeURL: homeUrl, termsURL: termsUrl, privacyURL: privacyUrl,
                    supportURL: supportUrl), of: nil))
        let added = try await call.admin.openID.clients.add(registration, origin: call.origin)
        return ClientChangeAnswer(
            added.client, warnings: registration.warnings(providerHosts: call.admin.providerHosts),
            secret: added.secret)
    }
}

/// `clients.update`: changes what is given of a client.
package struct UpdateClient: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.update", "Updates an OAuth client. What is absent stays unchanged.", .writeConfiguration, .undoable,
        maximumBody: ClientPresentation.maximumBody,
        ClientPresentation.arguments(after: [
            .client,
            .option("name", "The app's name on the sign-in pages.", example: "Notes"),
            .option("redirectUris", "A redirect URI for authorization codes; repeatable.", as: "redirect-uri"),
            .option(
                "postLogoutRedirectUris", "A redirect URI after sign-out; repeatable.", as: "post-logout-redirect-uri"),
            .option("pkce", "PKCE: required, or optional for confidential clients without PKCE."),
            .invertedFlag(
                "receivesProviderTokens", "Whether the client gets the providers' tokens; otherwise backends only."),
            .invertedFlag(
                "isFirstParty", "Declare whether the app is your own, whose tokens have custom claims.",
                as: "first-party"),
            .option("backchannelLogoutUri", #"The URI that logout tokens are posted to; "" removes it."#),
            .invertedFlag(
                "backchannelLogoutSessionRequired",
                "Declare whether the app needs sid in logout tokens, which always have it."),
        ]), heading: "Change a client")
    package typealias Answer = ClientChangeAnswer

    let client: String
    let name: String?
    let redirectUris: [String]?
    let postLogoutRedirectUris: [String]?
    let pkce: Client.PKCE?
    let receivesProviderTokens: Bool?
    let backchannelLogoutUri: String?
    let backchannelLogoutSessionRequired: Bool?
    let isFirstParty: Bool?
    let logo: String?
    let logoDark: String?
    let homeUrl: String?
    let termsUrl: String?
    let privacyUrl: String?
    let supportUrl: String?

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
        (logo, logoDark) = (changes.presentation.logo, changes.presentation.logoDark)
        (homeUrl, termsUrl) = (changes.presentation.homeURL, changes.presentation.termsURL)
        (privacyUrl, supportUrl) = (changes.presentation.privacyURL, changes.presentation.supportURL)
    }

    package func run(for call: AdminCall) async throws -> ClientChangeAnswer {
        let changes = ClientChanges(
            name: name, redirectURIs: redirectUris, postLogoutRedirectURIs: postLogoutRedirectUris, pkce: pkce,
            receivesProviderTokens: receivesProviderTokens, backChannelLogoutURI: backchannelLogoutUri,
            backChannelLogoutRequiresSession: backchannelLogoutSessionRequired, isFirstParty: isFirstParty,
            presentation: .init(
                logo: logo, logoDark: logoDark, homeURL: homeUrl, termsURL: termsUrl, privacyURL: privacyUrl,
                supportURL: supportUrl))
        guard let updated = try await call.admin.openID.clients.update(id: client, changes, origin: call.origin) else {
            throw AdminFailure.clientNotFound
        }
        return ClientChangeAnswer(
            updated.client, warnings: updated.registration.warnings(providerHosts: call.admin.providerHosts))
    }
}

/// `clients.rotate`: makes a new secret.
package struct RotateClientSecret: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.rotate", "Rotates the secret of a confidential client. The new one is answered once.",
        .writeConfiguration, .irreversibleWith("now"),
        [
            .client,
            .option("now", "Revoke the old secret at once."),
        ],
        command: DeclaredCommand(
            "rotate", "Rotate the secret of a confidential client.",
            """
            The new secret is printed once. The old secret stays valid for 24 hours, so that every server of the app
            can be updated. With --now it is revoked at once, which cannot be undone: use it when the secret may have
            leaked. Sessions stay valid.

            Examples:
              broker clients rotate 4fJqW8…
              broker clients rotate 4fJqW8… --now --yes --json
            """))
    package typealias Answer = ClientChangeAnswer

    let client: String
    let now: Bool?

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

    package func text(of answer: ClientChangeAnswer) -> TerminalText { answer.text }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        .irreversible("Revoke the present secret of client \(client) at once?", otherwise: "nothing was rotated")
    }
}

/// `clients.remove`: deletes a client and revokes its sessions.
package struct RemoveClient: AdminOperation {
    package static let declaration = OperationDeclaration(
        "clients.remove", "Deletes an OAuth client and revokes its sessions.", .writeConfiguration, .irreversible,
        [.client],
        command: DeclaredCommand(
            "remove", "Delete a client and revoke all of its sessions.",
            """
            Takes effect at once, in running brokers too. Cannot be undone: an app that is added again gets a new
            id.

            Examples:
              broker clients remove 4fJqW8…
              broker clients remove 4fJqW8… --yes --json
            """))

    let client: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = [
            "removed": "The client's id.", "sessionsEnded": "How many sessions ended with it.",
        ]

        package let removed: String
        package let sessionsEnded: Int
    }

    package func run(for call: AdminCall) async throws -> Answer {
        guard let count = try await call.admin.openID.clients.remove(id: client, origin: call.origin) else {
            throw AdminFailure.clientNotFound
        }
        return Answer(removed: client, sessionsEnded: count)
    }

    package func text(of answer: Answer) -> TerminalText {
        "Removed \(answer.removed) and ended its sessions: \(answer.sessionsEnded)."
    }

    package func question(_ runner: some OperationRunner) async throws -> OperationQuestion? {
        let found = try await runner.run(ShowClient(client: client)).client
        return OperationQuestion(
            "Remove \(found.name) (\(found.clientId)) and end its sessions?", otherwise: "nothing was removed")
    }
}

extension ClientPresentation {
    /// A body with two logos in base64, and everything else.
    fileprivate static let maximumBody = 3 * BrandImage.maximumSize + RequestFields.maximumBody

    /// All arguments of an operation that takes these.
    fileprivate static func arguments(after others: [DeclaredArgument]) -> [DeclaredArgument] { others + arguments }

    private static let arguments: [DeclaredArgument] = [
        .option(
            "logo", #"The app's logo on the sign-in pages, an SVG or a PNG in base64; "" removes it."#
        ).containing(.file),
        .option("logoDark", #"Its logo on dark pages, an SVG or a PNG in base64; "" removes it."#).containing(.file),
        .option(
            "homeUrl", #"The app's start page, where error pages lead; "" removes it."#,
            example: "https://notes.example/"),
        .option("termsUrl", #"The app's terms, linked where users allow it; "" removes it."#),
        .option("privacyUrl", #"The app's privacy policy, linked where users allow it; "" removes it."#),
        .option("supportUrl", #"The app's support, a page or a mailto: address; "" removes it."#),
    ]
}

extension AdminContext {
    /// The hosts of the identity providers, which no redirect URI of an app should have.
    package var providerHosts: Set<String> {
        IdentityProviderHosts(configuration.pluginsPath, plugins: providers.configured.plugins).names
    }
}

extension ClientChangeAnswer {
    /// The client, with the secret where there is a new one.
    package var text: TerminalText {
        guard let clientSecret else { return client.text }
        return """
            \(client.text)
            client secret: \(clientSecret)
                           Store it now: it is not shown again.
            """
    }
}
