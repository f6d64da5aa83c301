import ProviderKit
import Synchronization

/// All checks of one plugin. Each runs once, when its outcome is first requested. See ``ProviderFixture`` for an
/// example.
public final class ConformanceSuite: Sendable {
    /// Every check, ordered by topic.
    public static let allChecks: [ConformanceCheck] =
        identityChecks + userChecks + emailChecks + credentialChecks + decisionChecks + configurationChecks
        + secretChecks + endpointChecks + redirectChecks
        + grantChecks + notificationChecks + deviceChecks + migrationChecks + faultChecks + idTokenChecks

    private let fixture: ProviderFixture
    private let outcomes = Mutex<[String: Task<ConformanceCheck.Outcome, Never>]>([:])

    /// Makes the suite of a plugin.
    public init(_ fixture: ProviderFixture) {
        self.fixture = fixture
    }

    /// The checks, as arguments of a test.
    public var checks: [ConformanceCheck] { Self.allChecks }

    /// The outcome of `check` for the plugin.
    public func outcome(of check: ConformanceCheck) async -> ConformanceCheck.Outcome {
        let fixture = fixture
        let task = outcomes.withLock { outcomes in
            if let running = outcomes[check.id] { return running }
            let task = Task { await check.run(fixture) }
            outcomes[check.id] = task
            return task
        }
        return await task.value
    }

    /// The results of all checks: `GRADE <kind> <passed>/<applicable>`, with a line for each failed check, its
    /// fix below it, and for each reason why checks do not apply.
    public func grade() async -> String {
        let kind = fixture.plugin.kind
        var passed = 0
        var failures: [String] = []
        var excused: [String: [String]] = [:]
        for check in checks {
            switch await outcome(of: check) {
            case .passed: passed += 1
            case .failed(let reason): failures.append("FAILED \(kind) \(check.id): \(reason)\n  FIX \(check.fix)")
            case .notApplicable(let reason): excused[reason, default: []].append(check.id)
            }
        }
        let excuses = excused.sorted { $0.key < $1.key }.map { reason, ids in
            "NOT-APPLICABLE \(kind) \(ids.count == 1 ? ids[0] : "\(ids.count) checks"): \(reason)"
        }
        return (["GRADE \(kind) \(passed)/\(passed + failures.count)"] + failures + excuses).joined(separator: "\n")
    }
}
