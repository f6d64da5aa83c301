import Foundation
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@Suite("A broker that is killed while it withdraws grants", .timeLimit(.minutes(20 + CrashRounds.count)))
struct WithdrawalCrashTests {
    private static let clients = 6

    @Test func `withdraws each grant in the end, and ends no new one`() async throws {
        try await Installation.run { broker in
            let ledger = Ledger()
            for round in 0..<CrashRounds.count {
                try await broker.serve { process, client in
                    // Some answers are lost: the provider has revoked the grant, and the broker does not know.
                    broker.github.fail(.deleteGrant, with: .lostAnswer, times: 2)
                    let fatal = broker.github.hits(.deleteGrant) + Int.random(in: 1...Self.clients * 3)
                    await withTaskGroup(of: Void.self) { group in
                        for number in 0..<Self.clients {
                            group.addTask {
                                await Self.visit(
                                    "user\(round)x\(number)", returns: number.isMultiple(of: 2), client, broker, ledger)
                            }
                        }
                        let end = ContinuousClock.now + .seconds(10)
                        while broker.github.hits(.deleteGrant) < fatal, ContinuousClock.now < end,
                            (try? await client.get("/healthz")) != nil
                        {}
                        process.kill()
                    }
                    _ = try await process.exitCode()
                }
            }
            broker.github.clearFaults()
            #expect(!ledger.receipts.isEmpty)
            try await broker.serve { _, client in
                try await Self.waitUntilNothingIsOpen(broker)
                for (token, session) in ledger.returned {
                    #expect(broker.github.isLive(token: token), "the tokens of a user who had returned were revoked")
                    #expect(try await client.lookup(session).status == 200)
                }
            }
            let listed = try await broker.command("withdrawals", "list", "--all", "--limit", "1000", "--json")
            let rows = try JSONValue(parsing: listed.output)["withdrawals"]?.array ?? []
            #expect(rows.allSatisfy { $0["state"] == "done" }, "\(listed.output)")
            #expect(Set(ledger.receipts).isSubset(of: Set(rows.compactMap { $0["receipt"]?.string })))
            for token in ledger.givenUp { #expect(!broker.github.isLive(token: token)) }
        }
    }

    /// What clients were told before the broker died.
    private final class Ledger: Sendable {
        private struct Entries {
            var receipts: [String] = []
            var givenUp: [String] = []
            var returned: [(token: String, session: String)] = []
        }

        private let entries = Mutex(Entries())

        var receipts: [String] { entries.withLock { $0.receipts } }
        /// Access tokens whose withdrawal was promised.
        var givenUp: [String] { entries.withLock { $0.givenUp } }
        /// Access tokens of later sign-ins, with the ID tokens that they became.
        var returned: [(token: String, session: String)] { entries.withLock { $0.returned } }

        func gaveUp(_ token: String, _ receipt: String) {
            entries.withLock {
                $0.givenUp.append(token)
                $0.receipts.append(receipt)
            }
        }

        func returned(_ token: String, _ session: String) {
            entries.withLock { $0.returned.append((token: token, session: session)) }
        }
    }

    /// Signs a user in and deletes the user, until the broker dies; or only once, and signs in again for good after the
    /// grant was revoked.
    private static func visit(
        _ login: String, returns: Bool, _ client: IdentityToolkitApp, _ broker: Installation, _ ledger: Ledger
    ) async {
        let github = broker.github
        let person = github.add(.init(login: login))
        func newToken() -> String { github.accessToken(for: person, application: github.defaultApplication) }
        for _ in 0..<(returns ? 1 : 20) {
            let token = newToken()
            guard let idToken = await signIn(token, client),
                let deleted = try? await client.delete(idToken), deleted.status == 200,
                let receipt = deleted.body["broker"]?["withdrawals"]?.array?.first?["receipt"]?.string
            else { return }
            ledger.gaveUp(token, receipt)
            guard returns else { continue }
            while github.isLive(token: token) {
                guard (try? await client.get("/readyz")) != nil else { return }
            }
            let fresh = newToken()
            if let session = await signIn(fresh, client) { ledger.returned(fresh, session) }
        }
    }

    /// The ID token of a sign-in that the broker answered.
    private static func signIn(_ token: String, _ client: IdentityToolkitApp) async -> String? {
        guard let answer = try? await client.signIn(accessToken: token), answer.status == 200 else { return nil }
        return answer.body["idToken"]?.string
    }

    /// Claims of killed brokers run out after 30 seconds; the suite's time limit ends a vain wait.
    private static func waitUntilNothingIsOpen(_ broker: Installation) async throws {
        while true {
            let open = try await broker.command("withdrawals", "list", "--json")
            if try JSONValue(parsing: open.output)["withdrawals"]?.array?.isEmpty == true { return }
        }
    }
}
