import Foundation
package import ProviderKit

/// Checks whether sign-ins with a provider would work, without a user's credential.
package struct CheckProvider: Sendable {
    /// Tokens say when they were made: beyond this many seconds they seem old, or made in the future.
    static let largestSkew: TimeInterval = 60

    /// The outcome of a check.
    package enum Outcome: Sendable, Hashable {
        /// The plugin has no questions to ask.
        case notCheckable
        /// The findings that would prevent sign-ins, in the order they were found.
        case checked([ConfigurationFinding])
    }

    /// Asks now. Writes nothing.
    package func callAsFunction(_ provider: ConfiguredProvider) async -> Outcome {
        guard let checkable = provider.provider as? any ConfigurationCheck else { return .notCheckable }
        let observation = UpstreamObservation()
        var findings = await observation.watching { await checkable.checkConfiguration() }
        if let skew = observation.skew, abs(skew) > Self.largestSkew {
            findings.append(.clockSkew(seconds: Int(min(max(skew.rounded(), -1e12), 1e12))))
        }
        return .checked(findings)
    }
}
