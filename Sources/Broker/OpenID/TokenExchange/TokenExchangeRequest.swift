import ProviderKit

/// The parameters of a token exchange (RFC 8693 §2.1), as native apps send them.
struct TokenExchangeRequest: Sendable {
    /// The user that the tokens are for.
    enum Subject: Sendable {
        /// The user of a provider's ID token.
        case identity(Credential, provider: String)
        /// A new user without any identity.
        case anonymous
    }

    /// The purpose of the credential for a signed-in user.
    enum Purpose: String, Sendable, CaseIterable {
        case link, login
    }

    /// The user who is signed in, by an access token of ours, and what the exchange is for.
    struct Actor: Sendable {
        let token: String
        let purpose: Purpose
    }

    let subject: Subject
    /// Absent where a user signs in.
    let actor: Actor?
    let scopes: Scopes

    static let accessTokenType = "urn:ietf:params:oauth:token-type:access_token"
    static let idTokenType = "urn:ietf:params:oauth:token-type:id_token"
    /// Asks for an anonymous user. The broker's own, since no token stands for one.
    static let anonymousType = "urn:broker:oauth:token-type:anonymous"

    /// - Throws: ``OAuthError``; ``BrokerError/providerAnswerUnusable(_:)`` for a first-time profile that is no object.
    init(_ parameters: QueryParameters) throws {
        for name in ["audience", "resource"] where parameters[name] != nil {
            throw OAuthError(.invalidTarget, "\(name) is not supported: the tokens are for this client.")
        }
        if let type = parameters["requested_token_type"], !type.hasSameBytes(as: Self.accessTokenType) {
            throw OAuthError(.invalidRequest, "requested_token_type must be \(Self.accessTokenType).")
        }
        scopes = try Scopes(requested: parameters["scope"] ?? Scope.openid.rawValue)
        actor = try Self.actor(parameters)
        let token = try parameters.required("subject_token")
        switch try parameters.required("subject_token_type") {
        case Self.idTokenType: subject = try Self.identity(token, parameters)
        case Self.anonymousType:
            guard token == "anonymous" else { throw OAuthError(.invalidRequest, "subject_token must be anonymous.") }
            guard actor == nil else {
                throw OAuthError(.invalidRequest, "An anonymous user is a new one: leave actor_token out.")
            }
            subject = .anonymous
        default:
            throw OAuthError(
                .invalidRequest, "subject_token_type must be \(Self.idTokenType) or \(Self.anonymousType).")
        }
    }

    private static func actor(_ parameters: QueryParameters) throws(OAuthError) -> Actor? {
        guard let token = parameters["actor_token"] else {
            for name in ["actor_token_type", "prompt"] where parameters[name] != nil {
                throw OAuthError(.invalidRequest, "\(name) needs actor_token.")
            }
            return nil
        }
        guard try parameters.required("actor_token_type").hasSameBytes(as: accessTokenType) else {
            throw OAuthError(.invalidRequest, "actor_token_type must be \(accessTokenType).")
        }
        guard let prompt = parameters["prompt"] else { return Actor(token: token, purpose: .link) }
        guard let purpose = Purpose.allCases.first(where: { $0.rawValue.hasSameBytes(as: prompt) }) else {
            throw OAuthError(.invalidRequest, "prompt must be link or login.")
        }
        return Actor(token: token, purpose: purpose)
    }

    private static func identity(_ token: String, _ parameters: QueryParameters) throws -> Subject {
        let proof = Credential.IDToken(
            token: token, rawNonce: parameters["nonce"], authorizationCode: parameters["authorization_code"])
        let profile = try parameters["user"].flatMap { try AuthorizationResponse.firstTimeProfile($0) }
        return .identity(
            Credential(.idToken(proof), firstTimeProfile: profile),
            provider: try parameters.required("provider").lowercasedASCII)
    }
}
