import Hummingbird
import ProviderKit

/// `projects/{project}:createSessionCookie` of Identity Toolkit v1, for backends.
struct SessionCookieRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        routes.identityToolkit(.post, "/v1/projects/{project}:createSessionCookie", pages: .none, create)
    }

    @Sendable
    func create(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await toolkit.administrator(request, in: context, with: .writeUsers)
        let fields = try await RequestFields(request).ofProject(toolkit.projectID)
        guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
        let cookie = try await toolkit.sessions.createSessionCookie(
            idToken, lifetime: try Self.lifetime(fields.string("validDuration")),
            origin: context.origin(administrator))
        return .json(["sessionCookie": .string(cookie)])
    }

    /// The seconds that were asked for. What is no number, and zero, ask for none in particular.
    private static func lifetime(_ text: String?) throws(WireError) -> Int64 {
        guard let seconds = text.flatMap(Double.init), seconds != 0, !seconds.isNaN else {
            return SessionCookie.lifetimes.upperBound
        }
        let range = SessionCookie.lifetimes
        guard (Double(range.lowerBound)...Double(range.upperBound)).contains(seconds) else {
            throw .code(.invalidDuration)
        }
        return Int64(seconds)
    }
}
