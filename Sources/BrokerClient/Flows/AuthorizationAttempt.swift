import Foundation
import OAuth
import StrictJSON

/// The parameters of one authorization request.
struct AuthorizationGoal: Sendable {
    /// The effect on the session.
    let purpose: SignInPurpose
    let provider: ProviderID?
    let options: SignInOptions
    /// The session of the signed-in user, with valid tokens, for everything but a sign-in.
    var session: StoredSession?
}

/// The effect of a sign-in on the session.
enum SignInPurpose: String, Codable, Sendable {
    /// Begins a session.
    case signIn
    /// Adds an identity to the user of the session.
    case link
    /// Begins a session of the same user.
    case reauthenticate
}

/// One authorization request with its secrets (RFC 6749 §4.1.1, RFC 7636, OpenID Connect Core §3.1.2.1).
struct AuthorizationAttempt: Sendable {
    let redirectURI: RedirectURI
    let state = RandomText.secret()
    let nonce = RandomText.secret()
    let verifier = RandomText.secret()

    /// Names that belong to the protocol or to options of their own.
    static let reservedParameters: Set<String> = [
        "client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "code_verifier", "prompt", "max_age", "id_token_hint", "login_hint",
        "ui_locales", "request", "request_uri", "provider", "provider_scope", "claims", "iss",
    ]

    init(redirectURI: RedirectURI) { self.redirectURI = redirectURI }

    /// The parameters of the request.
    ///
    /// - Throws: ``BrokerAuthError/reservedParameter(_:)``, ``BrokerAuthError/notConfigured(_:)``.
    func parameters(
        for goal: AuthorizationGoal, of configuration: BrokerConfiguration
    ) throws(BrokerAuthError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = [
            ("client_id", configuration.clientID), ("redirect_uri", redirectURI.text), ("response_type", "code"),
            ("scope", ScopeList(configuration.scopes).text), ("state", state), ("nonce", nonce),
            ("code_challenge", CodeChallenge(of: verifier).text),
            ("code_challenge_method", CodeChallenge.method),
        ]
        switch goal.purpose {
        case .signIn: break
        case .link: parameters.append(("prompt", "link"))
        case .reauthenticate: parameters += [("prompt", "login"), ("max_age", "0")]
        }
        if let hint = goal.session?.idToken { parameters.append(("id_token_hint", hint)) }
        if let provider = goal.provider { parameters.append(("provider", provider.rawValue)) }
        return try parameters + Self.parameters(of: goal.options, hasProvider: goal.provider != nil)
    }

    private static func parameters(
        of options: SignInOptions, hasProvider: Bool
    ) throws(BrokerAuthError) -> [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if !options.providerScopes.isEmpty {
            guard hasProvider else { throw .notConfigured("providerScopes need a provider") }
            parameters.append(("provider_scope", ScopeList(options.providerScopes).text))
        }
        if let hint = options.loginHint { parameters.append(("login_hint", hint)) }
        if !options.languages.isEmpty {
            parameters.append(("ui_locales", options.languages.joined(separator: " ")))
        }
        for (name, value) in options.parameters.sorted(by: { $0.key < $1.key }) {
            guard !reservedParameters.contains(name.lowercasedASCII) else { throw .reservedParameter(name) }
            parameters.append((name, value))
        }
        return parameters
    }
}
