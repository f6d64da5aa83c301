import ProviderKit

/// The parameters of a token exchange (RFC 8693 §2.1), as native apps send them.
struct TokenExchangeRequest: Sendable {
    /// What the exchange is for.
    enum Purpose: Sendable {
        /// Begins without an account: a new user without any identity.
        case signUpAnonymously
        case signIn(Login)
        case signInDevice(DeviceIntroduction)
        /// The user of the actor token proves again who they are.
        case reauthenticate(Login, actorToken: String)
        /// Adds an identity to the user of the actor token.
        case link(Proof, actorToken: String)
    }

    /// What proves a user.
    enum Login: Sendable {
        case identity(Proof)
        /// The custom token of a service account.
        case customToken(String)
    }

    /// What proves an identity at a provider.
    enum Proof: Sendable {
        case credential(Credential, provider: String)
        /// The pending token of an exchange that was refused.
        case pendingToken(String)
        /// The provider's answer to an app authorization, with its handle.
        case appAuthorization(AppSignInAnswer)
    }

    let purpose: Purpose
    let scopes: Scopes

    static let accessTokenType = SubjectType.accessToken.rawValue

    /// What `subject_token_type` may be.
    static var subjectTypes: [String] { SubjectType.allCases.map(\.rawValue) }

    /// What `subject_token` may be. The broker's own types are for what RFC 8693 §3 has none for.
    private enum SubjectType: String, CaseIterable {
        case idToken = "urn:ietf:params:oauth:token-type:id_token"
        case accessToken = "urn:ietf:params:oauth:token-type:access_token"
        case authorizationCode = "urn:broker:oauth:token-type:authorization_code"
        case pendingToken = "urn:broker:oauth:token-type:pending_token"
        case appAuthorization = "urn:broker:oauth:token-type:app_authorization"
        case customToken = "urn:ietf:params:oauth:token-type:jwt"
        /// The app's id of a device, which `device_secret` proves once there is one.
        case device = "urn:broker:oauth:token-type:device"
        /// Asks for an anonymous user. No token stands for one.
        case anonymous = "urn:broker:oauth:token-type:anonymous"

        init(_ text: String) throws(OAuthError) {
            guard let type = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
                let types = TokenExchangeRequest.subjectTypes.joined(separator: ", ")
                throw OAuthError(.invalidRequest, "subject_token_type must be one of \(types).")
            }
            self = type
        }
    }

    /// The user who is signed in, by an access token of ours, and what the exchange does for them.
    struct Actor: Sendable {
        enum Prompt: String, CaseIterable {
            case link, login
        }

        let token: String
        let prompt: Prompt
    }

    /// - Throws: ``OAuthError``; ``BrokerError/providerAnswerUnusable(_:)`` for a first-time profile that is no object,
    ///   ``BrokerError/invalidDevice``, ``BrokerError/signInAttemptUnknown``.
    init(_ parameters: QueryParameters) throws {
        for parameter in [OAuthParameter.audience, OAuthParameter.resource] where parameters[parameter] != nil {
            throw OAuthError(.invalidTarget, "\(parameter.name) is not supported: the tokens are for this client.")
        }
        if let type = parameters[OAuthParameter.requestedTokenType], !type.hasSameBytes(as: Self.accessTokenType) {
            throw OAuthError(.invalidRequest, "requested_token_type must be \(Self.accessTokenType).")
        }
        scopes = try Scopes(requested: parameters[OAuthParameter.scope] ?? Scope.openid.rawValue)
        let actor = try Actor(parameters)
        let token = try parameters.required(OAuthParameter.subjectToken)
        switch try SubjectType(try parameters.required(OAuthParameter.subjectTokenType)) {
        case .idToken:
            let sent = Credential.IDToken(
                token: token, rawNonce: parameters[OAuthParameter.nonce],
                accessToken: parameters[OAuthParameter.providerAccessToken],
                authorizationCode: parameters[OAuthParameter.authorizationCode])
            purpose = Self.purpose(of: try Self.credential(.idToken(sent), parameters), for: actor)
        case .accessToken:
            purpose = Self.purpose(of: try Self.credential(.accessToken(token), parameters), for: actor)
        case .authorizationCode:
            let sent = Credential.AuthorizationCode(
                code: token, redirectURI: parameters[OAuthParameter.redirectURI],
                verifier: parameters[OAuthParameter.codeVerifier],
                expectedNonce: parameters[OAuthParameter.nonce])
            purpose = Self.purpose(of: try Self.credential(.authorizationCode(sent), parameters), for: actor)
        case .pendingToken:
            purpose = Self.purpose(of: .pendingToken(token), for: actor)
        case .appAuthorization:
            purpose = Self.purpose(
                of: .appAuthorization(
                    try AppSignInAnswer(
                        redirect: try parameters.required(OAuthParameter.authorizationResponse), handle: token,
                        provider: parameters[OAuthParameter.provider]?.lowercasedASCII)), for: actor)
        case .customToken:
            purpose = try Self.purpose(ofCustomToken: token, for: actor)
        case .device:
            guard actor == nil else {
                throw OAuthError(.invalidRequest, "A device proves no user again: leave actor_token out.")
            }
            purpose = .signInDevice(
                try DeviceIntroduction(
                    provider: try parameters.required(OAuthParameter.provider).lowercasedASCII, deviceID: token,
                    platform: parameters[OAuthParameter.platform], secret: parameters[OAuthParameter.deviceSecret],
                    accessToken: parameters[OAuthParameter.providerAccessToken]))
        case .anonymous:
            guard token == "anonymous" else { throw OAuthError(.invalidRequest, "subject_token must be anonymous.") }
            guard actor == nil else {
                throw OAuthError(.invalidRequest, "An anonymous user is a new one: leave actor_token out.")
            }
            purpose = .signUpAnonymously
        }
    }

    private static func credential(_ proof: Credential.Proof, _ parameters: QueryParameters) throws -> Proof {
        let profile = try parameters[OAuthParameter.user].flatMap { try AuthorizationResponse.firstTimeProfile($0) }
        return .credential(
            Credential(proof, firstTimeProfile: profile),
            provider: try parameters.required(OAuthParameter.provider).lowercasedASCII)
    }

    private static func purpose(of proof: Proof, for actor: Actor?) -> Purpose {
        guard let actor else { return .signIn(.identity(proof)) }
        return switch actor.prompt {
        case .link: .link(proof, actorToken: actor.token)
        case .login: .reauthenticate(.identity(proof), actorToken: actor.token)
        }
    }

    private static func purpose(ofCustomToken token: String, for actor: Actor?) throws(OAuthError) -> Purpose {
        guard let actor else { return .signIn(.customToken(token)) }
        guard actor.prompt == .login else {
            throw OAuthError(.invalidRequest, "A custom token has no identity to link: send prompt=login.")
        }
        return .reauthenticate(.customToken(token), actorToken: actor.token)
    }

    /// Whether a request has something that may prove more than its client does.
    static func carriesProof(_ parameters: QueryParameters) -> Bool {
        parameters[OAuthParameter.actorToken] != nil || parameters[OAuthParameter.deviceSecret] != nil
            || parameters[OAuthParameter.subjectTokenType]?.hasSameBytes(as: SubjectType.customToken.rawValue) == true
    }
}

extension TokenExchangeRequest.Actor {
    /// - Returns: nil where no user is signed in.
    /// - Throws: ``OAuthError``.
    init?(_ parameters: QueryParameters) throws(OAuthError) {
        guard let token = parameters[OAuthParameter.actorToken] else {
            for parameter in [OAuthParameter.actorTokenType, OAuthParameter.actorPrompt]
            where parameters[parameter] != nil {
                throw OAuthError(.invalidRequest, "\(parameter.name) needs actor_token.")
            }
            return nil
        }
        let type = TokenExchangeRequest.accessTokenType
        guard try parameters.required(OAuthParameter.actorTokenType).hasSameBytes(as: type) else {
            throw OAuthError(.invalidRequest, "actor_token_type must be \(type).")
        }
        let text = parameters[OAuthParameter.actorPrompt] ?? Prompt.link.rawValue
        guard let prompt = Prompt.allCases.first(where: { $0.rawValue.hasSameBytes(as: text) }) else {
            throw OAuthError(.invalidRequest, "prompt must be link or login.")
        }
        self.init(token: token, prompt: prompt)
    }
}
