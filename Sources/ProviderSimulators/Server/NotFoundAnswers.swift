import Hummingbird

/// Answers what no route answers, in the manner of the part of the provider that was asked.
struct NotFoundAnswers: RouterMiddleware {
    typealias Context = SimulatorContext

    /// The answer to a request for an unknown path.
    let answer: @Sendable (_ path: String) -> SimulatorResponse?

    func handle(
        _ request: Request, context: SimulatorContext,
        next: @concurrent (Request, SimulatorContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            guard let response = answer(request.uri.path) else { throw error }
            return response.honest
        }
    }
}
