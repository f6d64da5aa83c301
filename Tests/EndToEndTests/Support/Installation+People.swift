import ProviderKit
import ProviderSimulators
import Testing

extension Installation {
    /// The tokens of an app after a user of a simulator has signed in to a running broker.
    func session(of login: String, at client: IdentityToolkitApp) async throws -> IdentityToolkitApp.Session {
        try IdentityToolkitApp.Session(try await client.signIn(accessToken: try accessToken(login)))
    }

    /// Runs a command with `--json` and reads what it prints.
    func document(
        _ arguments: String..., input: String = "", exitCode: Int32 = 0
    ) async throws -> JSONValue {
        let result = try await CommandResult.broker(arguments + ["--json"], input: input, in: folder)
        #expect(result.exitCode == exitCode, "\(result)")
        return try JSONValue(parsing: result.output)
    }
}
