extension AppleSimulator {
    /// A client: an app by its bundle identifier, or a web site by its Services ID.
    public struct Application: Sendable, Hashable {
        /// The client's platform.
        public enum Kind: String, Sendable, Hashable {
            /// An app on a device (App ID): codes and tokens come from the system, without redirect URI.
            case native
            /// A web site (Services ID): codes come through the authorization page.
            case web
        }

        /// The bundle identifier or Services ID.
        public var clientID: String
        /// The client's platform.
        public var kind: Kind
        /// The team it belongs to; the simulator's own team when registered without one.
        public var teamID: String
        /// The App ID whose group it belongs to; only keys of that group or of the whole team speak for it.
        public var primaryAppID: String?
        /// The redirect URIs, compared exactly; a plain-http loopback URL stands for every port, which the real
        /// Apple does not allow at all.
        public var returnURLs: [String]
        /// The name on the consent page.
        public var name: String

        /// Describes a registration; the identifier is random unless given.
        ///
        /// - Parameters:
        ///   - clientID: The bundle identifier or Services ID.
        ///   - kind: Where the client runs.
        ///   - teamID: The team it belongs to; empty for the simulator's own.
        ///   - primaryAppID: The App ID it is grouped under.
        ///   - returnURLs: The redirect URIs; the broker's callback on loopback when absent.
        ///   - name: The name on the consent page.
        public init(
            clientID: String? = nil, kind: Kind = .web, teamID: String = "", primaryAppID: String? = nil,
            returnURLs: [String] = ["http://127.0.0.1/oauth/callback/apple.com"], name: String = "Example application"
        ) {
            self.clientID = clientID ?? "com.example.\(kind == .web ? "web" : "app")-" + RandomText.hex(8)
            self.kind = kind
            self.teamID = teamID
            self.primaryAppID = primaryAppID
            self.returnURLs = returnURLs
            self.name = name
        }
    }
}
