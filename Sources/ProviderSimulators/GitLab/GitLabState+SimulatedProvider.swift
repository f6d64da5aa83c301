import Foundation
import HTTPTypes
import ProviderKit

/// GitLab's pages, endpoints and control calls.
extension GitLabState: SimulatedProvider {
    static let authorizePath = "/oauth/authorize"
    static let tokenPath = "/oauth/token"
    static let sessionCookie = "simulator_gitlab_session"

    /// The path below which the installation stands; empty at the root.
    var prefix: String { options.pathPrefix }

    var pages: ProviderPages {
        // The control interface stands at the root, wherever the installation does.
        let origin = url.split(separator: "/").prefix(2).joined(separator: "//")
        return ProviderPages(
            provider: "GitLab", authorizePath: prefix + Self.authorizePath,
            picturePath: prefix + "/uploads/user/avatar/", devicePath: prefix + "/oauth/device",
            deviceAddress: "/oauth/device", prefillsUserCode: true,
            // GitLab's page is all or nothing.
            offersScopes: false, cookie: (Self.sessionCookie, prefix + "/"),
            facts: [("Installation", url), ("REST API", url + "/api/v4")],
            example: (
                origin + "/_simulator/access-tokens", #"{"username":"\#(people.first?.username ?? "")"}"#
            ))
    }

    static func addRoutes(to routes: ProviderRoutes<GitLabState>) {
        let prefix = routes.core.read(\.prefix)
        ConsentEndpoint.add(to: routes, as: .authorize)
        DeviceEndpoint.add(to: routes, as: .devicePage)
        routes.on(.post, prefix + tokenPath, as: .token) { try $0.answerTokenRequest($1) }
        routes.on(.post, prefix + "/oauth/authorize_device", as: .deviceCode) { try $0.answerDeviceRequest($1) }
        routes.on(.get, prefix + "/oauth/token/info", as: .tokenInfo) { try $0.tokenInfo($1) }
        routes.on(.post, prefix + "/oauth/introspect", as: .introspect) { try $0.introspect($1) }
        routes.on(.post, prefix + "/oauth/revoke", as: .revoke) { try $0.revoke($1) }
        routes.on(.get, prefix + "/oauth/userinfo", as: .userinfo) { try $0.userinfo($1) }
        routes.on(.post, prefix + "/oauth/userinfo", as: .userinfo) { try $0.userinfo($1) }
        routes.on(.get, prefix + "/oauth/discovery/keys", as: .keys) { state, _ in
            var response = SimulatorResponse.json(state.publishedKeys)
            response.headers[.cacheControl] = "max-age=86400, public, must-revalidate"
            return response
        }
        for name in ["openid-configuration", "oauth-authorization-server"] {
            routes.on(.get, prefix + "/.well-known/" + name, as: .discovery) { state, _ in
                .json(GitLabDiscovery(url: state.url).document)
            }
        }
        SimulatedGitLabAPI.addUserRoutes(to: routes)
    }

    /// | call | body | answer |
    /// |---|---|---|
    /// | `POST authorization-codes` | `{username, clientId?, redirectUri?, scopes?, codeChallenge?, nonce?}` | `{code, redirectUri}` |
    /// | `POST access-tokens` | `{username, clientId?, scopes?}` | `{accessToken}` |
    /// | `POST id-tokens` | `{username, clientId?, scopes?, nonce?}` | `{idToken}` |
    static func addControls(to controls: ProviderControls<GitLabState>) {
        controls.credential("authorization-codes", userKey: "username") { state, order in
            let request = order.request(redirectURI: order.application.redirectURIs.first ?? "")
            let scopes = order.members.scopes ?? order.application.scopes
            return [
                "code": .string(state.issueCode(for: request, to: order.person.id, scopes: scopes)),
                "redirectUri": JSONValue(request.redirectURI),
            ]
        }
        controls.credential("access-tokens", userKey: "username") { state, order in
            let token = state.grantedToken(for: order.person, order.application, scopes: order.members.scopes)
            return ["accessToken": .string(token.value)]
        }
        controls.credential("id-tokens", userKey: "username") { state, order in
            let token = state.grantedToken(for: order.person, order.application, scopes: order.members.scopes)
            return ["idToken": JSONValue(state.idToken(for: token, nonce: order.members.nonce))]
        }
    }

    func person(named name: String) -> Person? {
        people.first { $0.username.lowercased() == name.lowercased() }
    }

    func choice(_ person: Person) -> (name: String, note: String) {
        let marks = [person.confirmedAt == nil ? "not confirmed" : nil].compactMap(\.self) + person.marks
        let address = person.email + (marks.isEmpty ? "" : " (\(marks.joined(separator: ", ")))")
        return (person.name, "@\(person.username) · \(address)")
    }

    /// The permissions of the client: the user grants all of it or nothing.
    func consentExtra(_ request: SimulatedAuthorizationRequest) -> HTML {
        let rows: [HTML] = (request.scopes ?? []).map { scope in
            "<dt><code>\(scope)</code></dt><dd>\(GitLabScopes.meanings[scope] ?? "Further access")</dd>"
        }
        return "<h2>It will be able to</h2><dl>\(rows)</dl>"
    }

    func row(_ person: Person) -> HTML {
        let marks = [person.confirmedAt == nil ? "not confirmed" : "confirmed"] + person.marks
        return """
            <p><strong>\(person.username)</strong> · \(person.name) · id \(person.id)<br>
            <small>\(person.email) (\(marks.joined(separator: ", ")))</small></p>

            """
    }

    func row(_ application: Application) -> HTML {
        let addresses: [HTML] = application.redirectURIs.map { "<br>redirect URI <code>\($0)</code>" }
        return """
            <dl><dt>\(application.name) · \(application.isConfidential ? "confidential" : "public")</dt>
            <dd>application ID <code>\(application.clientID)</code>\(addresses)</dd></dl>

            """
    }
}

extension GitLabSimulator.Person: SimulatorPerson, ControlRecord {
    struct Draft: Decodable, Sendable {
        let username: String, name: String?, email: String, confirmed: Bool?, publicEmail: String?
        let state: GitLabSimulator.Person.State?, locked: Bool?
    }

    init(_ draft: Draft) {
        self.init(username: draft.username, name: draft.name, email: draft.email, publicEmail: draft.publicEmail)
        if draft.confirmed == false { confirmedAt = nil }
        state = draft.state ?? .active
        isLocked = draft.locked ?? false
    }

    var json: JSONValue {
        [
            "id": .integer(id), "username": .string(username), "name": .string(name), "email": .string(email),
            "confirmed": .bool(confirmedAt != nil), "publicEmail": JSONValue(publicEmail),
            "state": .string(state.rawValue), "locked": .bool(isLocked),
        ]
    }

    /// The restrictions of the account, for the simulator's own pages.
    fileprivate var marks: [String] {
        [state == .active ? nil : state.rawValue, isLocked ? "locked" : nil].compactMap(\.self)
    }
}

extension GitLabSimulator.Application: SimulatorApplication, ControlRecord {
    struct Draft: Decodable, Sendable {
        let name: String?, redirectUris: [String]?, scopes: [String]?, confidential: Bool?
    }

    init(_ draft: Draft) {
        self.init(isConfidential: draft.confidential ?? true)
        name = draft.name ?? name
        redirectURIs = draft.redirectUris ?? redirectURIs
        scopes = draft.scopes ?? scopes
    }

    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": .string(clientSecret), "name": .string(name),
            "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "scopes": .array(scopes.map(JSONValue.string)), "confidential": .bool(isConfidential),
        ]
    }
}
