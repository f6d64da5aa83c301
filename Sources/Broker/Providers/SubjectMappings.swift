import BrokerStore
import ProviderKit

/// The administrator's decision on the users of an entry whose change maps the provider's accounts to other subjects.
package enum SubjectDecision: String, Sendable, Hashable, CaseIterable, Codable {
    /// Accounts become new users. The identities of the earlier mapping stay and sign no user in; they count again when the
    /// earlier options are restored.
    case new
    /// The provider sends every account's subject at the new place as well.
    case same
}

/// The mappings of accounts to subjects, as the store knows them (``SubjectMapping``).
struct SubjectMappings: Sendable, Equatable {
    let rows: [SubjectMapping]

    /// - Parameters:
    ///   - rows: The rows.
    ///   - administrators: The administrators of the configuration, whose subjects count before their first sign-in.
    init(rows: [SubjectMapping], administrators: [ConsoleSettings.NamedAdministrator]) {
        self.rows = rows.map { row in
            var row = row
            row.isUsed = row.isUsed || administrators.contains { $0.isSubject(of: row) }
            return row
        }
    }

    /// The mark before the version in the issuer of a further mapping of the same instance. A base URL has no fragment.
    static let versionMark = "#"

    /// How an entry's options relate to the mapping in force.
    enum Resolution: Sendable, Equatable {
        /// They are the mapping in force.
        case inForce(SubjectMapping)
        /// They may replace it.
        case next(SubjectMapping)
        /// Users would silently become new ones.
        case refused(SubjectMapping)
    }

    /// - Parameters:
    ///   - provider: An instance of the entry.
    ///   - decision: What an administrator says about its users.
    ///   - now: When a new mapping is made.
    /// - Returns: Whether the options are the mapping in force, may be, or may not.
    func resolve(_ provider: ConfiguredProvider, _ decision: SubjectDecision? = nil, at now: Timestamp) -> Resolution {
        let (instance, rule) = (provider.provider.instance, provider.provider.subjectRule)
        let known = rows.filter { $0.provider.hasSameBytes(as: provider.id) }
        guard let current = known.first(where: \.isInForce) else {
            return .next(Self.mapping(of: provider, among: known, at: now))
        }
        if current.maps(instance, rule) { return .inForce(current) }
        let earlier = known.first { $0.maps(instance, rule) }
        // No user has an identity of it, so that it may become another one.
        guard current.isUsed else {
            var next = Self.mapping(of: provider, among: known.filter { $0 != current }, at: current.createdAt)
            next.version = current.version
            return .next(earlier ?? next)
        }
        let former = (provider.provider as? any SubjectMigration)?.formerInstances ?? []
        // Users of a former owner's team replace their identities by signing in.
        let isMigration = current.rule == rule && former.contains { $0.hasSameBytes(as: current.issuer) }
        if isMigration || decision == .new {
            return .next(earlier ?? Self.mapping(of: provider, among: known, at: now))
        }
        guard decision == .same, current.instance.hasSameBytes(as: instance) else { return .refused(current) }
        var next = current
        next.rule = rule
        return .next(next)
    }

    /// A mapping with the next version, and an issuer that no other has.
    private static func mapping(
        of provider: ConfiguredProvider, among known: [SubjectMapping], at now: Timestamp
    ) -> SubjectMapping {
        let instance = provider.provider.instance
        let version = (known.map(\.version).max() ?? 0) + 1
        let isTaken = known.contains { $0.issuer.hasSameBytes(as: instance) }
        return SubjectMapping(
            provider: provider.id, version: version, instance: instance, rule: provider.provider.subjectRule,
            issuer: isTaken ? "\(instance)\(versionMark)\(version)" : instance, createdAt: now)
    }

    /// The issuer of the identities of an entry that a file of the host or the store has.
    ///
    /// - Throws: ``ConfigurationError`` for options that would make users new ones.
    func issuer(of provider: ConfiguredProvider) throws(ConfigurationError) -> String {
        switch resolve(provider, at: Timestamp(milliseconds: 0)) {
        case .inForce(let mapping), .next(let mapping): return mapping.issuer
        case .refused(let current):
            let place = provider.source?.entry.place ?? .store
            throw place.error(
                at: "/options", Self.difference(from: current, to: provider),
                fix: Self.fix(for: provider, from: current))
        }
    }

    /// The reason of a refusal, for the operator.
    static func difference(from current: SubjectMapping, to provider: ConfiguredProvider) -> String {
        let later = provider.provider
        let was = current.rule.isEmpty ? current.instance : "\(current.rule) at \(current.instance)"
        let would = later.subjectRule.isEmpty ? later.instance : "\(later.subjectRule) at \(later.instance)"
        return
            "the subjects of its users are those of \(was). With those of \(would) every user would become a new one."
    }

    static func fix(for provider: ConfiguredProvider, from current: SubjectMapping) -> String {
        let new = "broker providers update \(provider.id) --subjects new (they become new users)"
        let same = "--subjects same (the provider sends the same subjects there)"
        let mayBeSame = current.instance.hasSameBytes(as: provider.provider.instance)
        return "Restore the options, or say what becomes of the users: \(new)\(mayBeSame ? ", or \(same)" : "")."
    }
}

extension SubjectMapping {
    /// Whether it is the mapping of an instance and a rule.
    fileprivate func maps(_ instance: String, _ rule: String) -> Bool {
        self.instance.hasSameBytes(as: instance) && self.rule.hasSameBytes(as: rule)
    }
}

extension ConsoleSettings.NamedAdministrator {
    /// Whether it names a subject of a mapping.
    fileprivate func isSubject(of mapping: SubjectMapping) -> Bool {
        provider.hasSameBytes(as: mapping.provider) && issuer?.hasSameBytes(as: mapping.issuer) == true
    }
}

extension Transaction {
    /// Puts the mapping of an entry's options in force.
    ///
    /// - Parameters:
    ///   - provider: An instance of the entry.
    ///   - decision: What an administrator says about its users.
    ///   - administrators: The administrators of the configuration.
    /// - Returns: Whether it was not in force before.
    /// - Throws: ``BrokerError/configuration(_:)`` for a change without a decision about the users.
    @discardableResult
    func putSubjectsInForce(
        of provider: ConfiguredProvider, _ decision: SubjectDecision? = nil,
        beside administrators: [ConsoleSettings.NamedAdministrator]
    ) throws -> Bool {
        let mappings = SubjectMappings(rows: try subjectMappings(), administrators: administrators)
        switch mappings.resolve(provider, decision, at: now) {
        case .inForce: return false
        case .next(let mapping):
            try putInForce(mapping)
            return true
        case .refused(let current):
            let text = SubjectMappings.difference(from: current, to: provider)
            throw BrokerError.configuration(
                .subjectsChanged("\(text) \(SubjectMappings.fix(for: provider, from: current))"))
        }
    }
}
