import PostgreSQLTesting
import ProviderKit
import Testing

extension Installation {
    /// The configuration of the same broker with another, empty database.
    static let secondConfiguration = "broker-second.json"

    /// Sets a broker on a SQLite file up, with an empty database of an engine beside it, and lends it to `body`.
    static func runBesideSecond(
        _ engine: TestEngine, _ body: (Installation) async throws -> Void
    ) async throws {
        try await run(anonymousSignIn: true, engine: .sqlite) { installation in
            guard engine == .postgreSQL else {
                try installation.writeSecondConfiguration(["path": "second/broker.sqlite"])
                return try await body(installation)
            }
            let url = try await PostgreSQLServer.shared.newEmptyDatabase()
            try installation.writeSecondConfiguration(["url": .string(url)])
            let result: Result<Void, any Error>
            do { result = .success(try await body(installation)) } catch { result = .failure(error) }
            try await PostgreSQLServer.shared.drop(url)
            try result.get()
        }
    }

    private func writeSecondConfiguration(_ database: JSONValue) throws {
        var configuration = try #require(try JSONValue(parsing: try folder.text(of: "broker.json")).object)
        configuration["database"] = database
        try folder.write(JSONValue.object(configuration).serialized(), to: Self.secondConfiguration)
    }

    /// Runs `broker serve` on the second database while `body` works with it.
    func serveSecond<Value>(_ body: (BrokerProcess, IdentityToolkitApp) async throws -> Value) async throws -> Value {
        try await BrokerProcess.run(
            ["serve", "--json", "--listen", "127.0.0.1:0", "--config", Self.secondConfiguration], in: folder
        ) { process in
            let line = try #require(await process.output.firstLine(), "\(process.log.text)")
            let url = try #require(try JSONValue(parsing: line)["broker"]?.string, "\(process.log.text)")
            return try await body(process, IdentityToolkitApp(url: url, apiKey: apiKey))
        }
    }

    /// What `broker serve` says when it refuses to start, with 1.
    func refusalToServe(_ configuration: String = "broker.json") async throws -> CommandResult {
        let result = try await BrokerProcess.run(
            ["serve", "--json", "--listen", "127.0.0.1:0", "--config", configuration], in: folder
        ) { process in
            let line = await process.output.firstLine()
            if line?.contains(#""broker""#) == true { process.kill() }
            return CommandResult(
                exitCode: try await process.exitCode(), output: process.output.text, errors: process.log.text)
        }
        #expect(result.exitCode == 1 && result.errorCode == "STORE", "\(result)")
        return result
    }
}
