import ProviderKit
import ProviderSimulators

/// All four providers, each with a registration for one broker.
///
/// They are on `127.0.0.1`, and brokers whose pages users open are on `localhost`: to a browser those are different
/// sites, as a broker and the real providers are.
struct SimulatedProviders: Sendable {
    let gitHub: GitHubSimulator
    let gitLab: GitLabSimulator
    let apple: AppleSimulator
    let onePass: OnePassSimulator

    /// Starts them for the broker at `url`, lends them to `body` and stops them.
    static func run<Value>(
        forBrokerAt url: String, _ body: (SimulatedProviders) async throws -> Value
    ) async throws -> Value {
        func callback(_ id: String) -> String { "\(url)/oauth/callback/\(id)" }
        let providers = SimulatedProviders(
            gitHub: try await .start(
                .init(application: .init(callbackURL: callback("github.com"), deviceFlowEnabled: true))),
            gitLab: try await .start(.init(application: .init(redirectURIs: [callback("gitlab.com")]))),
            apple: try await .start(.init(application: .init(returnURLs: [callback("apple.com")]))),
            onePass: try await .start(.init(application: .init(redirectURIs: [callback("1pass.dev")]))))
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(providers))
        } catch {
            result = .failure(error)
        }
        await providers.stop()
        return try result.get()
    }

    private func stop() async {
        await gitHub.stop()
        await gitLab.stop()
        await apple.stop()
        await onePass.stop()
    }

    /// What stands in `plugins.json`.
    var plugins: JSONValue {
        [
            "providers": [
                Self.entry(
                    "github.com", "github",
                    [
                        "url": .string(gitHub.url), "apiUrl": .string(gitHub.apiURL),
                        "clientId": .string(gitHub.defaultApplication.clientID),
                        "clientSecret": .string(gitHub.defaultApplication.clientSecret),
                    ]),
                Self.entry(
                    "gitlab.com", "gitlab",
                    [
                        "url": .string(gitLab.url), "clientId": .string(gitLab.defaultApplication.clientID),
                        "clientSecret": .string(gitLab.defaultApplication.clientSecret),
                    ]),
                Self.entry(
                    "apple.com", "apple",
                    [
                        "url": .string(apple.url), "teamId": .string(apple.teamID), "keyId": .string(apple.key.keyID),
                        "privateKey": .string(apple.key.pem),
                        "servicesId": .string(apple.defaultApplication.clientID),
                    ]),
                Self.entry(
                    "1pass.dev", "1pass",
                    [
                        "url": .string(onePass.url), "clientId": .string(onePass.defaultApplication.clientID),
                        "clientSecret": .string(onePass.defaultApplication.clientSecret ?? ""),
                    ]),
            ]
        ]
    }

    private static func entry(_ id: String, _ kind: String, _ options: JSONObject) -> JSONValue {
        [
            "id": .string(id), "use": .string(kind), "trustEmail": true, "allowInsecureLoopback": true,
            "options": .object(options),
        ]
    }
}
