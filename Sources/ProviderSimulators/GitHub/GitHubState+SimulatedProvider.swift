import HTTPTypes
import ProviderKit

/// GitHub's pages, endpoints and control calls.
extension GitHubState: SimulatedProvider {
    static let authorizePath = "/login/oauth/authorize"
    static let tokenPath = "/login/oauth/access_token"
    static let deviceCodePath = "/login/device/code"

    var pages: ProviderPages {
        ProviderPages(
            provider: "GitHub", authorizePath: Self.authorizePath, picturePath: "/avatars/u/",
            devicePath: "/login/device", deviceAddress: "/login/device", cookie: ("simulator_session", "/login"),
            facts: [("OAuth endpoints", url + "/login/oauth/…"), ("REST API", url + apiPath)],
            example: (url + "/_simulator/access-tokens", #"{"login":"\#(people.first?.login ?? "")"}"#))
    }

    static func addRoutes(to routes: ProviderRoutes<GitHubState>) {
        ConsentEndpoint.add(to: routes, as: .authorize)
        DeviceEndpoint.add(to: routes, as: .devicePage)
        routes.on(.post, tokenPath, as: .accessToken) { try $0.answerTokenRequest($1) }
        routes.on(.post, deviceCodePath, as: .deviceCode) { try $0.answerDeviceRequest($1) }
        // RFC 8414: the well-known part precedes the issuer's path.
        routes.on(.get, "/.well-known/oauth-authorization-server/login/oauth", as: .metadata) { state, _ in
            .json(state.metadata)
        }
        SimulatedGitHubAPI.addUserRoutes(to: routes)
        SimulatedGitHubAPI.addApplicationRoutes(to: routes)
    }

    /// | call | body | answer |
    /// |---|---|---|
    /// | `POST authorization-codes` | `{login, clientId?, redirectUri?, scopes?, codeChallenge?}` | `{code, redirectUri}` |
    /// | `POST access-tokens` | `{login, clientId?, scopes?}` | `{accessToken}` |
    static func addControls(to controls: ProviderControls<GitHubState>) {
        let usualScopes = ["read:user", "user:email"]
        controls.credential("authorization-codes", userKey: "login") { state, order in
            let code = state.issueCode(
                for: order.request(redirectURI: nil), to: order.person.id, scopes: order.members.scopes ?? usualScopes)
            return [
                "code": .string(code),
                "redirectUri": .string(order.members.redirectUri ?? order.application.callbackURL),
            ]
        }
        controls.credential("access-tokens", userKey: "login") { state, order in
            let token = state.grantedToken(for: order.key, scopes: order.members.scopes ?? usualScopes)
            return ["accessToken": .string(token.value)]
        }
    }

    func person(named name: String) -> GitHubSimulator.Person? {
        people.first { $0.login.lowercased() == name.lowercased() }
    }

    func choice(_ person: GitHubSimulator.Person) -> (name: String, note: String) {
        let email = person.emails.first(where: \.primary)
        let address = email.map { $0.address + ($0.verified ? "" : " (not verified)") } ?? "no address"
        return (person.name ?? person.login, "\(person.login) · \(address)")
    }

    func meaning(ofScope scope: String) -> String? { SimulatedGitHubScopes.meanings[scope] }

    func row(_ person: GitHubSimulator.Person) -> HTML {
        let addresses: [HTML] = person.emails.map { email in
            let marks = [email.primary ? "primary" : nil, email.verified ? "verified" : "not verified"]
            return "<br><small>\(email.address) (\(marks.compactMap(\.self).joined(separator: ", ")))</small>"
        }
        return "<p><strong>\(person.login)</strong> · \(person.name ?? "no name") · id \(person.id)\(addresses)</p>\n"
    }

    func row(_ application: GitHubSimulator.Application) -> HTML {
        """
        <dl><dt>\(application.name) · \(application.kind == .oauthApp ? "OAuth app" : "GitHub App")</dt>
        <dd>client ID <code>\(application.clientID)</code><br>
        callback <code>\(application.callbackURL)</code></dd></dl>

        """
    }

    private var metadata: JSONValue {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(url + Self.authorizePath),
            "token_endpoint": .string(url + Self.tokenPath),
            "device_authorization_endpoint": .string(url + Self.deviceCodePath),
            "response_types_supported": ["code"],
            "grant_types_supported": [
                "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
            ],
            "code_challenge_methods_supported": options.checksCodeChallenge ? ["S256"] : [],
            "authorization_response_iss_parameter_supported": .bool(issuerParameter != .off),
        ]
    }
}

extension GitHubSimulator.Person: SimulatorPerson, ControlRecord {
    struct Draft: Decodable, Sendable {
        struct Email: Decodable, Sendable {
            let email: String, primary: Bool?, verified: Bool?
            let visibility: GitHubSimulator.Person.Email.Visibility?
        }

        let login: String, name: String?, emails: [Email]?
    }

    init(_ draft: Draft) {
        self.init(
            login: draft.login, name: draft.name,
            emails: (draft.emails ?? []).map {
                .init(
                    address: $0.email, primary: $0.primary ?? true, verified: $0.verified ?? true,
                    visibility: $0.visibility)
            })
    }

    var json: JSONValue {
        [
            "id": .integer(id), "login": .string(login), "name": JSONValue(name), "emails": .array(emails.map(\.json)),
            "publicEmail": JSONValue(publicEmail),
        ]
    }
}

extension GitHubSimulator.Application: SimulatorApplication, ControlRecord {
    struct Draft: Decodable, Sendable {
        enum Kind: String, Decodable, Sendable { case oauthApp, gitHubApp }

        let name: String?, callbackUrl: String?, kind: Kind?, deviceFlow: Bool?
    }

    init(_ draft: Draft) {
        self.init(
            kind: draft.kind == .gitHubApp ? .gitHubApp() : .oauthApp, deviceFlowEnabled: draft.deviceFlow ?? false)
        name = draft.name ?? name
        callbackURL = draft.callbackUrl ?? callbackURL
    }

    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": .string(clientSecret), "name": .string(name),
            "callbackUrl": .string(callbackURL), "kind": kind == .oauthApp ? "oauthApp" : "gitHubApp",
            "deviceFlow": .bool(deviceFlowEnabled),
        ]
    }
}
