import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker withdrawals", .timeLimit(.minutes(20)))
struct WithdrawalsCommandTests {
    @Test func `a deletion at the command line is revoked by the running broker`() async throws {
        try await Installation.run { broker in
            let (receipt, token) = try await Self.deleteUser(broker)
            let listed = try await broker.command("withdrawals", "list", "--json")
            let text = try await broker.command("withdrawals", "list", "--provider", "github.com")
            let none = try await broker.command("withdrawals", "list", "--state", "parked")

            let rows = try JSONValue(parsing: listed.output)["withdrawals"]?.array
            #expect(rows?.map { $0["receipt"] } == [.string(receipt)])
            #expect(text.output.contains(receipt) && text.output.contains("queued"))
            #expect(none.output.contains("No withdrawals."))
            #expect(try await Self.show(receipt, broker)["state"] == "queued")
            #expect(broker.github.hits(.deleteGrant) == 0 && broker.github.isLive(token: token))

            try await broker.serve { _, _ in try await Self.wait(for: "done", of: receipt, broker) }

            #expect(broker.github.hits(.deleteGrant) == 1 && !broker.github.isLive(token: token))
            let open = try await broker.command("withdrawals", "list")
            let all = try await broker.command("withdrawals", "list", "--all")
            #expect(!open.output.contains(receipt) && all.output.contains(receipt))
            for result in [listed, text, all] { #expect(!result.output.contains(token)) }
        }
    }

    @Test func `a parked withdrawal is retried or dropped by an administrator`() async throws {
        try await Installation.run { broker in
            broker.github.fail(.deleteGrant, with: .status(401))
            let (first, _) = try await Self.deleteUser(broker)
            let (second, token) = try await Self.deleteUser(broker, "ben")
            try await broker.serve { _, _ in
                for receipt in [first, second] { try await Self.wait(for: "parked", of: receipt, broker) }
                broker.github.clearFaults()

                let dropped = try await broker.command("withdrawals", "drop", second, "--yes", "--json")
                let retried = try await broker.command("withdrawals", "retry", "--parked", "--json")
                try await Self.wait(for: "done", of: first, broker)

                #expect(dropped.exitCode == 0 && retried.exitCode == 0, "\(dropped) \(retried)")
                #expect(try JSONValue(parsing: retried.output)["retried"]?.array?.count == 1)
                let late = try await broker.command("withdrawals", "retry", second, "--json")
                let unknown = try await broker.command("withdrawals", "show", "0000", "--json")
                #expect(try JSONValue(parsing: late.output)["error"]?["code"] == "WITHDRAWAL_ENDED")
                #expect(try JSONValue(parsing: unknown.output)["error"]?["code"] == "WITHDRAWAL_NOT_FOUND")
                #expect(late.exitCode == 1 && unknown.exitCode == 1)
            }
            #expect(try await Self.show(second, broker)["state"] == "dropped")
            #expect(broker.github.isLive(token: token))
        }
    }

    /// Links a user at the command line and deletes it there; returns the receipt and the stored token.
    private static func deleteUser(
        _ broker: Installation, _ login: String = "ada"
    ) async throws -> (receipt: String, token: String) {
        let token = try broker.accessToken(login)
        _ = try await broker.command("link", "--provider", "github", input: token)
        let result = try await broker.command("users", "delete", "\(login)@example.com", "--yes", "--json")
        let receipts = try JSONValue(parsing: result.output)["withdrawals"]?.array
        #expect(receipts?.count == 1 && receipts?.first?["state"] == "queued", "\(result)")
        return (try #require(receipts?.first?["receipt"]?.string), token)
    }

    private static func show(_ receipt: String, _ broker: Installation) async throws -> JSONValue {
        try JSONValue(parsing: await broker.command("withdrawals", "show", receipt, "--json").output)
    }

    /// Returns when the withdrawal is in this state; the suite's time limit ends a vain wait.
    private static func wait(for state: String, of receipt: String, _ broker: Installation) async throws {
        while try await show(receipt, broker)["state"]?.string != state {}
    }
}
