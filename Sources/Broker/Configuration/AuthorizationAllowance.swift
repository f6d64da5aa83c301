import ProviderKit

/// The scopes and parameters that applications may add to an entry's authorization requests: `allowedScopes` and
/// `allowedParameters` in `plugins.json`.
///
/// The callers of `accounts:createAuthUri` and of the handler page are anonymous. What they add acts in the name of the
/// operator's client, so the operator lists it. Names are compared without case and sent as the operator spells them.
package struct AuthorizationAllowance: Sendable, Equatable {
    private let scopes: [String]
    private let parameters: [String]

    /// Nothing but what every entry allows.
    package static let standard = AuthorizationAllowance()

    /// An allowance of an entry.
    package init(scopes: [String] = [], parameters: [String] = []) {
        self.scopes = scopes
        self.parameters = parameters
    }

    /// Parameters that choose an account, a language or a hosted domain, and grant nothing.
    private static let standardParameters = [
        "allow_signup", "hd", "locale", "login", "login_hint", "prompt", "ui_locales",
    ]

    /// The values of `prompt` that every entry allows (OpenID Connect Core §3.1.2.1).
    private static let standardPrompts: Set<String> = ["login", "select_account", "consent"]

    /// The requested scopes, as the operator spells them; those of every request of the entry, `configured`, are allowed.
    ///
    /// - Throws: ``BrokerError/operationNotAllowed(_:)`` for a scope that is in neither list.
    func scopes(_ requested: [String], configured: [String]) throws(BrokerError) -> [String] {
        var allowed: [String] = []
        for scope in requested {
            guard let spelled = Self.find(scope, in: configured + scopes) else {
                throw .operationNotAllowed("The provider entry's allowedScopes do not have \(scope).")
            }
            if !allowed.contains(spelled) { allowed.append(spelled) }
        }
        return allowed
    }

    /// The requested parameters without those that carry the protocol, which SDKs expect to be ignored.
    ///
    /// - Throws: ``BrokerError/operationNotAllowed(_:)`` for a parameter or a `prompt` that is not allowed.
    func parameters(_ requested: [String: String]) throws(BrokerError) -> [String: String] {
        var allowed: [String: String] = [:]
        for (name, value) in requested where !OAuth2Client.isReserved(name) {
            if let spelled = Self.find(name, in: parameters) {
                allowed[spelled] = value
            } else if let spelled = Self.find(name, in: Self.standardParameters) {
                guard spelled != "prompt" || Self.isStandardPrompt(value) else {
                    throw .operationNotAllowed("prompt may be login, select_account or consent.")
                }
                allowed[spelled] = value
            } else {
                throw .operationNotAllowed("The provider entry's allowedParameters do not have \(name).")
            }
        }
        return allowed
    }

    private static func isStandardPrompt(_ value: String) -> Bool {
        let values = value.split(separator: " ").map(String.init)
        return !values.isEmpty && values.allSatisfy(standardPrompts.contains)
    }

    private static func find(_ name: String, in list: [String]) -> String? {
        let folded = name.lowercasedASCII
        return list.first { $0.hasSameBytes(as: name) } ?? list.first { $0.lowercasedASCII.hasSameBytes(as: folded) }
    }
}
