import Hummingbird
import ProviderKit

/// Sign-out at the broker itself, in Identity Toolkit's style: neither API covers it.
struct SessionRoutes: Sendable {
    let callers: CallerCheck
    let signOut: SignOut

    func add(to routes: Routes) {
        on("/v1/broker/sessions:signOut", .session, routes)
        on("/v1/broker/sessions:signOutAll", .all, routes)
    }

    private func on(_ path: String, _ scope: SignOut.Scope, _ routes: Routes) {
        routes.on(.post, path, counting: .byProof) { try await signOut($0, $1, scope: scope) }
    }

    private func signOut(
        _ request: Request, _ context: BrokerRequestContext, scope: SignOut.Scope
    ) async throws -> Response {
        let caller = try await callers(request, takesProof: true)
        guard let idToken = try await RequestFields(request).nonEmpty("idToken") else {
            throw BrokerError.missingIDToken
        }
        try await signOut(.idToken(idToken), scope, origin: context.origin(caller))
        return .json([:])
    }
}
