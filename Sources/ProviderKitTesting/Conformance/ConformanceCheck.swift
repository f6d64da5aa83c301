/// A rule for every provider, as a value that runs without a test framework.
public struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
    /// The result of a check of a plugin.
    public enum Outcome: Sendable, Hashable {
        /// The plugin follows the rule.
        case passed
        /// The plugin violates the rule; the text describes the observation, without a secret.
        case failed(String)
        /// The rule does not apply to the plugin.
        case notApplicable(String)

        /// The observation of a failed check.
        public var failure: String? { if case .failed(let reason) = self { reason } else { nil } }
    }

    /// Stable, lower-case with hyphens, such as `refuses-id-token-wrong-audience`.
    public let id: String
    /// The rule.
    public let sentence: String
    /// The shortest way to follow it, for an author whose plugin does not.
    public let fix: String
    private let body: @Sendable (ProviderFixture) async throws -> Void

    /// - Parameters:
    ///   - id: The check's id.
    ///   - sentence: The rule.
    ///   - fix: The shortest way to follow it.
    ///   - body: Throws a ``Deviation`` or another error.
    init(
        _ id: String, _ sentence: String, fix: String, body: @escaping @Sendable (ProviderFixture) async throws -> Void
    ) {
        self.id = id
        self.sentence = sentence
        self.fix = fix
        self.body = body
    }

    /// Checks a plugin.
    public func run(_ fixture: ProviderFixture) async -> Outcome {
        if let reason = fixture.exemptions[id] { return .notApplicable(reason) }
        do {
            try await body(fixture)
            return .passed
        } catch Deviation.broken(let reason) {
            return .failed(reason)
        } catch Deviation.notApplicable(let reason) {
            return .notApplicable(reason)
        } catch {
            return .failed("\(error)")
        }
    }

    /// The id and the rule.
    public var description: String { "\(id): \(sentence)" }
}

/// The reason why a check does not pass.
enum Deviation: Error {
    case broken(String)
    case notApplicable(String)
}
