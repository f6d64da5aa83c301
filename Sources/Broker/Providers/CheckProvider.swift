package import BrokerStore
import Foundation
package import ProviderKit
import Synchronization

/// The outcome of a provider's check.
package enum ProviderCheckOutcome: Sendable, Hashable {
    /// The plugin has no questions to ask.
    case notCheckable
    /// The findings that would prevent sign-ins, in the order they were found.
    case checked([ConfigurationFinding])

    /// Tokens say when they were made: beyond this many seconds they seem old, or made in the future.
    static let largestSkew: TimeInterval = 60
}

/// A provider's latest check. Administrators look at the state of all providers often, and the provider is asked once.
final class LatestProviderCheck: Sendable {
    /// For how long it stands for the provider's state.
    static let validity = Duration.seconds(300)

    private let latest = Mutex<(at: Timestamp, outcome: ProviderCheckOutcome)?>(nil)

    /// The latest check, unless it is too old.
    func outcome(at now: Timestamp) -> (at: Timestamp, outcome: ProviderCheckOutcome)? {
        latest.withLock { latest in
            latest.flatMap { $0.at <= now && now < $0.at.advanced(by: Self.validity) ? $0 : nil }
        }
    }

    func record(_ outcome: ProviderCheckOutcome, at now: Timestamp) { latest.withLock { $0 = (now, outcome) } }
}

extension ConfiguredProvider {
    /// Checks now, as ``check()``; the outcome stands for the provider's state for five minutes.
    package func check(at now: Timestamp) async -> ProviderCheckOutcome {
        let outcome = await check()
        latestCheck.record(outcome, at: now)
        return outcome
    }

    /// The outcome of the check of the last five minutes, or of one that is made now.
    package func checkedLately(at now: Timestamp) async -> (at: Timestamp, outcome: ProviderCheckOutcome) {
        if let known = latestCheck.outcome(at: now) { return known }
        return (now, await check(at: now))
    }

    /// Checks whether sign-ins with the provider would work, without a user's credential. Asks now, and writes nothing.
    package func check() async -> ProviderCheckOutcome {
        guard let checkable = provider as? any ConfigurationCheck else {
            guard let hangFinding else { return .notCheckable }
            return .checked([hangFinding])
        }
        let observation = UpstreamObservation()
        var findings = await observation.watching { await self.findings(of: checkable) }
        if let skew = observation.skew, abs(skew) > ProviderCheckOutcome.largestSkew {
            findings.append(.clockSkew(seconds: Int(min(max(skew.rounded(), -1e12), 1e12))))
        }
        return .checked(findings)
    }

    /// The findings of the plugin, which is given up like any other call of it, and what its calls show.
    private func findings(of checkable: any ConfigurationCheck) async -> [ConfigurationFinding] {
        do {
            let findings = try await calls.run(within: Self.checkDeadline) { await checkable.checkConfiguration() }
            return findings + [hangFinding].compactMap(\.self)
        } catch {
            return [hangFinding ?? .checkOverran]
        }
    }

    /// The plugin's checks ask several endpoints, one after the other.
    private static let checkDeadline = Duration.seconds(60)

    /// Calls of the plugin in this process that have not ended, although they were cancelled.
    private var hangFinding: ConfigurationFinding? {
        let (unended, areBlocked) = calls.hang
        guard unended > 0 else { return nil }
        let threads = areBlocked ? ", and all of its threads are blocked" : ""
        return ConfigurationFinding(
            code: "plugin-hangs", text: "\(unended) cancelled calls of the plugin have not ended\(threads)",
            fix: "Restart the broker: nothing else frees a blocked thread. Report it to the author of the plugin.",
            isHint: !areBlocked && unended < PluginCalls.maximumAbandoned)
    }
}

extension ConfigurationFinding {
    fileprivate static let checkOverran = ConfigurationFinding(
        code: "check-overran", text: "the plugin's check did not end in time",
        fix: "Try again, and watch the log meanwhile.")
}
