import Foundation
import HTTPTypes
import ProviderKit
import ProviderKitTesting

/// The pages, endpoints and control calls of a simulated OpenID provider.
extension OpenIDState: SimulatedProvider {
    var pages: ProviderPages {
        ProviderPages(
            provider: "OpenID provider", authorizePath: Endpoint.authorize.path, picturePath: "/pictures/",
            devicePath: Endpoint.devicePage.path, deviceAddress: Endpoint.devicePage.path,
            title: options.mode == .oauth2 ? "OAuth 2 server" : "OpenID provider", facts: [("Issuer", url)])
    }

    static func addRoutes(to routes: ProviderRoutes<OpenIDState>) {
        ConsentEndpoint.add(to: routes, as: .authorize)
        DeviceEndpoint.add(to: routes, as: .devicePage)
        routes.on(.post, Endpoint.token.path, as: .token) { try $0.answerTokenRequest($1) }
        routes.on(.post, Endpoint.revoke.path, as: .revoke) { try $0.answerRevocation($1) }
        routes.on(.post, Endpoint.deviceAuthorization.path, as: .deviceAuthorization) { state, request in
            try state.answerDeviceRequest(request.parameters())
        }
        routes.on(.get, Endpoint.userinfo.path, as: .userinfo) { $0.userinfo($1) }
        guard routes.core.read({ $0.options.mode == .openIDConnect }) else { return }
        routes.on(.get, Endpoint.discovery.path, as: .discovery) { state, _ in
            .json(state.lies.discovery ?? .object(state.discovery.merging(state.lies.discoveryMembers)))
        }
        routes.on(.get, Endpoint.keys.path, as: .keys) { state, _ in
            .json(state.lies.keySet ?? state.memory.mint.keys.document)
        }
    }

    /// | call | body | answer |
    /// |---|---|---|
    /// | `POST authorization-codes` | `{sub, clientId?, redirectUri?, codeChallenge?, nonce?}` | `{code, redirectUri}` |
    /// | `POST id-tokens` | `{sub, clientId?, nonce?}` | `{idToken}` |
    static func addControls(to controls: ProviderControls<OpenIDState>) {
        controls.credential("authorization-codes", userKey: "sub") { state, order in
            let request = order.request(redirectURI: order.application.redirectURIs.first ?? "")
            let code = state.issueCode(
                for: request, to: order.person.subject, scopes: OpenIDSimulator.standardScopes)
            return ["code": .string(code), "redirectUri": JSONValue(request.redirectURI)]
        }
        controls.credential("id-tokens", userKey: "sub") { state, order in
            let token = state.idToken(
                for: order.person, clientID: order.application.clientID, nonce: order.members.nonce, accessToken: nil)
            return ["idToken": .string(token)]
        }
    }

    func person(named name: String) -> Person? { person(name) }

    func choice(_ person: Person) -> (name: String, note: String) {
        (person.name, person.claims["email"]?.string ?? person.subject)
    }

    func row(_ person: Person) -> HTML {
        """
        <p><strong>\(person.name)</strong> · \(person.claims["email"]?.string ?? "no address")<br>
        <small>sub <code>\(person.subject)</code></small></p>

        """
    }

    func row(_ application: Application) -> HTML {
        """
        <dl><dt>\(application.name) · \(application.authentication.method)</dt><dd>client ID \
        <code>\(application.clientID)</code><br>redirect URIs \
        <code>\(application.redirectURIs.joined(separator: " "))</code></dd></dl>

        """
    }

    /// The honest discovery document (OpenID Connect Discovery §4).
    private var discovery: JSONObject {
        func url(_ endpoint: Endpoint) -> JSONValue { .string(self.url + endpoint.path) }
        return [
            "issuer": .string(self.url), "authorization_endpoint": url(.authorize), "token_endpoint": url(.token),
            "userinfo_endpoint": url(.userinfo), "jwks_uri": url(.keys), "revocation_endpoint": url(.revoke),
            "device_authorization_endpoint": url(.deviceAuthorization),
            "scopes_supported": .array(OpenIDSimulator.standardScopes.map(JSONValue.string)),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [
                options.quirks.contains(.signsWithClientSecret) ? "HS256" : .string(options.algorithm.rawValue)
            ],
            "token_endpoint_auth_methods_supported": [
                "client_secret_basic", "client_secret_post", "private_key_jwt", "none",
            ],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": .bool(lies.issuerParameter != .off),
        ]
    }

    /// `GET /userinfo` (OpenID Connect Core §5.3).
    private func userinfo(_ request: SimulatorRequest) -> SimulatorResponse {
        guard let token = request.authorization(scheme: "bearer"), let grant = grant(ofAccessToken: token),
            let person = person(grant.key.personID)
        else {
            return OAuthFailure(
                "invalid_token", "The access token is unknown or expired.", status: 401,
                challenge: #"Bearer error="invalid_token""#
            ).response
        }
        return .json(lies.userinfo ?? person.userinfo ?? person.json)
    }
}

extension OpenIDSimulator.Person: SimulatorPerson, ControlRecord {
    struct Draft: Decodable, Sendable {
        let sub: String?, claims: JSONValue?, userinfo: JSONValue?
    }

    init(_ draft: Draft) {
        self.init(subject: draft.sub, claims: draft.claims?.object ?? [:], userinfo: draft.userinfo)
    }

    var json: JSONValue {
        var claims = claims
        claims["sub"] = .string(subject)
        return .object(claims)
    }
}

extension OpenIDSimulator.Application: SimulatorApplication, ControlRecord {
    struct Draft: Decodable, Sendable {
        let name: String?, redirectUris: [String]?
    }

    init(_ draft: Draft) {
        self.init(
            redirectURIs: draft.redirectUris ?? ["http://127.0.0.1/callback"],
            name: draft.name ?? "Example application")
    }

    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": JSONValue(clientSecret), "name": .string(name),
            "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "tokenEndpointAuthMethod": .string(authentication.method),
        ]
    }
}
