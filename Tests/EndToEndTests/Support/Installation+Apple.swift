import PostgreSQLTesting
import ProviderKit
import ProviderSimulators
import Testing

extension Installation {
    /// Sets a broker up whose only provider is a simulated Apple.
    ///
    /// - Parameters:
    ///   - keyFile: The file the entry reads its key from, which does not exist yet; the key itself stands in the entry
    ///     when absent.
    ///   - body: What works with both.
    /// - Throws: What `body` throws.
    static func runWithApple(
        keyFile: String? = nil, _ body: (Installation, AppleSimulator) async throws -> Void
    ) async throws {
        let apple = try await AppleSimulator.start()
        let result: Result<Void, any Error>
        do {
            try await run(engine: .sqlite) { broker in
                try broker.offer(apple, keyFile.map { ["privateKey": ["file": .string($0)]] } ?? [:])
                try await body(broker, apple)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await apple.stop()
        try result.get()
    }

    /// Makes Apple the only provider, with `changes` to the options.
    func offer(_ apple: AppleSimulator, _ changes: JSONObject = [:]) throws {
        var options: JSONObject = [
            "url": .string(apple.url), "teamId": .string(apple.teamID), "keyId": .string(apple.key.keyID),
            "privateKey": .string(apple.key.pem), "servicesId": .string(apple.defaultApplication.clientID),
            "clientIds": [.string(apple.nativeApplication.clientID)],
        ]
        for (name, value) in changes { options[name] = value }
        let entry: JSONValue = [
            "id": "apple.com", "use": "apple", "allowInsecureLoopback": true,
            "options": .object(options),
        ]
        try folder.write(JSONValue.object(["providers": [entry]]).serialized(), to: "plugins.json")
    }
}
