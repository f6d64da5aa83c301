extension OnePassSimulator {
    /// A client registration. 1Pass wants one for each surface, so one app often has several.
    public struct Application: Sendable, Hashable {
        /// Whether a client can keep a secret; fixed for life.
        public enum ClientType: String, Sendable, Hashable, Codable {
            case `public`, confidential
        }

        /// The handling of scopes beyond the allow-list. Every answer names them in `X-Logi-Scope-Drift`.
        public enum ScopePolicy: String, Sendable, Hashable, Codable {
            /// The request fails with `invalid_scope`.
            case block
            /// The request goes on without them.
            case logOnly = "log_only"
            /// The request goes on without them; the developer gets a mail.
            case alert
        }

        /// A key that signs webhooks of the newer kind.
        public struct WebhookKey: Sendable, Hashable {
            /// The name of the key, such as `whk_2025q4_a1`.
            public let id: String
            /// The shared secret.
            public let secret: String

            /// A key; both parts are random unless given.
            public init(id: String? = nil, secret: String? = nil) {
                self.id = id ?? "whk_" + RandomText.hex(8)
                self.secret = secret ?? RandomText.hex(64)
            }
        }

        /// The client identifier; unique.
        public var clientID: String
        /// The credential of a confidential client; public clients have none, and are refused when they send one.
        public var clientSecret: String?
        /// Whether the client can keep a secret.
        public var type: ClientType
        /// The redirect URIs; compared byte by byte.
        public var redirectURIs: [String]
        /// The name on the consent page.
        public var name: String
        /// The scopes it may ask for.
        public var allowedScopes: [String]
        /// The handling of further scopes.
        public var scopePolicy: ScopePolicy
        /// Whether anonymous users may use it.
        public var allowsAnonymousGrants: Bool
        /// The URL of its webhooks; `nil` sends none.
        public var webhookURL: String?
        /// The secret that signs webhooks of the older kind.
        public var webhookSecret: String
        /// The keys of webhooks of the newer kind: the first one signs, all are valid.
        public var webhookKeys: [WebhookKey]
        /// Whether the secret is so old that 1Pass only has its digest and signs with that.
        public var hasOutdatedWebhookSecret: Bool

        /// Describes a registration; identifiers and secrets are random unless given.
        public init(
            clientID: String? = nil, type: ClientType = .confidential, clientSecret: String? = nil,
            redirectURIs: [String] = ["http://127.0.0.1/oauth/callback/1pass.dev"],
            name: String = "Example application",
            allowedScopes: [String] = Self.standardScopes, scopePolicy: ScopePolicy = .block,
            allowsAnonymousGrants: Bool = false, webhookURL: String? = nil, webhookSecret: String? = nil,
            webhookKeys: [WebhookKey] = [WebhookKey()], hasOutdatedWebhookSecret: Bool = false
        ) {
            self.clientID = clientID ?? "logi_" + RandomText.hex(32)
            self.type = type
            self.clientSecret = type == .public ? nil : clientSecret ?? "logi_secret_" + RandomText.hex(64)
            self.redirectURIs = redirectURIs
            self.name = name
            self.allowedScopes = allowedScopes
            self.scopePolicy = scopePolicy
            self.allowsAnonymousGrants = allowsAnonymousGrants
            self.webhookURL = webhookURL
            self.webhookSecret = webhookSecret ?? RandomText.hex(64)
            self.webhookKeys = webhookKeys
            self.hasOutdatedWebhookSecret = hasOutdatedWebhookSecret
        }

        /// The scopes that a new registration may request.
        public static let standardScopes = [
            "openid", "profile:basic", "email", "identity:level", "offline_access",
        ]
    }
}
