import Foundation
import JOSE
import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

/// A broker as an operator has set it up: its files in a folder of their own, and the GitHub it trusts.
struct Installation: Sendable {
    let folder: TestFolder
    let github: GitHubSimulator
    /// What stands under `database` in the configuration.
    let database: JSONValue
    let masterKey: String
    let apiKey = randomText()

    /// Sets a broker up, lends it to `body`, and removes it. A new one has no store: its first start makes one with its
    /// signing keys. Any other has the store of a broker that ran before.
    static func run<Value>(
        anonymousSignIn: Bool = false, policy: String = "strict", deviceInterval: Int = 5,
        isNew: Bool = false, engine: TestEngine = .current, _ body: (Installation) async throws -> Value
    ) async throws -> Value {
        guard isNew else {
            return try await StoreTemplate.shared.withCopy(on: engine) { folder, database in
                let masterKey = try folder.text(of: "master.key").trimmingCharacters(in: .newlines)
                return try await run(
                    anonymousSignIn, policy, deviceInterval, in: folder, database, masterKey: masterKey, body)
            }
        }
        guard engine == .postgreSQL else {
            return try await run(
                anonymousSignIn, policy, deviceInterval, in: try TestFolder(), ["path": "data/broker.sqlite"], body)
        }
        let url = try await PostgreSQLServer.shared.newEmptyDatabase()
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await run(
                    anonymousSignIn, policy, deviceInterval, in: try TestFolder(), ["url": .string(url)], body))
        } catch {
            result = .failure(error)
        }
        try await PostgreSQLServer.shared.drop(url)
        return try result.get()
    }

    /// Sets a broker up on an empty database of the caller's own.
    static func run<Value>(
        anonymousSignIn: Bool = false, on database: String, _ body: (Installation) async throws -> Value
    ) async throws -> Value {
        try await run(anonymousSignIn, "strict", 5, in: try TestFolder(), ["url": .string(database)], body)
    }

    private static func run<Value>(
        _ anonymousSignIn: Bool, _ policy: String, _ deviceInterval: Int, in folder: TestFolder,
        _ database: JSONValue, masterKey: String = newMasterKey(), _ body: (Installation) async throws -> Value
    ) async throws -> Value {
        // Hundreds of kills take more requests than GitHub answers in an hour.
        let github = try await GitHubSimulator.start(
            .init(application: .init(deviceFlowEnabled: true), rateLimit: .max, deviceInterval: deviceInterval))
        do {
            let installation = Installation(
                folder: folder, github: github, database: database, masterKey: masterKey)
            try installation.writeFiles(anonymousSignIn: anonymousSignIn, policy: policy)
            let value = try await body(installation)
            await github.stop()
            return value
        } catch {
            await github.stop()
            throw error
        }
    }

    /// Runs `broker serve` on a free port while `body` works with it.
    func serve<Value>(
        logLevel: String = "info", through: [String] = [],
        _ body: (BrokerProcess, IdentityToolkitApp) async throws -> Value
    ) async throws -> Value {
        try await BrokerProcess.run(
            ["serve", "--json", "--listen", "127.0.0.1:0", "--log-level", logLevel], through: through,
            in: folder
        ) { process in
            let line = try #require(await process.output.firstLine(), "\(process.log.text)")
            let url = try #require(try JSONValue(parsing: line)["broker"]?.string, "\(process.log.text)")
            return try await body(process, IdentityToolkitApp(url: url, apiKey: apiKey))
        }
    }

    /// Runs another command of `broker` to its end.
    func command(
        _ arguments: String..., input: String = "", environment: [String: String] = [:]
    ) async throws -> CommandResult {
        try await .broker(arguments, input: input, environment: environment, in: folder)
    }

    /// Changes what stands in `broker.json`.
    func changeConfiguration(_ change: (inout JSONObject) -> Void) throws {
        var settings = try #require(try JSONValue(parsing: folder.text(of: "broker.json")).object)
        change(&settings)
        try folder.write(JSONValue.object(settings).serialized(), to: "broker.json")
    }

    /// The simulator's person with this name.
    func person(_ login: String) throws -> GitHubSimulator.Person {
        try #require(github.person(login: login))
    }

    /// An access token of a user for this broker's own client.
    func accessToken(_ login: String) throws -> String {
        github.accessToken(for: try person(login), application: github.defaultApplication)
    }

    /// All clients of a test have one address.
    static let noRateLimits: JSONValue = [
        "unprovenRequestsPerAddress": 0, "failuresPerAddress": 0, "requestsPerAPIKey": 0, "requestsPerUser": 0,
        "requestsPerCredential": 0, "refreshesPerSession": 0, "failuresPerUserCode": 0,
        "identifierQueriesPerAddress": 0,
    ]

    /// Runs the broker with these limits, and those of a configuration that says nothing of them.
    func limitRates(_ limits: JSONValue? = nil) throws { try changeConfiguration { $0["rateLimits"] = limits } }

    /// 32 random bytes as the master key's file has them.
    static func newMasterKey() -> String {
        Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }

    private func writeFiles(anonymousSignIn: Bool, policy: String) throws {
        let configuration: JSONValue = [
            "publicURL": "http://127.0.0.1:9099",
            "project": ["id": "my-app", "number": "123456789012", "authorizedDomains": ["localhost"]],
            "apiKeys": [
                ["key": .string(apiKey), "origins": ["http://localhost:3000"], "providerTokens": "client"]
            ],
            "policy": .string(policy), "signIn": ["anonymous": .bool(anonymousSignIn)],
            "database": database, "masterKey": ["file": "master.key"], "rateLimits": Self.noRateLimits,
            "providers": ["timeoutSeconds": 20],
        ]
        let plugins: JSONValue = [
            "providers": [
                [
                    "id": "github.com", "use": "github", "trustEmail": true, "allowInsecureLoopback": true,
                    "options": [
                        "url": .string(github.url), "apiUrl": .string(github.apiURL),
                        "clientId": .string(github.defaultApplication.clientID),
                        "clientSecret": .string(github.defaultApplication.clientSecret),
                    ],
                ]
            ]
        ]
        try folder.write(configuration.serialized(), to: "broker.json")
        try folder.write(plugins.serialized(), to: "plugins.json")
        try folder.write(masterKey + "\n", to: "master.key")
    }
}
