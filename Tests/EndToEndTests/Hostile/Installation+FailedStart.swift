import ProviderKit
import Testing

extension Installation {
    /// What `broker serve` says when it cannot use its store: one sentence, and an exit code that says it is no use trying
    /// again unchanged.
    func failedStart(through: [String] = []) async throws -> CommandResult {
        let result = try await BrokerProcess.run(
            ["serve", "--json", "--listen", "127.0.0.1:0"], through: through, in: folder
        ) { process in
            let line = await process.output.firstLine()
            // A broker that has started all the same would never end by itself.
            if line?.contains(#""broker""#) == true { process.kill() }
            return CommandResult(
                exitCode: try await process.exitCode(), output: process.output.text, errors: process.log.text)
        }
        #expect(result.exitCode == 1, "\(result)")
        #expect(try JSONValue(parsing: result.output)["error"]?["code"] == "STORE", "\(result)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
        #expect(!result.everything.contains(masterKey))
        return result
    }
}
