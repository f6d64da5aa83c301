import ProviderKit

/// The options of our client at a generic provider.
protocol ClientOptions: DeclaredOptions {
    var clientId: String { get set }
    var clientSecret: Secret? { get set }
    var privateKey: ClientProof.PrivateKey? { get set }
    var tokenEndpointAuthMethod: ClientProof.Method? { get set }
    var textBooleans: Bool { get set }
    var trustUnverifiedEmails: Bool { get set }
    var authorizationParameters: [String: String] { get set }
}

extension ClientOptions {
    static var clientKeys: [DeclaredKey<Self>] {
        [
            .key("clientId", \.clientId, "the broker's client ID at the provider").required()
                .narrowed(by: ["minLength": 1]),
            .key(
                "clientSecret", \.clientSecret,
                "the client's secret; absent for public clients and with `privateKey`"
            ).example(["file": "secrets/acme"]),
            .key(
                "privateKey", \.privateKey,
                "the key of the client authentication `private_key_jwt`, instead of a secret"),
            .key(
                "tokenEndpointAuthMethod", \.tokenEndpointAuthMethod, "the client authentication at the token endpoint"
            )
            .initially(
                inWords: """
                    `client_secret_basic` with a secret, `private_key_jwt` with a key, `none` without either
                    """),
        ]
    }

    static var requestKeys: [DeclaredKey<Self>] {
        [
            .key(
                "textBooleans", \.textBooleans,
                "whether the text `\"true\"` verifies an address, for providers that write it so"
            ).initially(false),
            .key(
                "trustUnverifiedEmails", \.trustUnverifiedEmails,
                """
                whether an address counts that the provider does not call verified: with `trustEmail`, `requiredClaims` that \
                fix an organisation by its id, and in `plugins.json` only
                """
            ).initially(false),
            .key(
                "authorizationParameters", \.authorizationParameters,
                "further parameters of every authorization request, such as `prompt`, except those of the protocol"
            ).initially([:]).narrowed(by: [
                "propertyNames": ["minLength": 1, "not": .object(OAuth2Client.reservedNames)]
            ]),
        ]
    }
}
