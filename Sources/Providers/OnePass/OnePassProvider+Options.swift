public import ProviderKit

extension OnePassProvider {
    /// The entry's `options` in `plugins.json`.
    public struct Options: DeclaredOptions {
        var clientId = ""
        /// 1Pass refuses a secret from public clients.
        var clientSecret: Secret?
        var additionalClientIds: [String] = []
        var scopes: [String] = []
        var url = ""
        var issuer: String?
        var allowAnonymous = false
        var deviceBootstrap: OnePassDeviceEndpoint?
        var redirectUris: [String]?
        var webhookKeys: [String: Secret] = [:]
        var webhookSecret: Secret?
        var webhookTolerance = 0
        var eventPollInterval: Int?
        var deletedAccountDays = 0
        var backChannelLogout = false

        public init() {}

        public static let declaration = DeclaredObject<Options>("A client of 1Pass.", client + accounts + events)

        private static let client: [DeclaredKey<Options>] = [
            .key("clientId", \.clientId, "the client's ID").required().narrowed(by: ["minLength": 1]),
            .key("clientSecret", \.clientSecret, "the client's secret; absent for a public client")
                .example(["file": "secrets/1pass"]),
            .key(
                "additionalClientIds", \.additionalClientIds,
                "further client IDs of the same app, one for each platform, whose tokens are accepted too"
            ).initially([]).narrowed(by: texts),
            .key("scopes", \.scopes, "the scopes of sign-ins").initially(["openid", "profile:basic", "email"])
                .narrowed(by: texts),
            .key("url", \.url, "the base URL of the installation's API").initially("https://api.1pass.dev")
                .narrowed(by: ProviderContext.baseURLs),
            .key("issuer", \.issuer, "the issuer of its tokens").initially(inWords: "`url`")
                .narrowed(by: ["minLength": 1]),
            .key(
                "redirectUris", \.redirectUris,
                "the redirect URIs registered at 1Pass, besides `appRedirects`, which 1Pass compares byte by byte"
            ).initially(inWords: "not checked").narrowed(by: texts),
        ]

        private static let accounts: [DeclaredKey<Options>] = [
            .key(
                "allowAnonymous", \.allowAnonymous,
                "whether anonymous accounts, which 1Pass knows only by a device, may sign in"
            ).initially(false),
            .key(
                "deviceBootstrap", \.deviceBootstrap,
                """
                the endpoint that signs devices in for apps; `devices` and `anonymousBootstrap` need `allowAnonymous`
                """
            ).initially(inWords: "none"),
            .key(
                "deletedAccountDays", \.deletedAccountDays,
                "days until the identity of a deleted account is removed, with its disabled user"
            ).range(1...3650).initially(30),
        ]

        private static let events: [DeclaredKey<Options>] = [
            .key(
                "webhookKeys", \.webhookKeys,
                """
                the shared keys of [webhooks](Providers.md#1passs-events) by their names (`kid`), all accepted; of at \
                least 16 bytes
                """
            ).initially(inWords: "none").narrowed(by: ["propertyNames": ["minLength": 1]])
                .example(["whk_2025q4_a1": ["file": "secrets/1pass-webhook-a1"]]),
            .key(
                "webhookSecret", \.webhookSecret,
                "the shared secret of webhooks in the older format (`sha256=`), of at least 16 bytes"
            ).initially(inWords: "they are refused"),
            .key(
                "webhookTolerance", \.webhookTolerance,
                "the maximum difference in seconds between a webhook's signature and the clock"
            ).range(1...604_800).initially(300),
            .key(
                "eventPollInterval", \.eventPollInterval,
                "seconds between two requests to the event feed, for confidential clients; `0` for none"
            ).range(10...86_400, orZero: "for no requests")
                .initially(inWords: "`300` with webhooks and a secret, otherwise none"),
            .key(
                "backChannelLogout", \.backChannelLogout,
                """
                whether logout tokens are accepted (OpenID Connect Back-Channel Logout) at \
                `/v1/broker/providers/<id>/notifications`
                """
            ).initially(false),
        ]

        private static let texts: JSONObject = ["items": ["type": "string", "minLength": 1]]
    }
}
