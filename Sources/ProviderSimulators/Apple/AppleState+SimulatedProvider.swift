import Foundation
import HTTPTypes
import ProviderKit

/// Apple's pages and endpoints.
extension AppleState: SimulatedProvider {
    var pages: ProviderPages {
        ProviderPages(
            provider: "Apple", authorizePath: "/auth/authorize", picturePath: "/avatars/", offersScopes: false,
            heading: "Sign in with Apple",
            facts: [
                ("Endpoints", url + "/auth/…"), ("Team", teamID), ("Keys", keys.keys.sorted().joined(separator: ", ")),
            ],
            applicationsHeading: "Registered clients",
            example: (
                url + "/_simulator/native-credentials",
                #"{"givenName":"\#(people.first?.givenName ?? "")","rawNonce":"n"}"#
            ))
    }

    static func addRoutes(to routes: ProviderRoutes<AppleState>) {
        ConsentEndpoint.add(to: routes, as: .authorize)
        routes.on(.post, "/auth/token", as: .token) { state, request in
            try state.answer(request) { state, form throws(OAuthFailure) in .appleJSON(try state.tokens(form)) }
        }
        routes.on(.post, "/auth/revoke", as: .revoke) { state, request in
            try state.answer(request) { state, form throws(OAuthFailure) in try state.revoke(form) }
        }
        routes.on(.post, "/auth/usermigrationinfo", as: .migration) { state, request in
            try state.answer(request) { state, form throws(OAuthFailure) in
                .appleJSON(try state.migrate(form, bearer: request.authorization(scheme: "bearer")))
            }
        }
        routes.on(.get, "/.well-known/openid-configuration", as: .discovery) { state, _ in .json(state.discovery) }
        // Apple sends no cache headers with its keys.
        routes.on(.get, "/auth/keys", as: .keys) { state, _ in .json(state.keySet) }
    }

    func notFound(_ path: String) -> SimulatorResponse? { ApplePages.notFound }

    func person(named name: String) -> Person? {
        people.first { $0.givenName?.lowercased() == name.lowercased() }
    }

    func choice(_ person: Person) -> (name: String, note: String) {
        (
            person.name,
            person.email.map { $0 + (person.hidesEmail ? " (hidden)" : "") } ?? "managed account without address"
        )
    }

    func consentExtra(_ request: SimulatedAuthorizationRequest) -> HTML {
        request.scopes?.contains("email") == true ? ApplePages.emailChoice : ""
    }

    func row(_ person: Person) -> HTML {
        let note = person.hidesEmail ? "hidden from apps" : person.isEmailVerified ? "verified" : "not verified"
        let address: HTML = person.email.map { "\($0) (\(note))" } ?? "managed account without address"
        return "<p><strong>\(person.name)</strong><br><small>\(address)</small></p>\n"
    }

    func row(_ application: Application) -> HTML {
        let isWeb = application.kind == .web
        let returns: HTML = isWeb ? "<br>returns to <code>\(application.returnURLs.joined(separator: ", "))</code>" : ""
        return """
            <dl><dt>\(application.name) · \(isWeb ? "Services ID" : "App ID")</dt>
            <dd>client ID <code>\(application.clientID)</code>\(returns)</dd></dl>

            """
    }

    private var discovery: JSONValue {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(url + "/auth/authorize"),
            "token_endpoint": .string(url + "/auth/token"),
            "revocation_endpoint": .string(url + "/auth/revoke"),
            "jwks_uri": .string(url + "/auth/keys"),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment", "form_post"],
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", "email", "name"],
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            "claims_supported": [
                "aud", "email", "email_verified", "exp", "iat", "is_private_email", "iss", "nonce", "nonce_supported",
                "real_user_status", "sub", "transfer_sub",
            ],
        ]
    }
}
