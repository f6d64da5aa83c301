import Foundation
import Mutation
import ProviderKit
import ProviderKitTesting
import Synchronization

/// Grades mutants of plugins. Reads lines `FIXTURE NUMBER` and answers each with `FIXTURE NUMBER RESULT`: for number 0 the
/// mutants that the unchanged plugin reaches, else `killed CHECK` or `survived`.
@main
enum Main {
    static let fixtures: [String: ProviderFixture] = [
        "apple": ScriptedApple.fixture, "directory": ScriptedDirectory.fixture, "github": ScriptedGitHub.fixture,
        "gitlab": ScriptedGitLab.fixture, "oauth2": ScriptedOAuth2.fixture, "oauth2-json": ScriptedDialects.inJSON,
        "oauth2-list": ScriptedDialects.withAList, "oauth2-query": ScriptedDialects.inTheQuery,
        "oauth2-token": ScriptedDialects.inTheTokenResponse, "oidc": ScriptedOpenID.fixture,
        "oidc-by-hand": ScriptedOpenID.variant(.withoutDiscovery), "oidc-hs256": ScriptedOpenID.variant(.hs256),
        "oidc-tenants": ScriptedOpenID.variant(.tenants), "onepass": ScriptedOnePass.fixture,
        "opaque": ScriptedOpaqueTokens.fixture,
    ]

    /// The checks, those that objected last before the others: they are likely to object again.
    private static let order = Mutex(ConformanceSuite.allChecks)

    static func main() async {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, let fixture = fixtures[words[0]], let number = Int(words[1]) else { continue }
            print(line, await number == 0 ? baseline(fixture) : result(of: number, fixture))
            fflush(nil)
        }
    }

    private static func baseline(_ fixture: ProviderFixture) async -> String {
        Mutation.active = 0
        var failures: [String] = []
        for check in ConformanceSuite.allChecks {
            if let reason = await check.run(fixture).failure { failures.append("\(check.id): \(reason)") }
        }
        guard failures.isEmpty else { return "FAILED " + failures.joined(separator: " | ") }
        return "reached " + Mutation.reached.sorted().map(String.init).joined(separator: ",")
    }

    private static func result(of number: Int, _ fixture: ProviderFixture) async -> String {
        Mutation.active = number
        for check in order.withLock({ $0 }) where await check.run(fixture).failure != nil {
            order.withLock { order in
                order.removeAll { $0.id == check.id }
                order.insert(check, at: 0)
            }
            return "killed \(check.id)"
        }
        return "survived"
    }
}
