/// The role of an administrator of the console: a set of the scopes that admin credentials have. Each role has those of
/// the roles before it.
package enum ConsoleRole: String, Sendable, Hashable, CaseIterable, Codable {
    /// Sees users, configuration, audit and deliveries. No answer that it gets has a secret.
    case viewer
    /// Changes users, clients and webhooks, and repeats deliveries.
    case `operator`
    /// Everything that an operation can do, what decides whose proof counts and admin credentials among it.
    case owner

    package var scopes: Set<AdminScope> { Set(AdminScope.allCases.filter { $0.leastRole <= self }) }
}

extension ConsoleRole: Comparable {
    package static func < (left: ConsoleRole, right: ConsoleRole) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

extension AdminScope {
    /// The first role that has the scope. No `default`: a new scope does not compile until it has its role.
    fileprivate var leastRole: ConsoleRole {
        switch self {
        case .readUsers, .readConfiguration, .readAudit, .readEvents: .viewer
        case .writeUsers, .writeConfiguration, .writeEvents, .introspectTokens: .operator
        case .trustProviders, .readProviderTokens, .admin: .owner
        }
    }
}
