import ProviderSimulators
import Testing

extension Installation {
    /// What `broker serve` says to these files, once it has refused them as sysexits.h wants it: with 78.
    func refusal(environment: [String: String] = [:]) async throws -> CommandResult {
        let secrets = [masterKey, github.defaultApplication.clientSecret]
        let result = try await BrokerProcess.run(
            ["serve", "--json", "--listen", "127.0.0.1:0"], environment: environment, in: folder
        ) { process in
            let line = await process.output.firstLine()
            // A broker that has started all the same would never end by itself.
            if line?.contains(#""broker""#) == true { process.kill() }
            return CommandResult(
                exitCode: try await process.exitCode(), output: process.output.text, errors: process.log.text)
        }
        #expect(result.exitCode == 78, "\(result)")
        #expect(result.errorCode == "CONFIGURATION", "\(result)")
        for secret in secrets { #expect(!result.everything.contains(secret)) }
        return result
    }
}
