public import ProviderKit

extension OpenIDSimulator {
    /// A client registration.
    public struct Application: Sendable {
        /// How the client proves itself at the token endpoint (OpenID Connect Core §9). Nothing else is taken from it.
        public enum Authentication: Sendable {
            case secretBasic(String)
            case secretPost(String)
            /// Assertions signed with one of these keys (a JSON Web Key Set).
            case privateKey(keys: JSONValue)
            /// A public client.
            case none

            /// The method's registered name.
            public var method: String {
                switch self {
                case .secretBasic: "client_secret_basic"
                case .secretPost: "client_secret_post"
                case .privateKey: "private_key_jwt"
                case .none: "none"
                }
            }
        }

        /// The client identifier; unique.
        public var clientID: String
        /// How it proves itself.
        public var authentication: Authentication
        /// The redirect URIs; compared byte by byte, but for the port of a loopback address.
        public var redirectURIs: [String]
        /// The name on the consent page.
        public var name: String

        /// The secret of a client that has one.
        public var clientSecret: String? {
            switch authentication {
            case .secretBasic(let secret), .secretPost(let secret): secret
            case .privateKey, .none: nil
            }
        }

        /// Describes a registration; identifier and secret are random unless given.
        public init(
            clientID: String? = nil, authentication: Authentication? = nil,
            redirectURIs: [String] = ["http://127.0.0.1/callback"], name: String = "Example application"
        ) {
            self.clientID = clientID ?? "client-" + RandomText.hex(12)
            self.authentication = authentication ?? .secretBasic(RandomText.hex(40))
            self.redirectURIs = redirectURIs
            self.name = name
        }
    }
}
