package import BrokerStore
import ProviderKit

/// `providers.list`: the configured identity providers.
package struct ListProviders: AdminOperation {
    package static let name = "providers.list"
    package static let summary = "Lists the configured identity providers, the disabled ones last."
    package static let scope: AdminScope? = .readConfiguration
    package static let asksProviders = true

    package struct Answer: Codable, Sendable {
        package let providers: [ProviderAnswer]
    }

    /// An entry. Of a disabled one only the id and the kind are known.
    package struct ProviderAnswer: Codable, Sendable {
        package let id: String
        package let use: String
        package let enabled: Bool
        package let trustEmail: Bool?
        package let instance: String?
        /// The kinds of credentials that the provider verifies.
        package let accepts: [String]?
        package let probesPaused: Pause?
    }

    /// Why and since when no grants of the provider are checked.
    package struct Pause: Codable, Sendable {
        package let since: Timestamp
        package let probes: Int64
        package let failures: Int64
    }

    package init() {}

    package func run(in context: AdminContext) async throws -> Answer {
        let current = context.flows.providers.current
        let pauses = try await context.flows.resumeProbes.paused()
        let enabled = current.providers.map { provider in
            ProviderAnswer(provider, pauses.first { $0.provider.hasSameBytes(as: provider.id) })
        }
        return Answer(providers: enabled + current.disabled.map { ProviderAnswer($0) })
    }
}

extension ListProviders.ProviderAnswer {
    fileprivate init(_ provider: ConfiguredProvider, _ pause: ProbePause?) {
        self.init(
            id: provider.id, use: provider.kind.rawValue, enabled: true, trustEmail: provider.trustsEmail,
            instance: provider.instance, accepts: provider.provider.accepts.map(\.rawValue).sorted(),
            probesPaused: pause.map {
                .init(since: $0.at, probes: Int64($0.counts.probes), failures: Int64($0.counts.failures))
            })
    }

    fileprivate init(_ entry: ProviderEntry) {
        self.init(
            id: entry.id, use: entry.use.rawValue, enabled: false, trustEmail: nil, instance: nil, accepts: nil,
            probesPaused: nil)
    }
}

/// `providers.resume-probes`: resumes the paused checks of a provider's grants.
package struct ResumeProviderProbes: AdminOperation {
    package static let name = "providers.resume-probes"
    package static let summary = "Resumes the paused background checks of a provider's grants."
    package static let scope: AdminScope? = .writeConfiguration

    /// The provider's id.
    let provider: String

    package struct Answer: Codable, Sendable {
        package let provider: String
        package let resumed: Bool
    }

    package init(provider: String) {
        self.provider = provider
    }

    package func run(in context: AdminContext) async throws -> Answer {
        guard try await context.flows.resumeProbes(provider, origin: context.origin) else {
            throw AdminFailure(code: "NOT_PAUSED", "the probes of \(provider) are not paused")
        }
        return Answer(provider: provider, resumed: true)
    }
}
