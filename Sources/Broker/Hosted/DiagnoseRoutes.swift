import Hummingbird

/// `/diagnose`: what the codes of `broker doctor` mean.
struct DiagnoseRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: HostedRoutes) {
        routes.on(.get, "/diagnose") { request, context in
            pages.page(DiagnosePage(), to: Visit(request, in: pages.languages, requestID: context.requestID))
        }
    }
}
