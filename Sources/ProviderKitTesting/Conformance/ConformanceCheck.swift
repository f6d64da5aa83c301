/// One rule every provider keeps, as a value: it runs without any test framework.
public struct ConformanceCheck: Sendable, Identifiable, CustomStringConvertible {
    /// What a check says about a plugin.
    public enum Verdict: Sendable, Hashable {
        /// The plugin keeps the rule.
        case passed
        /// It does not; what was seen, without any secret.
        case failed(String)
        /// The rule is about something the plugin does not do.
        case notApplicable(String)

        /// What was seen, when the rule is broken.
        public var objection: String? { if case .failed(let reason) = self { reason } else { nil } }
    }

    /// Stable, lower-case with hyphens, such as `refuses-id-token-wrong-audience`.
    public let id: String
    /// The rule.
    public let sentence: String
    private let body: @Sendable (ProviderFixture) async throws -> Void

    /// - Parameters:
    ///   - id: The check's name.
    ///   - sentence: The rule.
    ///   - body: Throws a ``Deviation``, or whatever else went wrong.
    init(_ id: String, _ sentence: String, body: @escaping @Sendable (ProviderFixture) async throws -> Void) {
        self.id = id
        self.sentence = sentence
        self.body = body
    }

    /// Puts a plugin through the check.
    public func run(_ fixture: ProviderFixture) async -> Verdict {
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

/// Why a check does not end with a pass.
enum Deviation: Error {
    case broken(String)
    case notApplicable(String)
}
