public import Hummingbird
import Logging

/// Authenticates requests by a broker's tokens and sets the context's ``BrokerAuthRequestContext/identity``.
///
/// ```swift
/// let tokens = try BrokerTokens(issuer: "https://id.example.com", clientIDs: ["…"])
/// let router = Router(context: AppContext.self)
/// router.add(middleware: BrokerAuthMiddleware(tokens))
/// ```
///
/// A refused request gets the response of ``BrokerAuthRefusal``.
public struct BrokerAuthMiddleware<Context: BrokerAuthRequestContext>: RouterMiddleware {
    /// Whether a request needs a token.
    public enum Mode: Sendable, Hashable {
        /// A request without a token is refused with 401.
        case required
        /// A request without a token is anonymous. One with an invalid token in `Authorization` is refused; an invalid
        /// session cookie makes it anonymous, since a browser sends it until it is removed.
        case optional
    }

    private let tokens: BrokerTokens
    private let mode: Mode

    /// Makes a middleware.
    ///
    /// - Parameters:
    ///   - tokens: The accepted tokens.
    ///   - mode: Whether a request needs a token.
    public init(_ tokens: BrokerTokens, mode: Mode = .required) {
        self.tokens = tokens
        self.mode = mode
    }

    public func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        do throws(BrokerAuthRefusal) {
            context.identity = try await identity(of: request)
        } catch {
            context.logger.debug("request refused", metadata: ["reason": "\(error)"])
            throw error
        }
        return try await next(request, context)
    }

    private func identity(of request: Request) async throws(BrokerAuthRefusal) -> BrokerIdentity? {
        guard let token = try PresentedToken(in: request, cookie: tokens.cookieName) else {
            guard mode == .optional else { throw .missingToken }
            return nil
        }
        do {
            return try await tokens.verify(token)
        } catch .invalidToken where mode == .optional && token.carrier == .cookie {
            return nil
        }
    }
}
