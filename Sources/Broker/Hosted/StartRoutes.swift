import HTTPTypes
import Hummingbird
import ProviderKit

/// The broker's address itself, and the icon that browsers ask every site for.
struct StartRoutes: Sendable {
    let pages: HostedPages

    func add(to routes: Routes) {
        routes.document("/") { request, context in
            guard request.acceptsPage else {
                var response = Response.json(["broker": ["ready": true]])
                response.headers[.vary] = "Accept"
                return response
            }
            var response = pages.page(
                StartPage(), to: Visit(request, in: pages.languages, requestID: context.requestID))
            response.headers[.vary] = "Accept, Accept-Language"
            return response
        }
        addIcon(to: routes)
    }

    /// The icon alone.
    func addIcon(to routes: Routes) {
        let icon =
            pages.favicon.map { PublicDocument(picture: $0.bytes, $0.format.mediaType, lifetime: 86_400) }
            ?? DefaultIcon.document
        routes.document(DefaultIcon.path) { request, _ in icon.response(to: request) }
    }
}
