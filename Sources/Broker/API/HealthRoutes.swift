import BrokerStore
import Hummingbird
import ProviderKit

/// For load balancers and supervisors: is the process alive, can it serve.
struct HealthRoutes: Sendable {
    let store: Store

    func add(to routes: Routes) {
        routes.document("/") { _, _ in .json(["broker": ["ready": true]]) }
        routes.document("/healthz") { _, _ in .json(["status": "ok"]) }
        routes.document("/readyz", ready)
    }

    @Sendable
    func ready(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        do {
            try await store.ping()
            return .json(["status": "ready"])
        } catch {
            return .json(["status": "store unavailable"], status: .serviceUnavailable)
        }
    }
}
