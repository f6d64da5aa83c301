import HTTPTypes
import Hummingbird
import ProviderKit

/// An error response to an OAuth client (RFC 6749 §5.2). Flows throw it; the routes answer it. The texts are for
/// developers and never repeat what was sent.
package struct OAuthError: Error, Sendable, Equatable {
    /// The registered codes (RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, RFC 8628 §3.5, OpenID Connect
    /// Core §3.1.2.6), where nothing else is said.
    package enum Code: String, Sendable, CaseIterable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        /// RFC 8693 §2.2.2.
        case invalidTarget = "invalid_target"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case invalidToken = "invalid_token"
        case insufficientScope = "insufficient_scope"
        case accessDenied = "access_denied"
        case authorizationPending = "authorization_pending"
        case slowDown = "slow_down"
        case expiredToken = "expired_token"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
        case unsupportedResponseType = "unsupported_response_type"
        case loginRequired = "login_required"
        case interactionRequired = "interaction_required"
        case requestNotSupported = "request_not_supported"
        case requestURINotSupported = "request_uri_not_supported"
        /// RFC 9470 §3.
        case insufficientUserAuthentication = "insufficient_user_authentication"
        /// OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
        case unmetAuthenticationRequirements = "unmet_authentication_requirements"
    }

    /// Absent when the request names no token at all (RFC 6750 §3.1).
    package let code: Code?
    package let description: String?
    /// The further parameters of `WWW-Authenticate`: what an access token lacks.
    let challengeParameters: [String: String]
    /// Further members of the body (RFC 6749 §5.2 leaves them to extensions). Some are secrets.
    var members = JSONObject()
    /// Seconds after which the request may be repeated.
    var retryAfter: Int?
    let isProofRefused: Bool

    package init(_ code: Code, _ description: String) {
        self.init(code: code, description: description, challengeParameters: [:])
    }

    private init(
        code: Code?, description: String?, challengeParameters: [String: String], isProofRefused: Bool? = nil
    ) {
        self.code = code
        self.description = description
        self.challengeParameters = challengeParameters
        self.isProofRefused = isProofRefused ?? (code?.refusesProof ?? false)
    }

    /// The answer of a grant to what a flow of accounts refuses; nil for what is no judgement on the grant. The
    /// description of `invalid_grant` begins with the stable code.
    init?(refusedGrant error: BrokerError) {
        guard let code = Code(refusedGrant: error.category) else { return nil }
        self.init(
            code: code, description: code == .invalidGrant ? error.message : error.text, challengeParameters: [:],
            isProofRefused: error.isProofRefused)
        if case .needConfirmation(let providers?) = error {
            members["providers"] = .array(providers.map(JSONValue.string))
        }
        // Clients that may repeat the request are told when.
        if code == .temporarilyUnavailable { retryAfter = error.definition.retryAfter ?? 5 }
    }

    /// Runs a flow of accounts; what it refuses is answered as an error of the grant.
    ///
    /// - Throws: As ``TokenGrant/refusing(_:)``.
    static func refusingGrant<Value>(_ flow: () async throws -> Value) async throws -> Value {
        do {
            return try await flow()
        } catch let error as BrokerError {
            guard let refusal = OAuthError(refusedGrant: error) else { throw error }
            RequestAdmission.note(error)
            throw refusal
        }
    }

    /// The user of the refresh token's session was merged into another one, for a client that accepts it.
    static func merged(_ mergeToken: String) -> OAuthError {
        var error = OAuthError(
            code: .invalidGrant, description: "The user was merged into another one: redeem merge_token.",
            challengeParameters: [:], isProofRefused: false)
        error.members["merge_token"] = .string(mergeToken)
        return error
    }

    /// The request names no token.
    static let missingToken = OAuthError(code: nil, description: nil, challengeParameters: [:])

    /// The bearer token is not valid (RFC 6750 §3.1).
    static let invalidToken = OAuthError(
        .invalidToken, "The access token is unknown, has expired, or its session has ended.")

    /// The bearer token is valid for something else (RFC 6750 §3.1).
    static func insufficientScope(_ scope: Scope) -> OAuthError {
        OAuthError(
            code: .insufficientScope, description: "The access token lacks the scope \(scope.rawValue).",
            challengeParameters: ["scope": scope.rawValue])
    }

    /// The credential is valid for something else (RFC 6750 §3.1).
    static func insufficientScope(_ scope: AdminScope) -> OAuthError {
        OAuthError(
            code: .insufficientScope, description: "The credential lacks the scope \(scope.rawValue).",
            challengeParameters: ["scope": scope.rawValue])
    }

    /// The bearer token comes from a login that does not satisfy a step-up rule (RFC 9470 §3).
    static func insufficientUserAuthentication(_ rule: StepUpRule) -> OAuthError {
        var parameters = ["acr_values": rule.acr]
        parameters["max_age"] = rule.maxAge.map(String.init)
        return OAuthError(
            code: .insufficientUserAuthentication, description: rule.requirement, challengeParameters: parameters)
    }
}

extension OAuthError: CodedError {
    var stableCode: String { code?.rawValue ?? "missing_token" }
}

extension OAuthError.Code {
    /// The code for a refused grant; nil where the error is answered as at every other endpoint. No `default`:
    /// `invalid_grant` makes clients discard their refresh token, so a new category has to decide for it.
    fileprivate init?(refusedGrant category: BrokerError.Category) {
        switch category {
        case .endedSession, .endedLogin, .invalidToken, .invalidCustomToken, .invalidDeviceSecret, .loginTooOld,
            .stepUpRequired, .invalidCredential, .unusableCredential, .cancelled, .providerMisconfigured,
            .profileUnusable, .unknownAttempt, .attemptOfAnother, .disabledUser, .otherUser, .notAdmitted,
            .identityLinked,
            .providerLinked, .emailTaken, .lastSignInMethod, .signUpOff, .deletionOff, .invalidRequest, .missingScope:
            self = .invalidGrant
        case .providerUnavailable, .deviceRateLimited: self = .temporarilyUnavailable
        case .rateLimited: return nil
        }
    }

    fileprivate var refusesProof: Bool {
        switch self {
        case .invalidClient, .invalidGrant, .invalidToken: true
        case .invalidRequest, .invalidScope, .invalidTarget, .unauthorizedClient, .unsupportedGrantType,
            .insufficientScope, .accessDenied, .authorizationPending, .slowDown, .expiredToken, .serverError,
            .temporarilyUnavailable, .unsupportedResponseType, .loginRequired, .interactionRequired,
            .requestNotSupported, .requestURINotSupported, .insufficientUserAuthentication,
            .unmetAuthenticationRequirements:
            false
        }
    }

    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .invalidClient, .invalidToken, .insufficientUserAuthentication: .unauthorized
        case .insufficientScope: .forbidden
        case .temporarilyUnavailable: .serviceUnavailable
        case .invalidRequest, .invalidGrant, .invalidScope, .invalidTarget, .unauthorizedClient,
            .unsupportedGrantType, .accessDenied, .authorizationPending, .slowDown, .expiredToken, .serverError,
            .unsupportedResponseType, .loginRequired, .interactionRequired, .requestNotSupported,
            .requestURINotSupported, .unmetAuthenticationRequirements:
            .badRequest
        }
    }
}

extension OAuthError: ProofRefusal {
    private var status: HTTPResponse.Status { code?.status ?? .unauthorized }

    /// The value of `WWW-Authenticate`, for 401 and 403.
    private var challenge: String? {
        guard code != .invalidClient else { return #"Basic realm="broker", charset="UTF-8""# }
        guard [.unauthorized, .forbidden].contains(status) else { return nil }
        var challenge = #"Bearer realm="broker""#
        if let code, let description {
            challenge += #", error="\#(code.rawValue)", error_description="\#(description)""#
        }
        for (name, value) in challengeParameters.sorted(by: { $0.key < $1.key }) {
            challenge += #", \#(name)="\#(value)""#
        }
        return challenge
    }

    func response() -> Response { response(status) }

    /// Notes why the request is refused.
    func note() { RequestAdmission.note(code: stableCode, description) }

    fileprivate func response(_ status: HTTPResponse.Status) -> Response {
        note()
        var body = JSONObject()
        body["error"] = code.map { .string($0.rawValue) }
        body["error_description"] = description.map(JSONValue.string)
        for (name, value) in members { body[name] = value }
        var response = Response.json(.object(body), status: status)
        response.headers[.wwwAuthenticate] = challenge
        response.headers[.retryAfter] = retryAfter.map(String.init)
        return response
    }
}

extension ParameterError {
    /// The answer to an OAuth client.
    func oauthResponse() -> Response {
        OAuthError(.invalidRequest, text).response(self == .tooLarge ? .contentTooLarge : .badRequest)
    }
}

extension ErrorEnvelope {
    /// The JSON of RFC 6749 §5.2, for errors of a request that no flow has seen.
    static let oauth = ErrorEnvelope(
        failure: {
            OAuthError(.serverError, "The broker failed. The reason is in its log.").response(.internalServerError)
        }
    ) { error in
        if error.isTooManyAttempts {
            var response = OAuthError(.temporarilyUnavailable, "Too many requests. Wait for Retry-After.")
                .response(.tooManyRequests)
            response.headers[.retryAfter] = error.headers[.retryAfter]
            return response
        }
        let code = error.httpStatus.kind == .serverError ? OAuthError.Code.serverError : .invalidRequest
        var response = OAuthError(code, error.message).response(error.httpStatus)
        for field in error.headers { response.headers[field.name] = field.value }
        return response
    }
}
