import Foundation
import HTTPTypes
import ProviderKit

/// 1Pass's pages and endpoints.
extension OnePassState: SimulatedProvider {
    var pages: ProviderPages {
        ProviderPages(
            provider: "1Pass", authorizePath: "/oauth/authorize", picturePath: "/pictures/",
            devicePath: "/oauth/device", deviceAddress: "/oauth/device", prefillsUserCode: true,
            cookie: ("simulator_session", "/oauth"),
            facts: [("Issuer", issuer), ("Discovery", url + "/.well-known/openid-configuration")],
            example: (url + "/_simulator/tokens", #"{"person":"\#(people.first.map { choice($0).name } ?? "")"}"#))
    }

    static func addRoutes(to routes: ProviderRoutes<OnePassState>) {
        ConsentEndpoint.add(to: routes, as: .authorize)
        DeviceEndpoint.add(to: routes, as: .devicePage)
        routes.on(.get, "/.well-known/openid-configuration", as: .discovery) { state, _ in
            .json(.object(state.discovery))
        }
        routes.on(.get, "/.well-known/jwks.json", as: .keys) { state, _ in
            var response = SimulatorResponse.json(state.keySet)
            response.headers[.cacheControl] = "public, max-age=3600"
            return response
        }
        routes.on(.post, "/oauth/token", as: .token) { try $0.answerTokenRequest($1) }
        routes.on(.post, "/oauth/revoke", as: .revoke) { try $0.answerRevocation($1) }
        routes.on(.post, "/oauth/device_authorization", as: .deviceAuthorization) { try $0.answerDeviceRequest($1) }
        routes.on(.get, "/oauth/userinfo", as: .userinfo) { $0.userinfo($1, takesPersonalKeys: false) }
        routes.on(.get, "/api/v1/oauth/userinfo", as: .userinfo) { $0.userinfo($1, takesPersonalKeys: true) }
        routes.on(.get, "/api/v1/events", as: .events) { state, request in
            try OnePassEventList.answer(request, &state)
        }
        OnePassAccountRoutes.add(to: routes)
        OnePassDeviceKeyRoutes.add(to: routes)
    }

    func notFound(_ path: String) -> SimulatorResponse? { SimulatedOnePassAPI.notFound }

    /// An absorbed account signs in as its survivor.
    func sessionOwner(_ person: Person) -> Int64 { survivor(of: person.id) }

    func deviceProblem(of person: Person, _ application: Application) -> SimulatorResponse? {
        guard !application.admits(person) else { return nil }
        return SimulatedDevicePage(path: "/oauth/device").entry(
            problem: "Choose a person who may use this application.")
    }

    func person(named name: String) -> Person? { person(name) ?? person(preferredName: name) }

    func choice(_ person: Person) -> (name: String, note: String) {
        let address = person.email.map { $0.verified == true ? $0.address : $0.address + " (not verified)" }
        let marks = [person.isAnonymous ? "anonymous" : nil, address ?? "no address"]
        return (
            person.preferredName ?? person.fullName ?? "account \(person.id)",
            marks.compactMap(\.self).joined(separator: " · ")
        )
    }

    func meaning(ofScope scope: String) -> String? { OnePassScopes.meanings[scope] }

    func row(_ person: Person) -> HTML {
        let (name, note) = choice(person)
        let survivor = survivor(of: person.id)
        let merged = survivor == person.id ? "" : ", part of \(survivor)"
        return """
            <p><strong>\(name)</strong> · \(person.fullName ?? "no full name") · sub \(person.subject)\
            \(merged)<br><small>\(note)</small></p>

            """
    }

    func row(_ application: Application) -> HTML {
        """
        <dl><dt>\(application.name) · \(application.type.rawValue)</dt>
        <dd>client ID <code>\(application.clientID)</code><br>
        callback <code>\(application.redirectURIs.joined(separator: " "))</code></dd></dl>

        """
    }

    private var discovery: JSONObject {
        func at(_ path: String) -> JSONValue { .string(url + path) }
        var document: JSONObject = [
            "issuer": .string(issuer), "authorization_endpoint": at("/oauth/authorize"),
            "token_endpoint": at("/oauth/token"), "jwks_uri": at("/.well-known/jwks.json"),
            "revocation_endpoint": at("/oauth/revoke"),
            "device_authorization_endpoint": at("/oauth/device_authorization"),
            "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "grant_types_supported": ["authorization_code", "refresh_token", .string(Self.deviceGrant)],
            "id_token_signing_alg_values_supported": ["RS256"], "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "scopes_supported": .array(Application.standardScopes.map(JSONValue.string)),
        ]
        if behaviour.namesUserinfoEndpoint { document["userinfo_endpoint"] = at("/oauth/userinfo") }
        return document
    }
}
