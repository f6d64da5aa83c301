import Hummingbird
import ProviderKit

/// Sign-out at the broker itself, in Identity Toolkit's style: neither API covers it.
struct SessionRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        on("/v1/broker/sessions:signOut", .session, routes)
        on("/v1/broker/sessions:signOutAll", .all, routes)
    }

    private func on(_ path: String, _ scope: SignOutScope, _ routes: Routes) {
        routes.on(.post, path, counting: .byProof) { try await signOut($0, $1, scope: scope) }
    }

    private func signOut(
        _ request: Request, _ context: BrokerRequestContext, scope: SignOutScope
    ) async throws -> Response {
        let caller = try await toolkit.app(request, takesProof: true)
        let body = try IDTokenBody(try await RequestFields(request))
        try await toolkit.sessions.signOut(.idToken(body.idToken), scope, origin: context.origin(caller))
        return .json([:])
    }
}
