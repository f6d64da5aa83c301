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
        let body = try SessionCookieBody(try await RequestFields(request).ofProject(toolkit.projectID))
        let cookie = try await toolkit.sessions.createSessionCookie(
            body.idToken, lifetime: body.lifetime, origin: context.origin(administrator))
        return .json(["sessionCookie": .string(cookie)])
    }
}

/// The body of `createSessionCookie` (contract §2.9).
struct SessionCookieBody: DeclaredRequest {
    private(set) var idToken = ""
    private(set) var lifetime = SessionCookie.lifetimes.upperBound

    static let body = DeclaredBody<SessionCookieBody>([
        CommonFields.idToken { $0.idToken = $1 },
        .emptyableText(
            "validDuration", "The lifetime of the cookie in seconds, from 300 to 1209600, which is also the default."
        ) { (body, text) throws(WireError) in body.lifetime = try seconds(text) }.example("86400"),
    ])

    /// The seconds that were asked for. What is no number, and zero, ask for none in particular.
    private static func seconds(_ text: String?) throws(WireError) -> Int64 {
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
