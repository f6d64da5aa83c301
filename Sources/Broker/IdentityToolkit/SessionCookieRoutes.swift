import Hummingbird
import ProviderKit

/// `projects/{project}:createSessionCookie` of Identity Toolkit v1, for backends.
struct SessionCookieRoutes: Sendable {
    let callers: CallerCheck
    let cookies: SessionCookies

    func add(to routes: Routes) {
        routes.identityToolkit(.post, "/v1/projects/{project}:createSessionCookie", pages: .none, create)
    }

    @Sendable
    func create(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await callers.administrator(request, in: context, with: .writeUsers)
        let fields = try await RequestFields(request).ofProject(callers.projectID)
        guard let idToken = try fields.nonEmpty("idToken") else { throw BrokerError.missingIDToken }
        let cookie = try await cookies(
            idToken, lifetime: try Self.lifetime(fields.string("validDuration")),
            origin: context.origin(administrator))
        return .json(["sessionCookie": .string(cookie)])
    }

    /// The seconds that were asked for. What is no number, and zero, ask for none in particular.
    private static func lifetime(_ text: String?) throws(WireError) -> Int64 {
        guard let seconds = text.flatMap(Double.init), seconds != 0, !seconds.isNaN else {
            return SessionCookies.lifetimes.upperBound
        }
        let range = SessionCookies.lifetimes
        guard (Double(range.lowerBound)...Double(range.upperBound)).contains(seconds) else {
            throw .code(.invalidDuration)
        }
        return Int64(seconds)
    }
}
