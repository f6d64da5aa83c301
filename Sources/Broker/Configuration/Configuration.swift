import Foundation
import ProviderKit

/// Everything an operator decides, read once at start-up from `broker.json`, the environment and flags.
package struct Configuration: Sendable {
    /// The URL clients reach the broker at, without a trailing slash; issuer of its tokens.
    package var publicURL: String
    package var listen: ListenAddress
    /// What to end TLS with; nil leaves that to a proxy.
    package var tls: TLSFiles?
    package var project: Project
    package var apiKeys: [APIKey]
    package var policy: Policy
    package var allowsAnonymousSignIn: Bool
    /// How many live sessions a user may have.
    package var sessionsPerUser: Int
    /// ``sessionsPerUser`` unless the configuration says otherwise.
    package static let defaultSessionsPerUser = 200
    /// How long records of what happened are kept.
    package var retention: RecordRetention
    /// How many unfinished sign-ins are kept.
    package var limits: OpenRowLimits
    package var database: DatabaseLocation
    /// The database's folder, where it stands beside `broker.json` and may be made.
    package var dataFolder: String?
    package var masterKey: MasterKeySource
    /// Addresses of proxies in front of the broker, in CIDR notation.
    package var trustedProxies: [AddressRange]
    /// Hosts of identity providers that may resolve to the given private addresses.
    package var privateNetworks: [String: [AddressRange]]
    /// Who may sign custom tokens.
    package var serviceAccounts: [ServiceAccount]
    package var pluginsPath: String
    /// The files with secrets that `broker.json` is or names.
    var secretFiles: SecretFiles?

    /// Where to listen; port 0 takes a free one.
    package struct ListenAddress: Sendable, Hashable {
        package var host: String
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    /// The project this broker serves: one broker is one project.
    package struct Project: Sendable, Hashable {
        /// Audience of its tokens.
        package var id: String
        /// What Identity Toolkit calls the project number: digits.
        package var number: String
        package var authorizedDomains: [String]

        package init(id: String, number: String, authorizedDomains: [String]) {
            self.id = id
            self.number = number
            self.authorizedDomains = authorizedDomains
        }
    }

    /// A public identifier of an app with the origins its pages may call from; `*` stands for any.
    package struct APIKey: Sendable, Hashable {
        package var key: String
        package var origins: [String]

        package init(key: String, origins: [String]) {
            self.key = key
            self.origins = origins
        }
    }

    package init(
        publicURL: String, listen: ListenAddress, tls: TLSFiles? = nil, project: Project, apiKeys: [APIKey],
        policy: Policy = .strict, allowsAnonymousSignIn: Bool = false,
        sessionsPerUser: Int = Configuration.defaultSessionsPerUser, retention: RecordRetention = RecordRetention(),
        limits: OpenRowLimits = OpenRowLimits(), database: DatabaseLocation, masterKey: MasterKeySource,
        trustedProxies: [AddressRange] = [], privateNetworks: [String: [AddressRange]] = [:],
        serviceAccounts: [ServiceAccount] = [], pluginsPath: String
    ) {
        self.publicURL = publicURL
        self.listen = listen
        self.tls = tls
        self.project = project
        self.apiKeys = apiKeys
        self.policy = policy
        self.allowsAnonymousSignIn = allowsAnonymousSignIn
        self.sessionsPerUser = sessionsPerUser
        self.retention = retention
        self.limits = limits
        self.database = database
        self.masterKey = masterKey
        self.trustedProxies = trustedProxies
        self.privateNetworks = privateNetworks
        self.serviceAccounts = serviceAccounts
        self.pluginsPath = pluginsPath
    }
}

/// How long the records of what happened are kept.
package struct RecordRetention: Sendable, Hashable {
    /// Of the audit; nil keeps them for good.
    package var audit: Duration? = .seconds(400 * 86_400)
    /// Of account decisions, which `broker explain` shows; nil keeps them for good.
    package var decisions: Duration? = .seconds(180 * 86_400)

    package init() {}
}

/// How many unfinished sign-ins the store keeps; expired ones count until they are removed.
package struct OpenRowLimits: Sendable, Hashable {
    /// Of one address, or one /64 of IPv6.
    package var perAddress = 2_000
    /// Of all together.
    package var total = 100_000

    package init() {}
}

/// Where the 32 bytes of the master key come from.
package enum MasterKeySource: Sendable, Hashable {
    case file(String)
    case environment(String)
}
