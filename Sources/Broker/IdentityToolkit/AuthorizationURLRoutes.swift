import BrokerStore
import Hummingbird
import OAuth
import ProviderKit

/// `accounts:createAuthUri` of Identity Toolkit v1: asks which providers an address signs in with, or begins a sign-in
/// through the browser (contract §2.4).
struct AuthorizationURLRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.account("createAuthUri", legacy: "createAuthUri", createAuthUri)
    }

    @Sendable
    func createAuthUri(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        _ = try await toolkit.app(request, takesProof: true)
        let body = try AuthorizationURLBody(try await RequestFields(request).ofThisProject())
        // Only a start that is bound to a user looks at the ID token.
        if body.provider == nil || body.idToken == nil {
            try RequestAdmission.current?.countUnproven()
        }
        var answer = JSONObject([("kind", "identitytoolkit#CreateAuthUriResponse")])
        if body.provider == nil {
            let email = try body.email()
            try Self.count(email)
            try add(try await toolkit.accounts.signInMethods(of: email), to: &answer)
            answer["sessionId"] = .string(body.sessionID ?? RandomText.alphanumeric(27))
        } else {
            let request = try body.request(
                domains: toolkit.domains, providers: toolkit.redirects.providers.current)
            let started = try await toolkit.redirects.startAppSignIn(request)
            answer["authUri"] = .string(started.authorizationURL)
            answer["providerId"] = .string(request.redirect.provider)
            answer["sessionId"] = .string(started.sessionID)
            if let email = request.redirect.loginHint.flatMap(EmailAddress.init), (try? Self.count(email)) != nil,
                let methods = try await toolkit.accounts.signInMethods(of: email)
            {
                answer["registered"] = .bool(methods.isRegistered)
                answer["forExistingProvider"] = .bool(methods.providers.contains(request.redirect.provider))
            }
        }
        return .json(.object(answer))
    }

    /// Counts a question about an e-mail address.
    private static func count(_ email: EmailAddress) throws(BrokerError) {
        guard let admission = RequestAdmission.current else { return }
        try admission.take(
            .identifierQueries, of: .identifier(email.canonical ?? email.display, admission.network))
    }

    private func add(_ methods: SignInMethods?, to answer: inout JSONObject) throws {
        guard let methods else { return }
        let providers = JSONValue.array(methods.providers.map(JSONValue.string))
        answer["registered"] = .bool(methods.isRegistered)
        answer["allProviders"] = providers
        answer["signinMethods"] = providers
    }
}
