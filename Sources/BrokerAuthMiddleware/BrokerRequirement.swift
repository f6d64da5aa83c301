public import Hummingbird
import Logging

/// The requirements of a group's routes besides a valid token. To be added after ``BrokerAuthMiddleware``.
///
/// ```swift
/// router.group("payments")
///     .add(middleware: BrokerRequirement(scopes: ["profile"], loginWithin: .seconds(300), activeSession: true))
///     .post("/", use: pay)
/// ```
public struct BrokerRequirement<Context: BrokerAuthRequestContext>: RouterMiddleware {
    private let scopes: [String]
    private let loginAge: Duration?
    private let activeSession: Bool

    /// Makes a requirement.
    ///
    /// - Parameters:
    ///   - scopes: The scopes that the token must have, all of them.
    ///   - loginAge: The maximum age of the user's login, in whole seconds.
    ///   - activeSession: Whether the broker is asked if the session has ended (``BrokerIdentity/requireActive()``).
    public init(scopes: [String] = [], loginWithin loginAge: Duration? = nil, activeSession: Bool = false) {
        self.scopes = scopes
        self.loginAge = loginAge
        self.activeSession = activeSession
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do throws(BrokerAuthRefusal) {
            let identity = try context.requireIdentity()
            try identity.requireScopes(scopes)
            if let loginAge { try identity.requireLogin(within: loginAge) }
            if activeSession { try await identity.requireActive() }
        } catch {
            context.logger.debug("request refused", metadata: ["reason": "\(error)"])
            throw error
        }
        return try await next(request, context)
    }
}
