import Foundation
import Mutation
import ProviderKit
import ProviderKitTesting
import Synchronization

/// Grades mutants of plugins. Reads lines `FIXTURE NUMBER CHECKS` and answers each with `FIXTURE NUMBER RESULT`: `killed CHECK`
/// or `survived`. For number 0 and no checks the answer is, for each check, the mutants that the unchanged plugin reaches.
@main
enum Main {
    static let fixtures: [String: ProviderFixture] = [
        "apple": ScriptedApple.fixture, "directory": ScriptedDirectory.fixture, "github": ScriptedGitHub.fixture,
        "gitlab": ScriptedGitLab.fixture, "oauth2": ScriptedOAuth2.fixture, "oauth2-json": ScriptedDialects.inJSON,
        "oauth2-list": ScriptedDialects.withAList, "oauth2-query": ScriptedDialects.inTheQuery,
        "oauth2-token": ScriptedDialects.inTheTokenResponse, "oidc": ScriptedOpenID.fixture,
        "oidc-by-hand": ScriptedOpenID.variant(.withoutDiscovery),
        "oidc-gaps": ScriptedOpenID.variant(.discoveryWithGaps),
        "oidc-hs256": ScriptedOpenID.variant(.hs256),
        "oidc-tenants": ScriptedOpenID.variant(.tenants), "onepass": ScriptedOnePass.fixture,
        "opaque": ScriptedOpaqueTokens.fixture,
    ]

    /// The checks, those that objected last before the others: they are likely to object again.
    private static let order = Mutex(ConformanceSuite.allChecks)

    static func main() async {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 2, let fixture = fixtures[words[0]], let number = Int(words[1]) else { continue }
            let checks = Set(words.dropFirst(2))
            print(words[0], words[1], await number == 0 ? baseline(fixture) : result(of: number, fixture, checks))
            fflush(nil)
        }
    }

    private static func baseline(_ fixture: ProviderFixture) async -> String {
        var (failures, reached): ([String], [String]) = ([], [])
        for check in ConformanceSuite.allChecks {
            Mutation.active = 0
            if let reason = await check.run(fixture).failure { failures.append("\(check.id): \(reason)") }
            reached.append("\(check.id)=" + Mutation.reached.sorted().map(String.init).joined(separator: ","))
        }
        guard failures.isEmpty else { return "FAILED " + failures.joined(separator: " | ") }
        return "reached " + reached.joined(separator: " ")
    }

    private static func result(of number: Int, _ fixture: ProviderFixture, _ checks: Set<String>) async -> String {
        Mutation.active = number
        for check in order.withLock({ $0 }) where checks.contains(check.id) {
            guard await check.run(fixture).failure != nil else { continue }
            order.withLock { order in
                order.removeAll { $0.id == check.id }
                order.insert(check, at: 0)
            }
            return "killed \(check.id)"
        }
        return "survived"
    }
}
