import Hummingbird
import ProviderKit

/// The project's public settings, and the endpoints this broker deliberately lacks (contract §2.11, §2.12).
struct ProjectRoutes: Sendable {
    let callers: CallerCheck
    /// The project number.
    let number: String
    let settings: LiveProjectSettings

    func add(to routes: Routes) {
        routes.identityToolkit(.get, "/v1/projects", settings)
        for host in ["", "/www.googleapis.com"] {
            let path = host + "/identitytoolkit/v3/relyingparty/getProjectConfig"
            routes.on(.get, path, counting: .byProof, settings)
        }
        for (name, legacy) in Self.outOfScope {
            let code = name == "signInWithPassword" ? "PASSWORD_LOGIN_DISABLED" : "OPERATION_NOT_ALLOWED"
            routes.account(name, legacy: legacy, refusal(code))
        }
        for path in Self.outOfScopeV2 { routes.identityToolkit(.post, path, refusal("OPERATION_NOT_ALLOWED")) }
    }

    @Sendable
    func settings(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await callers(request)
        return .json([
            "projectId": .string(number),
            "authorizedDomains": .array(settings.current.authorizedDomains.map(JSONValue.string)),
        ])
    }

    private func refusal(_ code: String) -> Routes.Handler {
        { request, _ in
            _ = try await callers(request)
            throw WireError.code(code, "This broker signs users in through identity providers only.")
        }
    }

    private static let outOfScope: [(String, String?)] = [
        ("signInWithPassword", "verifyPassword"), ("signInWithEmailLink", "emailLinkSignin"),
        ("sendOobCode", "getOobConfirmationCode"), ("resetPassword", "resetPassword"),
        ("sendVerificationCode", "sendVerificationCode"), ("signInWithPhoneNumber", "verifyPhoneNumber"),
    ]

    private static let outOfScopeV2 = [
        "/v2/accounts/mfaEnrollment:start", "/v2/accounts/mfaEnrollment:finalize",
        "/v2/accounts/mfaEnrollment:withdraw", "/v2/accounts/mfaSignIn:start", "/v2/accounts/mfaSignIn:finalize",
        "/v2/accounts/passkeyEnrollment:start", "/v2/accounts/passkeyEnrollment:finalize",
        "/v2/accounts/passkeySignIn:start", "/v2/accounts/passkeySignIn:finalize",
    ]
}
