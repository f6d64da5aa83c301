import BrokerStore
import ProviderKit

extension StepUpRule {
    /// Whether a session's login is of this class.
    func isSatisfied(by session: Session, at now: Timestamp) -> Bool {
        // A session that a merge gave to this user began with a login of another one.
        session.mergedAt == nil && isMet(byLoginAt: session.authTime, at: now)
            && Self.isMet(by: session, providers: providers, methods: methods)
    }

    private func isMet(byLoginAt authTime: Int64, at now: Timestamp) -> Bool {
        guard let maxAge else { return true }
        // A login in the future was made while a clock was wrong, and is not recent.
        let (age, isFarAway) = now.seconds.subtractingReportingOverflow(authTime)
        return !isFarAway && (-TokenRules.clockSkew...maxAge).contains(age)
    }

    /// Whether one of `providers` authenticated the user, with all of `methods`.
    static func isMet(by session: Session, providers: [String], methods: [String]) -> Bool {
        let known = session.authenticationMethods?.split(separator: " ").map(String.init) ?? []
        return (providers.isEmpty || providers.contains { $0.hasSameBytes(as: session.signInProvider) })
            && methods.allSatisfy { method in known.contains { $0.hasSameBytes(as: method) } }
    }

    /// Whether one of the scopes requires this class.
    func isRequired(by scopes: Scopes) -> Bool {
        self.scopes.contains { name in Scope(rawValue: name).map(scopes.contains) ?? false }
    }

    /// Whether some users can never satisfy the rule, by the providers that it names.
    ///
    /// Any user can have a custom token from the developer's server, but at the broker's pages no session of an OAuth
    /// client begins with one. A user of a provider that the rule does not name has to link one that it names, which a rule on links prevents.
    ///
    /// - Parameter available: The enabled providers, and `custom` where custom tokens sign users in.
    /// - Returns: Whether there are such users, or may be.
    func isUnattainable(with available: [String]) -> Bool {
        guard !providers.isEmpty else { return false }
        let named = available.filter { id in providers.contains { $0.hasSameBytes(as: id) } }
        let custom = CustomTokenVerifier.signInProvider
        guard named.contains(custom) else {
            return named.isEmpty || routes.contains(.link) && named.count < available.count
        }
        let concernsClients = !scopes.isEmpty || routes.isEmpty || routes.contains(.userInfo)
        return named == [custom] && concernsClients
    }

    /// The login that is required, for the developer of a client.
    var requirement: String {
        let age = maxAge.map { " in the last \($0) seconds" } ?? ""
        let provider = providers.isEmpty ? "" : " with \(providers.joined(separator: " or "))"
        let method = methods.isEmpty ? "" : " by \(methods.joined(separator: " and "))"
        return "Sign in again: \(acr) requires a login\(age)\(provider)\(method)."
    }
}

extension Session {
    /// The authentication context class of its login (`acr`): the one that the client requested, or else the first that the
    /// login satisfies.
    ///
    /// - Returns: nil without one, and after a merge, before which another user has logged in.
    func authenticationContext(_ rules: [StepUpRule], at now: Timestamp) -> String? {
        guard mergedAt == nil else { return nil }
        return acr ?? rules.first { $0.isSatisfied(by: self, at: now) }?.acr
    }
}

extension Policy {
    /// Refuses a session whose login does not satisfy the step-up rules of a route.
    ///
    /// - Throws: ``BrokerError/stepUpRequired(_:)`` with what is missing.
    func requireStepUp(at route: StepUpRule.Route, _ session: Session, at now: Timestamp) throws(BrokerError) {
        let unmet = stepUp.first { $0.routes.contains(route) && !$0.isSatisfied(by: session, at: now) }
        if let unmet { throw .stepUpRequired(unmet.requirement) }
    }

    /// Refuses a session whose login does not satisfy the step-up rules of a scope.
    ///
    /// - Throws: ``BrokerError/stepUpRequired(_:)`` with what is missing.
    func requireStepUp(by scope: Scope, _ session: Session, at now: Timestamp) throws(BrokerError) {
        let scopes = Scopes([scope])
        let unmet = stepUp.first { $0.isRequired(by: scopes) && !$0.isSatisfied(by: session, at: now) }
        if let unmet { throw .stepUpRequired(unmet.requirement) }
    }

    /// Finds the step-up rules that some users can never satisfy.
    ///
    /// - Parameters:
    ///   - providers: The ids of the enabled providers.
    ///   - accounts: The signers of custom tokens.
    /// - Returns: The rules, in their order.
    /// - Throws: A store's error.
    func unattainableStepUp(with providers: [String], _ accounts: ServiceAccounts) async throws -> [StepUpRule] {
        guard !stepUp.isEmpty else { return [] }
        let custom = try await accounts.signCustomTokens() ? [CustomTokenVerifier.signInProvider] : []
        return stepUp.filter { $0.isUnattainable(with: providers + custom) }
    }

    /// Checks what the step-up rules name.
    ///
    /// - Throws: ``ConfigurationError`` for an unknown scope or a repeated `acr`.
    func checkStepUp() throws(ConfigurationError) {
        for (index, rule) in stepUp.enumerated() {
            let place = "policy/stepUp/\(index)"
            if stepUp[..<index].contains(where: { $0.acr.hasSameBytes(as: rule.acr) }) {
                throw ConfigurationError(place, "repeats the acr \(rule.acr).", fix: "Merge the two rules.")
            }
            for scope in rule.scopes where Scopes(scope).text != scope {
                throw ConfigurationError(
                    place, "names the unknown scope \(scope).",
                    fix: "Write some of \(Scope.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }
    }
}
