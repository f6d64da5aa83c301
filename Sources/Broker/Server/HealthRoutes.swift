import Hummingbird
import ProviderKit

/// For load balancers and supervisors: is the process alive, can it serve.
struct HealthRoutes: Sendable {
    let readiness: Readiness

    func add(to routes: Routes) {
        routes.document("/healthz") { _, _ in .json(["status": "ok", "version": .string(BrokerVersion.current)]) }
        routes.document("/readyz", ready)
    }

    @Sendable
    func ready(_ request: Request, context: BrokerRequestContext) -> Response {
        guard readiness.isReady else {
            return .json(["status": "store unavailable"], status: .serviceUnavailable)
        }
        return .json(["status": "ready"])
    }
}
