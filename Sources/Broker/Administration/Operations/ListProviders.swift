package import BrokerStore
import ProviderKit

/// `providers.list`: the provider entries of `plugins.json` and of the store.
package struct ListProviders: AdminOperation {
    package static let name = "providers.list"
    package static let summary = "Lists the provider entries of plugins.json and of the store."
    package static let scope: AdminScope? = .readConfiguration
    package static let asksProviders = true

    package struct Answer: Codable, Sendable {
        package let providers: [ProviderAnswer]
    }

    /// An entry without its options, which may be secrets. Only an enabled one has an instance.
    package struct ProviderAnswer: Codable, Sendable {
        package let id: String
        /// Nil for a stored entry that cannot be read.
        package let use: String?
        /// Whether users can sign in with it.
        package let enabled: Bool
        /// `plugins.json` or `store`.
        package let source: String
        package let displayName: String?
        /// The redirect URI to register at the provider.
        package let redirectUri: String
        /// The reason why a stored entry is left out.
        package let problem: String?
        package private(set) var trustEmail: Bool?
        package private(set) var instance: String?
        /// The kinds of credentials that the provider verifies.
        package private(set) var accepts: [String]?
        package private(set) var probesPaused: Pause?
    }

    /// The reason and the time since when no grants of the provider are checked.
    package struct Pause: Codable, Sendable {
        package let since: Timestamp
        package let probes: Int64
        package let failures: Int64
    }

    package init() {}

    package func run(for call: AdminCall) async throws -> Answer {
        let admin = call.admin
        let pauses = try await admin.pausedProbes()
        return Answer(
            providers: try await admin.providers.listProviders().map { listed in
                ProviderAnswer(listed, pauses.first { $0.provider.hasSameBytes(as: listed.id) }, admin)
            })
    }
}

extension ListProviders.ProviderAnswer {
    init(_ listed: ListedProvider, _ pause: ProbePause?, _ admin: AdminContext) {
        self.init(
            id: listed.id, use: listed.entry?.use.rawValue, enabled: listed.isEnabled,
            source: listed.isStored ? "store" : "plugins.json", displayName: listed.entry?.displayName,
            redirectUri: ConfiguredProvider.callbackURL(of: listed.id, at: admin.configuration.publicURL),
            problem: listed.problem?.description)
        guard listed.isEnabled, let provider = admin.providers.current.provider(listed.id) else { return }
        trustEmail = provider.trustsEmail
        instance = provider.provider.instance
        accepts = provider.provider.accepts.map(\.rawValue).sorted()
        probesPaused = pause.map {
            .init(since: $0.at, probes: Int64($0.counts.probes), failures: Int64($0.counts.failures))
        }
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

    package func run(for call: AdminCall) async throws -> Answer {
        guard try await call.admin.resumeProbes(provider, origin: call.origin) else {
            throw AdminFailure(code: "NOT_PAUSED", "the probes of \(provider) are not paused")
        }
        return Answer(provider: provider, resumed: true)
    }
}
