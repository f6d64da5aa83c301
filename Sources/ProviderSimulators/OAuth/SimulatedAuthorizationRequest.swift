import Foundation

/// An authorization request (RFC 6749 §4.1.1), validated against its client.
struct SimulatedAuthorizationRequest: Sendable {
    let clientID: String
    /// The redirect URI as the request named it; `nil` when it named none.
    var redirectURI: String?
    /// The target and the mode of the response.
    var response: SimulatedAuthorizationResponse
    /// The scopes that the client may be granted; `nil` when the request named none.
    var scopes: [String]?
    /// The requested scopes that the registration excludes.
    var excludedScopes: [String] = []
    var responseTypes: Set<String> = ["code"]
    var nonce: String?
    var codeChallenge: CodeChallenge?
}

extension SimulatedAuthorizationRequest {
    /// The request behind a code that is issued without a page.
    init(clientID: String, redirectURI: String?, codeChallenge: String? = nil, nonce: String? = nil) {
        self.init(
            clientID: clientID, redirectURI: redirectURI,
            response: SimulatedAuthorizationResponse(target: redirectURI ?? ""),
            nonce: nonce, codeChallenge: codeChallenge.map { CodeChallenge(value: $0) })
    }
}

/// An authorization response (RFC 6749 §4.1.2): the redirect that takes a code or an error to the client.
struct SimulatedAuthorizationResponse: Sendable {
    /// The validated redirect URI.
    var target: String
    var place = CallbackURI.Place.query
    var state: String?
    /// The `iss` parameter (RFC 9207), where the provider sends one.
    var issuer: String?

    func code(_ code: String) -> SimulatorResponse {
        CallbackURI(target).redirect(carrying: ["code": code, "state": state, "iss": issuer], in: place)
    }

    func error(_ code: String, _ description: String?, uri: String? = nil) -> SimulatorResponse {
        CallbackURI(target).redirect(
            carrying: [
                "error": code, "error_description": description, "error_uri": uri, "state": state, "iss": issuer,
            ], in: place)
    }

    func error(_ failure: OAuthFailure) -> SimulatorResponse {
        error(failure.code, failure.description)
    }
}

/// A consent page that awaits the user's decision.
struct PendingConsent: Sendable {
    let request: SimulatedAuthorizationRequest
    let expiresAt: Date
}

/// The pair of client and user that a grant is about.
struct SimulatorGrantKey<PersonID: Hashable & Sendable>: Hashable, Sendable {
    let clientID: String
    let personID: PersonID
}

/// An authorization code.
struct SimulatedAuthorizationCode<PersonID: Hashable & Sendable>: Sendable {
    let grant: SimulatorGrantKey<PersonID>
    /// The redirect URI as the authorization request named it.
    let redirectURI: String?
    let scopes: [String]
    let nonce: String?
    let codeChallenge: CodeChallenge?
    let expiresAt: Date
    /// The token or grant that the code was redeemed for; `nil` until then.
    var redemption: String?
}
