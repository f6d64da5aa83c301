import BrokerStore
import Foundation
package import ProviderKit

/// `broker.json`, by its keys: ``Configuration`` as far as it is read, and what several keys say together.
package struct BrokerFile: Sendable {
    fileprivate(set) var configuration: Configuration
    fileprivate var certificate: String?
    fileprivate var certificateKey: String?
    fileprivate var database = Database()

    fileprivate struct Database: Sendable {
        var path = ""
        var url: Secret?
        var connections = PostgreSQLOptions().connections
        /// Whether `BROKER_DATABASE` says it all.
        var isVariable = false
    }

    /// As it stands in the file.
    let document: JSONValue

    /// All keys of `broker.json`. A variable, the schema and Docs/Configuration.md have what stands here.
    package static let keys = DeclaredObject<BrokerFile>(joining: [
        DeclaredObject(address), Branding.keys.below("branding", of: \.configuration.branding),
        Policy.keys.below("policy", of: \.configuration.policy), DeclaredObject(records),
        EventRules.keys.below("events", of: \.configuration.events),
        GrantProbeRules.keys.below("grantProbes", of: \.configuration.grantProbes), DeclaredObject(openSignIns),
        RateLimits.keys.below("rateLimits", of: \.configuration.rateLimits), DeclaredObject(store),
        ConsoleSettings.keys.below("console", of: \.configuration.console),
        Declarations.keys.below("declarations", of: \.configuration.declarations),
        DeclaredObject(file) { (file, present, place) throws(ConfigurationError) in
            try file.complete(present, at: place)
        },
    ])

    private static let address: [DeclaredKey<BrokerFile>] = [
        .text("$schema", "the path of the schema, for editors; the broker ignores it") { _, _, _ in },
        .text("publicURL", "the broker's URL for clients, an origin; the issuer of tokens") {
            (file, text, place) throws(ConfigurationError) in
            file.configuration.publicURL = try Configuration.checkedPublicURL(
                text, in: place.source, at: place.pointer)
        }.required().environment("BROKER_PUBLIC_URL").example("https://id.example"),
        .text("listen", initially: "127.0.0.1:9099", "`host:port`; `--listen` goes before it") {
            (file, text, place) throws(ConfigurationError) in
            file.configuration.listen = try .init(parsing: text, source: place.source, at: place.pointer)
        }.environment("BROKER_LISTEN"),
        .text("tls.cert", "a PEM file, the certificate followed by its issuers'; `--tls-cert` goes before it") {
            file, path, place in file.certificate = place.resolve(path)
        }.required(.requiredInSection).example("tls/cert.pem"),
        .text("tls.key", "its key in PEM, readable by its owner only; `--tls-key` goes before it") {
            file, path, place in file.certificateKey = place.resolve(path)
        }.required(.requiredInSection).example("tls/key.pem"),
        .text("project.id", "the audience of tokens: 1 to 63 of a-z, 0-9 and -") { file, id, _ in
            file.configuration.project.id = id
        }.required().example("my-app"),
        .text("project.number", "the project number of Identity Toolkit: digits, as text") { file, number, _ in
            file.configuration.project.number = number
        }.required().example("123456789012"),
        .texts(ProjectSettings.Name.authorizedDomains.rawValue, "the domains whose pages may begin sign-ins") {
            file, domains, _ in file.configuration.project.authorizedDomains = domains
        }.initially(inWords: "`[\"localhost\"]` where `publicURL` is of this machine, otherwise none") {
            .array($0.configuration.project.authorizedDomains.map(JSONValue.string))
        }.example(["app.example"]),
        .list(
            "apiKeys", of: Configuration.APIKey.keys, initially: .init(key: "", origins: []),
            "public identifiers of apps; no secrets"
        ) { $0.configuration.apiKeys = $1 }.required().example([
            ["key": "my-app-web", "origins": ["https://app.example"]]
        ]),
    ]

    private static let records: [DeclaredKey<BrokerFile>] = [
        .flag(
            ProjectSettings.Name.anonymousSignIn.rawValue, initially: false,
            "whether `accounts:signUp` creates anonymous users"
        ) { $0.configuration.allowsAnonymousSignIn = $1 },
        .integer(
            "sessions.perUser", 1...10_000, initially: Configuration.defaultSessionsPerUser,
            "the maximum number of valid sessions of a user; one more revokes the least recently used"
        ) { file, number in file.configuration.sessionsPerUser = number ?? file.configuration.sessionsPerUser },
        .days(
            "retention.auditDays", 30...36_500, orZero: "to keep the records for good",
            initially: RecordRetention().audit, "the days for which audit entries are kept"
        ) { $0.configuration.retention.audit = $1 },
        .days(
            "retention.decisionDays", 30...36_500, orZero: "to keep the records for good",
            initially: RecordRetention().decisions,
            "the days for which decisions are kept, which `broker explain` shows"
        ) { $0.configuration.retention.decisions = $1 },
        .integer(
            "providers.timeoutSeconds", 1...20, initially: Int(Configuration.defaultProviderTimeout.components.seconds),
            "the seconds that a provider has for each answer"
        ) { file, seconds in
            file.configuration.providerTimeout = seconds.map { .seconds($0) } ?? file.configuration.providerTimeout
        },
        .days(
            "withdrawals.days", 1...90, initially: Configuration.defaultWithdrawalLifetime,
            "the days after which the revocation of a grant is abandoned, if it still fails"
        ) { file, days in file.configuration.withdrawalLifetime = days ?? file.configuration.withdrawalLifetime },
    ]

    private static let openSignIns: [DeclaredKey<BrokerFile>] = [
        .integer(
            "limits.openSignInsPerAddress", 10...1_000_000, initially: OpenRowLimits().perAddress,
            "the maximum number of unfinished sign-ins of one address (IPv6: one /64); one more replaces the oldest"
        ) { file, number in file.configuration.limits.perAddress = number ?? file.configuration.limits.perAddress },
        .integer(
            "limits.openSignIns", 1000...10_000_000, initially: OpenRowLimits().total,
            "the same of all addresses together"
        ) { file, number in file.configuration.limits.total = number ?? file.configuration.limits.total },
    ]

    private static let store: [DeclaredKey<BrokerFile>] = [
        .text(
            "metrics.listen",
            "the address of [`/metrics`](Operations.md#metrics), `host:port`; `--metrics-listen` goes before it"
        ) { (file, text, place) throws(ConfigurationError) in
            try file.configuration.serveMetrics(at: text, source: place.source)
        }.required(.requiredInSection).initially(inWords: "off").example("127.0.0.1:9090"),
        .text(
            "database.path", initially: "data/broker.sqlite",
            "the SQLite file, in an existing folder; `data` beside `broker.json` is created. The variable and "
                + "`serve --database` take a path or a `postgresql://` URL"
        ) { (file, text, place) throws(ConfigurationError) in try file.database.take(text, at: place) }
        .environment(DatabaseLocation.variable),
        .declared(
            "database.url", Secret.self,
            "a PostgreSQL database instead: `postgresql://…` with one host or several, as text, `{\"env\": …}` or "
                + "`{\"file\": …}`"
        ) { file, url, _ in
            // The variable names the whole database, and is read before.
            if !file.database.isVariable { file.database.url = url }
        }.example(["env": "DATABASE_URL"]),
        .integer("database.connections", 1...1000, "the maximum number of this process's connections to it") {
            file, number in file.database.connections = number ?? file.database.connections
        }.initially(inWords: "twice the processors") { .integer($0.database.connections) },
        masterKey(
            "masterKey",
            "the 32 bytes under which keys and tokens are sealed: `{\"file\": …}`, readable by its owner only, "
                + "`{\"env\": …}`, or `{\"command\": [\"/path\", …]}`, a program that prints it"
        ) { $0.configuration.masterKey = $1 }.required(),
        masterKey(
            "previousMasterKey",
            "the master key before, during a [rotation](Operations.md#rotation)"
        ) { $0.configuration.previousMasterKey = $1 },
        .texts("trustedProxies", "address ranges of proxies whose `X-Forwarded-For` is trusted") {
            (file, texts, place) throws(ConfigurationError) in
            file.configuration.trustedProxies = try ranges(texts, at: place)
        }.example(["10.0.0.0/8"]),
        .value(
            "egress.privateNetworks", [String: [String]].self,
            schema: [
                "type": "object",
                "additionalProperties": ["type": "array", "items": ["type": "string"]],
            ],
            "hosts of providers with the private ranges that they may resolve to; an entry's own "
                + "`privateNetworks` adds ports"
        ) { (file, hosts, place) throws(ConfigurationError) in
            for (host, texts) in hosts {
                file.configuration.privateNetworks[host] = try ranges(texts, at: place.below([host]))
            }
        }.example(["gitlab.internal": ["10.20.0.0/16"]]),
        .flag(
            "egress.allowInsecureLoopback", initially: false,
            "whether webhooks and logout tokens may go to this machine, over http too"
        ) { $0.configuration.allowsInsecureLoopbackDeliveries = $1 },
        .list(
            "serviceAccounts", of: ServiceAccount.keys, initially: ServiceAccount(email: "", keys: []),
            "the signers of custom tokens"
        ) { $0.configuration.serviceAccounts = $1 },
    ]

    private static let file: [DeclaredKey<BrokerFile>] = [
        .text(
            "pages.texts", "the folder of the [pages' texts](HostedPages.md#texts-of-ones-own) that you change or add"
        ) {
            file, path, place in file.configuration.pageTexts = place.resolve(path)
        }.example("texts"),
        .text("plugins", initially: "plugins.json", "the file of the [providers](Providers.md)") {
            file, path, place in file.configuration.pluginsPath = place.resolve(path)
        },
    ]

    private mutating func complete(_ present: Set<String>, at place: ValuePlace) throws(ConfigurationError) {
        configuration.settingsInFile = Set(ProjectSettings.Name.allCases.filter { present.contains($0.rawValue) })
        if !configuration.settingsInFile.contains(.authorizedDomains) {
            let isLocal = Configuration.isLoopback(url: configuration.publicURL)
            configuration.project.authorizedDomains = isLocal ? ["localhost"] : []
        }
        if let certificate, let certificateKey {
            configuration.tls = TLSFiles(certificate: certificate, key: certificateKey)
        }
        configuration.database = try database.location(namesPath: present.contains("database.path"), at: place)
        var emails: [String] = []
        for (index, account) in configuration.serviceAccounts.enumerated() {
            guard !emails.contains(where: { $0.hasSameBytes(as: account.email) }) else {
                throw place.below(["serviceAccounts", String(index), "email"]).error(
                    "is named by an earlier entry.", fix: "Give one entry all its keys.")
            }
            emails.append(account.email)
        }
    }

    private static func reference(_ name: String, _ schema: JSONValue) -> JSONObject {
        [
            "type": "object", "additionalProperties": false, "required": [.string(name)],
            "properties": .object(JSONObject([(name, schema)])),
        ]
    }

    private static func masterKey(
        _ name: String, _ text: String, set: @escaping @Sendable (inout BrokerFile, MasterKeySource) -> Void
    ) -> DeclaredKey<BrokerFile> {
        let schema: JSONObject = [
            "anyOf": [
                .object(reference("file", ["type": "string"])), .object(reference("env", ["type": "string"])),
                .object(reference("command", ["type": "array", "minItems": 1, "items": ["type": "string"]])),
            ]
        ]
        return .value(name, MasterKeyEntry.self, schema: schema, text) {
            (file, entry, place) throws(ConfigurationError) in set(&file, try entry.source(at: place))
        }.example(["file": "master.key"])
    }

    private static func ranges(_ texts: [String], at place: ValuePlace) throws(ConfigurationError) -> [AddressRange] {
        var result: [AddressRange] = []
        for (index, text) in texts.enumerated() {
            guard let range = AddressRange(text) else {
                throw place.below([String(index)]).error(
                    "is no address range.", fix: "Write one such as 10.0.0.0/8.")
            }
            result.append(range)
        }
        return result
    }
}

/// A master key as the file names it.
private struct MasterKeyEntry: Decodable {
    let file: String?
    let env: String?
    let command: [String]?

    func source(at place: ValuePlace) throws(ConfigurationError) -> MasterKeySource {
        switch (file, env, command) {
        case (let file?, nil, nil): return .file(place.resolve(file))
        case (nil, let name?, nil): return .environment(name)
        case (nil, nil, let command?):
            guard let program = command.first, program.hasPrefix("/") else {
                throw place.below(["command"]).error(
                    "must begin with the absolute path of a program.",
                    fix: #"Write for example ["/usr/local/bin/fetch-key", "broker"]."#)
            }
            return .command(command)
        default:
            throw place.error(
                "must have exactly one of file, env and command.",
                fix: #"Write {"file": "master.key"}, {"env": "BROKER_MASTER_KEY"} or {"command": ["/path/to/it"]}."#)
        }
    }
}

extension BrokerFile.Database {
    /// Takes what stands in the file as a path, in the variable as a path or a URL.
    fileprivate mutating func take(_ text: String, at place: ValuePlace) throws(ConfigurationError) {
        isVariable = place.isVariable
        guard DatabaseLocation.isURL(text) else {
            path = place.resolve(text)
            return
        }
        guard place.isVariable else {
            throw place.error("is a URL, not a file.", fix: #"Write {"url": …} in its place."#)
        }
        url = Secret(text)
    }

    fileprivate func location(namesPath: Bool, at place: ValuePlace) throws(ConfigurationError) -> DatabaseLocation {
        guard let url else { return .sqlite(path: path) }
        guard !namesPath || isVariable else {
            throw place.below(["database"]).error(
                "must have one of path and url, not both.",
                fix: #"Write {"path": "data/broker.sqlite"} or {"url": {"env": "DATABASE_URL"}}."#)
        }
        return .postgreSQL(url: url, connections: connections)
    }
}

extension BrokerFile {
    /// Reads the file; paths in it are relative to its folder.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - environment: The variables; those that keys declare go before what the file says.
    /// - Throws: ``ConfigurationError`` naming the place, the nearest valid name and a fix.
    init(path: String, environment: [String: String]) throws(ConfigurationError) {
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileExposure.requirePrivateWriting(path, named: "the configuration")
        let secretFiles = SecretFiles(configuration: path, environment: environment)
        document = try StrictFile.value(path: path, hint: "Run broker init to write one.")
        configuration = Configuration(
            publicURL: "", listen: .init(host: "", port: 0),
            project: .init(id: "", number: "", authorizedDomains: []), apiKeys: [], database: .sqlite(path: ""),
            masterKey: .file(""), pluginsPath: "")
        let place = ValuePlace(
            source: path, pointer: "",
            resolve: { URL(filePath: $0, relativeTo: folder).standardizedFileURL.path }, secrets: secretFiles.source)
        try Self.keys.readFile(document, into: &self, at: place, environment: environment)
        configuration.secretFiles = secretFiles
        if case .sqlite(let file) = configuration.database {
            let dataFolder = URL(filePath: file).deletingLastPathComponent().standardizedFileURL
            let isBeside = dataFolder.deletingLastPathComponent().path == folder.standardizedFileURL.path
            configuration.dataFolder = isBeside ? dataFolder.path : nil
        }
        try requireKnownVariables(in: environment)
    }

    private func requireKnownVariables(in environment: [String: String]) throws(ConfigurationError) {
        // A program that prints a master key may read variables of its own.
        guard !configuration.masterKey.isCommand, configuration.previousMasterKey?.isCommand != true else { return }
        // A file that cannot be read is refused where it is needed.
        let plugins = try? StrictFile.value(path: configuration.pluginsPath, hint: "")
        try ProgramVariable.requireKnown(
            in: environment, references: document.environmentReferences.union(plugins?.environmentReferences ?? []))
    }
}

extension Configuration {
    /// Reads `broker.json`; paths in it are relative to its folder.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - tls: What the command line says about TLS; goes before the file.
    ///   - environment: The variables; those that keys declare go before what the file says.
    /// - Returns: The configuration, checked.
    /// - Throws: ``ConfigurationError`` naming the place, the nearest valid name and a fix.
    package static func load(
        path: String, tls: TLSFiles? = nil, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        var configuration = try BrokerFile(path: path, environment: environment).configuration
        configuration.tls = tls ?? configuration.tls
        try configuration.check(source: path)
        return configuration
    }
}

extension Configuration.APIKey {
    /// The items of `apiKeys`.
    static let keys = DeclaredObject<Configuration.APIKey>([
        .text("key", "the key, at least 8 printable characters without a colon") { item, key, _ in item.key = key }
            .required(),
        .texts("origins", "the web origins whose pages may use it; `*` stands for any") { item, origins, _ in
            item.origins = origins
        },
        .choice("providerTokens", Policy.ProviderTokenAudience.self, "`policy.providerTokens` for this app") {
            $0.providerTokens = $1
        },
    ])
}
