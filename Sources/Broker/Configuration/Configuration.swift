import Foundation
import ProviderKit

/// Everything an operator decides, read once at start-up from `broker.json`, the environment and flags.
package struct Configuration: Sendable {
    /// The URL clients reach the broker at, without a trailing slash; issuer of its tokens.
    package var publicURL: String
    package var listen: ListenAddress
    /// The certificate for TLS; nil when a proxy terminates TLS.
    package var tls: TLSFiles?
    package var project: Project
    package var apiKeys: [APIKey]
    package var policy: Policy
    /// The brand of the hosted pages.
    package var branding = Branding()
    package var allowsAnonymousSignIn: Bool
    /// The maximum number of live sessions of a user.
    package var sessionsPerUser: Int
    /// ``sessionsPerUser`` unless the configuration says otherwise.
    package static let defaultSessionsPerUser = 200
    /// The retention of audit rows and decisions.
    package var retention: RecordRetention
    /// The time after which the unsuccessful withdrawal of a grant is abandoned.
    package var withdrawalLifetime = Configuration.defaultWithdrawalLifetime
    /// ``withdrawalLifetime`` unless the configuration says otherwise.
    static let defaultWithdrawalLifetime = Duration.seconds(7 * 86_400)
    /// How long events are delivered to webhooks and clients, and kept.
    package var events = EventRules()
    /// The background probes of grants.
    package var grantProbes = GrantProbeRules()
    /// The limits of unfinished sign-ins.
    package var limits: OpenRowLimits
    /// The address of `/metrics`; nil serves none.
    package var metricsListen: ListenAddress?
    /// The console of administrators.
    package var console = ConsoleSettings()
    /// The limits of requests and failures.
    package var rateLimits = RateLimits()
    /// The operator's declarations that no program can look up.
    package var declarations = Declarations()
    package var database: DatabaseLocation
    /// The database's folder, if the broker may create it: one beside `broker.json`.
    package var dataFolder: String?
    package var masterKey: MasterKeySource
    /// The master key before, while a rotation takes place.
    package var previousMasterKey: MasterKeySource?
    /// Addresses of proxies in front of the broker, in CIDR notation.
    package var trustedProxies: [AddressRange]
    /// Hosts of identity providers that may resolve to the given private addresses.
    package var privateNetworks: [String: [AddressRange]]
    /// Whether webhooks and logout tokens may go to this machine, without TLS too.
    package var allowsInsecureLoopbackDeliveries = false
    /// The time that a provider has for an answer.
    package var providerTimeout = Configuration.defaultProviderTimeout
    /// ``providerTimeout`` unless the configuration says otherwise.
    package static let defaultProviderTimeout = Duration.seconds(10)
    /// The service accounts that may sign custom tokens.
    package var serviceAccounts: [ServiceAccount]
    package var pluginsPath: String
    /// The folder with the operator's texts of the hosted pages.
    package var pageTexts: String?
    /// The settings that `broker.json` says: administrators cannot change them elsewhere.
    var settingsInFile: Set<ProjectSettings.Name> = []
    /// The files with secrets that `broker.json` is or names.
    var secretFiles: SecretFiles?

    /// The site's name on its pages.
    var siteName: String { branding.displayName ?? project.id }

    /// The address to listen on; port 0 takes a free port.
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
        /// The project number of Identity Toolkit: digits.
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
        /// ``Policy/providerTokens`` for this app; `nil` for the policy's.
        package var providerTokens: Policy.ProviderTokenAudience?

        package init(key: String, origins: [String], providerTokens: Policy.ProviderTokenAudience? = nil) {
            self.key = key
            self.origins = origins
            self.providerTokens = providerTokens
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

/// The retention of records.
package struct RecordRetention: Sendable, Hashable {
    /// Of audit rows; nil means without limit.
    package var audit: Duration? = .seconds(400 * 86_400)
    /// Of account decisions, which `broker explain` shows; nil means without limit.
    package var decisions: Duration? = .seconds(180 * 86_400)

    package init() {}
}

/// The maximum numbers of unfinished sign-ins in the store. Expired ones count until they are removed.
package struct OpenRowLimits: Sendable, Hashable {
    /// Of one address, or one /64 of IPv6.
    package var perAddress = 2_000
    /// Of all together.
    package var total = 100_000

    package init() {}
}

/// The source of the 32 bytes of the master key.
package enum MasterKeySource: Sendable, Hashable {
    case file(String)
    case environment(String)
    /// A program that prints it: its absolute path and its arguments.
    case command([String])

    var isCommand: Bool { if case .command = self { true } else { false } }
}

/// The files of a certificate and its key, both as PEM.
package struct TLSFiles: Sendable, Hashable {
    /// The server's certificate, followed by its issuers'.
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}
