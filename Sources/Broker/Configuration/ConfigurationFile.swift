import Foundation
import ProviderKit

/// `broker.json` as it stands in the file; an unknown name anywhere in it is refused.
struct ConfigurationFile: Decodable {
    let schema: String?
    let publicURL: String
    let listen: String?
    let tls: TLS?
    let project: Project
    let apiKeys: [APIKey]
    let policy: PolicyEntry?
    let signIn: SignInSettings?
    let sessions: Sessions?
    let retention: RetentionDays?
    let withdrawals: WithdrawalSettings?
    let events: EventRules.Entry?
    let grantProbes: GrantProbeRules.Entry?
    let limits: Limits?
    let rateLimits: RateLimits.Entry?
    let metrics: Metrics?
    let database: Database?
    let masterKey: MasterKeyLocation
    let previousMasterKey: MasterKeyLocation?
    let trustedProxies: [String]?
    let egress: Egress?
    let serviceAccounts: [ServiceAccount]?
    let declarations: Declarations?
    let plugins: String?

    enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case publicURL, listen, tls, project, apiKeys, policy, signIn, sessions, retention, withdrawals, grantProbes
        case limits, rateLimits, metrics, database, masterKey, previousMasterKey, trustedProxies, egress
        case serviceAccounts, declarations, events, plugins
    }

    struct TLS: Decodable {
        let cert: String
        let key: String
    }
    struct Project: Decodable {
        let id: String
        let number: String
        let authorizedDomains: [String]?
    }
    struct APIKey: Decodable {
        let key: String
        let origins: [String]?
        let providerTokens: Policy.ProviderTokenAudience?
    }
    struct SignInSettings: Decodable { let anonymous: Bool? }
    struct Sessions: Decodable { let perUser: Int? }
    /// 0 keeps the records without limit.
    struct RetentionDays: Decodable {
        let auditDays: Int?
        let decisionDays: Int?
    }
    /// The days after which an unsuccessful withdrawal is abandoned.
    struct WithdrawalSettings: Decodable { let days: Int? }
    struct Limits: Decodable {
        let openSignInsPerAddress: Int?
        let openSignIns: Int?
    }
    struct Database: Decodable {
        let path: String?
        let url: Secret?
        let connections: Int?
    }
    struct MasterKeyLocation: Decodable {
        let file: String?
        let env: String?
        let command: [String]?
    }
    struct ServiceAccount: Decodable {
        let email: String
        /// `{"file": …}`, PEM text, or a JSON Web Key.
        let publicKeys: [JSONValue]
    }
    /// The address of `/metrics`; without one there is none.
    struct Metrics: Decodable { let listen: String }
    struct Egress: Decodable {
        let privateNetworks: [String: [String]]?
        /// For webhooks and back-channel logout.
        let allowInsecureLoopback: Bool?
    }

    /// The policy, and whether it says itself what its preset would say.
    struct PolicyEntry: Decodable {
        let policy: Policy
        let namesEmailEnumeration: Bool

        private enum CodingKeys: String, CodingKey { case emailEnumeration }

        init(from decoder: any Decoder) throws {
            policy = try Policy(from: decoder)
            let members = try? decoder.container(keyedBy: CodingKeys.self)
            namesEmailEnumeration = members?.contains(.emailEnumeration) ?? false
        }
    }

    /// The settings of the project that the file says.
    var settings: Set<ProjectSettings.Name> {
        var names: Set<ProjectSettings.Name> = []
        if project.authorizedDomains != nil { names.insert(.authorizedDomains) }
        if signIn?.anonymous != nil { names.insert(.anonymousSignIn) }
        if policy?.namesEmailEnumeration == true { names.insert(.emailEnumeration) }
        return names
    }
}

extension Configuration {
    /// Reads `broker.json`; paths in it are relative to its folder.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - tls: What the command line says about TLS; goes before the file.
    ///   - environment: `BROKER_PUBLIC_URL`, `BROKER_LISTEN` and `BROKER_DATABASE` go before what the file says.
    /// - Returns: The configuration, checked.
    /// - Throws: ``ConfigurationError`` naming the place, the nearest valid name and a fix.
    package static func load(
        path: String, tls: TLSFiles? = nil, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileExposure.requirePrivateWriting(path, named: "the configuration")
        let secretFiles = SecretFiles(configuration: path, environment: environment)
        let file = try StrictFile.decode(
            ConfigurationFile.self, path: path, hint: "Run broker init to write one.", secrets: secretFiles.source)
        func resolve(_ name: String) -> String { URL(filePath: name, relativeTo: folder).standardizedFileURL.path }
        let listen = environment["BROKER_LISTEN"] ?? file.listen ?? "127.0.0.1:9099"
        let publicURL = try checkedPublicURL(environment["BROKER_PUBLIC_URL"] ?? file.publicURL, in: path)
        var configuration = Configuration(
            publicURL: publicURL,
            listen: try ListenAddress(parsing: listen, source: path),
            tls: tls ?? file.tls.map { TLSFiles(certificate: resolve($0.cert), key: resolve($0.key)) },
            project: .init(
                id: file.project.id, number: file.project.number,
                authorizedDomains: file.project.authorizedDomains ?? (isLoopback(url: publicURL) ? ["localhost"] : [])),
            apiKeys: file.apiKeys.map {
                .init(key: $0.key, origins: $0.origins ?? [], providerTokens: $0.providerTokens)
            },
            policy: file.policy?.policy ?? .strict, allowsAnonymousSignIn: file.signIn?.anonymous ?? false,
            sessionsPerUser: try sessionsPerUser(file.sessions, in: path),
            retention: try RecordRetention(file.retention, in: path),
            limits: try OpenRowLimits(file.limits, in: path),
            database: try DatabaseLocation(file.database, environment: environment, in: path, resolve: resolve),
            masterKey: try MasterKeySource(file.masterKey, in: path, at: "/masterKey", resolve: resolve),
            trustedProxies: try ranges(file.trustedProxies ?? [], in: path, at: "/trustedProxies"),
            privateNetworks: try networks(file.egress?.privateNetworks ?? [:], in: path),
            serviceAccounts: try serviceAccounts(file.serviceAccounts ?? [], in: path, resolve: resolve),
            pluginsPath: resolve(file.plugins ?? "plugins.json"))
        configuration.secretFiles = secretFiles
        configuration.settingsInFile = file.settings
        configuration.previousMasterKey = try file.previousMasterKey.map { entry throws(ConfigurationError) in
            try MasterKeySource(entry, in: path, at: "/previousMasterKey", resolve: resolve)
        }
        configuration.declarations = file.declarations ?? Declarations()
        configuration.events = try EventRules(file.events, in: path)
        configuration.allowsInsecureLoopbackDeliveries = file.egress?.allowInsecureLoopback ?? false
        configuration.grantProbes = try GrantProbeRules(file.grantProbes, in: path)
        if let metrics = file.metrics { try configuration.serveMetrics(at: metrics.listen, source: path) }
        configuration.rateLimits = try RateLimits(file.rateLimits, in: path)
        if let days = file.withdrawals?.days {
            configuration.withdrawalLifetime = try withdrawalLifetime(days, in: path)
        }
        if case .sqlite(let file) = configuration.database {
            let dataFolder = URL(filePath: file).deletingLastPathComponent().standardizedFileURL
            let isBeside = dataFolder.deletingLastPathComponent().path == folder.standardizedFileURL.path
            configuration.dataFolder = isBeside ? dataFolder.path : nil
        }
        try configuration.check(source: path)
        return configuration
    }

    private static func sessionsPerUser(
        _ entry: ConfigurationFile.Sessions?, in path: String
    ) throws(ConfigurationError) -> Int {
        let limit = entry?.perUser ?? Configuration.defaultSessionsPerUser
        guard (1...10_000).contains(limit) else {
            throw ConfigurationError(path, at: "/sessions/perUser", "must be between 1 and 10000.")
        }
        return limit
    }

    private static func withdrawalLifetime(_ days: Int, in path: String) throws(ConfigurationError) -> Duration {
        guard (1...90).contains(days) else {
            throw ConfigurationError(path, at: "/withdrawals/days", "must be between 1 and 90.")
        }
        return .seconds(days * 86_400)
    }

    private static func ranges(
        _ texts: [String], in path: String, at pointer: String
    ) throws(ConfigurationError) -> [AddressRange] {
        var result: [AddressRange] = []
        for (index, text) in texts.enumerated() {
            guard let range = AddressRange(text) else {
                throw ConfigurationError(
                    path, at: "\(pointer)/\(index)", "is no address range.", fix: "Write one such as 10.0.0.0/8.")
            }
            result.append(range)
        }
        return result
    }

    private static func networks(
        _ hosts: [String: [String]], in path: String
    ) throws(ConfigurationError) -> [String: [AddressRange]] {
        var result: [String: [AddressRange]] = [:]
        for (host, texts) in hosts {
            result[host] = try ranges(texts, in: path, at: "/egress/privateNetworks/\(host)")
        }
        return result
    }
}

extension MasterKeySource {
    /// - Throws: ``ConfigurationError`` when not exactly one source is named, or a command by no path.
    init(
        _ entry: ConfigurationFile.MasterKeyLocation, in path: String, at pointer: String, resolve: (String) -> String
    ) throws(ConfigurationError) {
        switch (entry.file, entry.env, entry.command) {
        case (let file?, nil, nil): self = .file(resolve(file))
        case (nil, let name?, nil): self = .environment(name)
        case (nil, nil, let command?):
            guard let program = command.first, program.hasPrefix("/") else {
                throw ConfigurationError(
                    path, at: "\(pointer)/command", "must begin with the absolute path of a program.",
                    fix: #"Write for example ["/usr/local/bin/fetch-key", "broker"]."#)
            }
            self = .command(command)
        default:
            throw ConfigurationError(
                path, at: pointer, "must have exactly one of file, env and command.",
                fix: #"Write {"file": "master.key"}, {"env": "BROKER_MASTER_KEY"} or {"command": ["/path/to/it"]}."#)
        }
    }
}

extension RecordRetention {
    /// - Throws: ``ConfigurationError`` for a number of days out of range.
    init(_ entry: ConfigurationFile.RetentionDays?, in path: String) throws(ConfigurationError) {
        self.init()
        if let days = entry?.auditDays { audit = try Self.duration(days, in: path, at: "/retention/auditDays") }
        if let days = entry?.decisionDays {
            decisions = try Self.duration(days, in: path, at: "/retention/decisionDays")
        }
    }

    private static func duration(
        _ days: Int, in path: String, at pointer: String
    ) throws(ConfigurationError) -> Duration? {
        guard days != 0 else { return nil }
        guard (30...36_500).contains(days) else {
            throw ConfigurationError(
                path, at: pointer, "must be between 30 and 36500 days.", fix: "Write 0 to keep the records for good.")
        }
        return .seconds(days * 86_400)
    }
}

extension OpenRowLimits {
    /// - Throws: ``ConfigurationError`` for a number out of range.
    init(_ entry: ConfigurationFile.Limits?, in path: String) throws(ConfigurationError) {
        self.init()
        perAddress = entry?.openSignInsPerAddress ?? perAddress
        total = entry?.openSignIns ?? total
        guard (10...1_000_000).contains(perAddress) else {
            throw ConfigurationError(path, at: "/limits/openSignInsPerAddress", "must be between 10 and 1000000.")
        }
        guard (1000...10_000_000).contains(total) else {
            throw ConfigurationError(path, at: "/limits/openSignIns", "must be between 1000 and 10000000.")
        }
    }
}
