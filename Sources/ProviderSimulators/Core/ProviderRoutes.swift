import HTTPTypes
import Hummingbird

/// Adds the routes of a simulated provider. Handlers read and change the provider's state under its lock.
struct ProviderRoutes<State: SimulatedProvider> {
    typealias Handler = @Sendable (inout State, SimulatorRequest) throws -> SimulatorResponse

    let core: SimulatorCore<State>
    private let routes: SimulatorRoutes<State.Endpoint>

    /// All routes of a provider: its own, the pages and the control interface.
    static func router(of core: SimulatorCore<State>) -> Router<SimulatorContext> {
        let router = Router(context: SimulatorContext.self)
        router.add(middleware: NotFoundAnswers { path in core.read { $0.notFound(path) } })
        let routes = ProviderRoutes(
            core: core, routes: SimulatorRoutes(router: router, traffic: core.traffic, clock: core.clock))
        State.addRoutes(to: routes)
        StatusPage.add(to: routes)
        let controls = ProviderControls(core: core, controls: SimulatorControls(routes: routes.routes))
        controls.addRegistry()
        State.addControls(to: controls)
        return router
    }

    /// Answers requests at an endpoint that faults can hit.
    func on(
        _ method: HTTPRequest.Method, _ path: String, as endpoint: State.Endpoint, answer: @escaping Handler
    ) {
        routes.on(method, path, as: endpoint) { [core] request in
            try core.withState { state throws(any Error) in try answer(&state, request) }
        }
    }

    /// Answers requests of this machine at a page or control call that never fails on purpose.
    func control(_ path: String, answer: @escaping Handler) {
        routes.control(.get, path) { [core] request in
            try core.withState { state throws(any Error) in try answer(&state, request) }
        }
    }
}
