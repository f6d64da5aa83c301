import BrowserTesting
import Crypto
import Foundation
import PostgreSQLTesting
import ProviderKit
import Testing

/// A broker whose pages users open in a browser: it listens where its `publicURL` says it does, and knows all four
/// providers.
struct HostedBroker: Sendable {
    /// Its `publicURL`.
    let url: String
    let folder: TestFolder
    let providers: SimulatedProviders
    let client: IdentityToolkitApp
    private let port: Int

    /// Sets a broker up and lends it to `body`, which starts it with ``serve(_:)``; removes it at the end. A secure one
    /// speaks TLS with a certificate of an unknown authority.
    static func prepare<Value>(
        isSecure: Bool = false, _ body: (HostedBroker) async throws -> Value
    ) async throws -> Value {
        try await FreePort.run { port in
            let url = "\(isSecure ? "https" : "http")://localhost:\(port)"
            return try await SimulatedProviders.run(forBrokerAt: url) { providers in
                try await StoreTemplate.shared.withCopy { folder, database in
                    let broker = HostedBroker(
                        url: url, folder: folder, providers: providers,
                        client: IdentityToolkitApp(url: url, apiKey: randomText()), port: port)
                    var configuration = broker.configuration(database)
                    if isSecure {
                        let certificate = try SelfSignedCertificate(names: ["localhost"])
                        try folder.write(certificate.pem, to: "cert.pem")
                        try folder.write(certificate.key.pemRepresentation, to: "key.pem")
                        configuration["tls"] = ["cert": "cert.pem", "key": "key.pem"]
                    }
                    try folder.write(configuration.serialized(), to: "broker.json")
                    try folder.write(providers.plugins.serialized(), to: "plugins.json")
                    return try await body(broker)
                }
            }
        }
    }

    /// The same with the broker running.
    static func run<Value>(
        isSecure: Bool = false, _ body: (HostedBroker) async throws -> Value
    ) async throws -> Value {
        try await prepare(isSecure: isSecure) { broker in try await broker.serve { _ in try await body(broker) } }
    }

    /// Runs `broker serve` while `body` works with it.
    func serve<Value>(_ body: (BrokerProcess) async throws -> Value) async throws -> Value {
        try await BrokerProcess.run(
            ["serve", "--json", "--listen", "127.0.0.1:\(port)"], in: folder
        ) { process in
            let line = await process.output.firstLine()
            let said = try line.map { try JSONValue(parsing: $0) }
            if said?["error"]?["code"]?.string == "LISTEN" { throw FreePort.Taken() }
            try #require(said?["broker"]?.string != nil, "\(process.everything)")
            return try await body(process)
        }
    }

    /// Runs a command with `--json` and reads what it prints.
    func document(_ arguments: String..., exitCode: Int32 = 0) async throws -> JSONValue {
        let result = try await CommandResult.broker(arguments + ["--json"], in: folder)
        try #require(result.exitCode == exitCode, "\(result)")
        return try JSONValue(parsing: result.output)
    }

    private func configuration(_ database: JSONValue) -> JSONObject {
        [
            "publicURL": .string(url),
            "project": ["id": "my-app", "number": "123456789012", "authorizedDomains": ["localhost", "127.0.0.1"]],
            "apiKeys": [["key": .string(client.apiKey), "origins": ["http://localhost:3000"]]],
            "database": database, "masterKey": ["file": "master.key"], "rateLimits": Installation.noRateLimits,
            "providers": ["timeoutSeconds": 20],
        ]
    }
}
