import Foundation
package import ProviderKit

/// The outcome of a provider's check.
package enum ProviderCheckOutcome: Sendable, Hashable {
    /// The plugin has no questions to ask.
    case notCheckable
    /// The findings that would prevent sign-ins, in the order they were found.
    case checked([ConfigurationFinding])

    /// Tokens say when they were made: beyond this many seconds they seem old, or made in the future.
    static let largestSkew: TimeInterval = 60
}

extension ConfiguredProvider {
    /// Checks whether sign-ins with the provider would work, without a user's credential. Asks now, and writes nothing.
    package func check() async -> ProviderCheckOutcome {
        guard let checkable = provider as? any ConfigurationCheck else { return .notCheckable }
        let observation = UpstreamObservation()
        var findings = await observation.watching { await checkable.checkConfiguration() }
        if let skew = observation.skew, abs(skew) > ProviderCheckOutcome.largestSkew {
            findings.append(.clockSkew(seconds: Int(min(max(skew.rounded(), -1e12), 1e12))))
        }
        return .checked(findings)
    }
}
