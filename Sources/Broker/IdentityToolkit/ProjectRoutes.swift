import Hummingbird
import ProviderKit

/// The project's public settings, and the endpoints this broker deliberately lacks (contract §2.11, §2.12).
struct ProjectRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.identityToolkit(.get, "/v1/projects", settings)
        for host in ["", "/www.googleapis.com"] {
            let path = host + "/identitytoolkit/v3/relyingparty/getProjectConfig"
            routes.on(.get, path, counting: .byProof, settings)
        }
        for (name, legacy) in Self.outOfScope {
            let refused = name == "signInWithPassword" ? WireError.code(.passwordLoginDisabled) : Self.refused
            routes.account(name, legacy: legacy, refusal(refused))
        }
        for path in Self.outOfScopeV2 { routes.identityToolkit(.post, path, refusal(Self.refused)) }
        for path in Self.outOfScopeDocuments { routes.identityToolkit(.get, path, refusal(Self.refused)) }
        routes.identityToolkit(.get, Self.recaptchaPath, recaptcha)
    }

    @Sendable
    func settings(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.app(request)
        return .json([
            "projectId": .string(toolkit.projectNumber),
            "authorizedDomains": .array(toolkit.providers.settings.current.authorizedDomains.map(JSONValue.string)),
        ])
    }

    /// The configuration of reCAPTCHA: no method enforces it. Firebase's JavaScript SDK takes the key out of its fourth
    /// part, and throws where it has none.
    @Sendable
    func recaptcha(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.app(request)
        return .json([
            "recaptchaKey": .string("projects/\(toolkit.projectID)/keys/none"), "recaptchaEnforcementState": [],
        ])
    }

    private func refusal(_ error: WireError) -> Routes.Handler {
        { request, _ in
            _ = try await toolkit.app(request)
            throw error
        }
    }

    private static let refused = WireError.code(
        .operationNotAllowed, "This broker signs users in through identity providers only.")

    static let recaptchaPath = "/v2/recaptchaConfig"

    static let outOfScope: [(name: String, legacy: String?)] = [
        ("signInWithPassword", "verifyPassword"), ("signInWithEmailLink", "emailLinkSignin"),
        ("sendOobCode", "getOobConfirmationCode"), ("resetPassword", "resetPassword"),
        ("sendVerificationCode", "sendVerificationCode"), ("signInWithPhoneNumber", "verifyPhoneNumber"),
        ("verifyIosClient", nil), ("signInWithGameCenter", nil), ("issueSamlResponse", nil),
    ]

    static let outOfScopeDocuments = ["/v2/passwordPolicy", "/v1/recaptchaParams"]

    static let outOfScopeV2 = [
        "/v2/accounts/mfaEnrollment:start", "/v2/accounts/mfaEnrollment:finalize",
        "/v2/accounts/mfaEnrollment:withdraw", "/v2/accounts/mfaSignIn:start", "/v2/accounts/mfaSignIn:finalize",
        "/v2/accounts/passkeyEnrollment:start", "/v2/accounts/passkeyEnrollment:finalize",
        "/v2/accounts/passkeySignIn:start", "/v2/accounts/passkeySignIn:finalize",
    ]
}
