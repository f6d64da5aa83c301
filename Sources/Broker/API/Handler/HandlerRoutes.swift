import HTTPTypes
import Hummingbird
import ProviderKit

/// The pages SDKs open for `signInWithPopup` and `signInWithRedirect` (contract §9.4): the handler sends the person to
/// the provider and takes them back, the frame hands the outcome to the app's page.
struct HandlerRoutes: Sendable {
    let callers: CallerCheck
    let domains: AuthorizedDomains
    let start: StartAppSignIn
    let pages: ScriptPages
    let errors: PageRenderer
    let publicURL: String

    /// The bare folder, and the one SDKs use with an emulator's URL.
    private static let folders = ["/__/auth", "/emulator/auth"]

    func add(to routes: Routes) {
        for folder in Self.folders {
            let path = folder + "/handler"
            routes.on(.get, path) { request, context in try await handle(request, context, at: path) }
            routes.on(.post, path, takeForm)
            routes.on(.get, folder + "/iframe", frame)
        }
    }

    /// The beginning, which names an API key, or the return from a provider, which names none.
    private func handle(
        _ request: Request, _ context: BrokerRequestContext, at path: String
    ) async throws -> Response {
        do {
            let query = try QueryParameters(queryOf: request)
            guard query["apiKey"] != nil || query["redirectUrl"] != nil else {
                return pages.handler(.init(step: "resume"), for: request)
            }
            return try await begin(
                try HandlerRequest(query, callers: callers, domains: domains), request, at: path)
        } catch let error as HandlerRefusal {
            return refusal(error.text, request, context)
        } catch let error as ParameterError {
            return refusal(error.text, request, context)
        }
    }

    private func begin(_ asked: HandlerRequest, _ request: Request, at path: String) async throws -> Response {
        var trip = StartRedirect.Trip(provider: asked.provider, redirectURI: publicURL + path)
        trip.scopes = asked.scopes
        trip.parameters = asked.parameters
        trip.isReauthentication = asked.type.isReauthentication
        do {
            let started = try await start(StartAppSignIn.Request(trip))
            return pages.handler(
                .init(
                    step: "begin", luggage: asked.luggage(sessionID: started.sessionID), state: started.state,
                    authorizationURL: started.authorizationURL), for: request)
        } catch let error as BrokerError where error != .storeUnavailable {
            // The app waits for an answer, so it gets one.
            return pages.handler(
                .init(step: "fail", luggage: asked.luggage(sessionID: nil), error: SDKError(error)), for: request)
        }
    }

    /// The return of a provider that posts, as Apple does: the form goes on to the app, never into a URL.
    @Sendable
    private func takeForm(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        do {
            let form = try await FormBody(of: request)
            return pages.handler(
                .init(step: "resume", form: String(decoding: form.bytes, as: UTF8.self)), for: request)
        } catch let error as ParameterError {
            return refusal(error.text, request, context)
        }
    }

    @Sendable
    private func frame(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        guard let query = try? QueryParameters(queryOf: request), let key = query["apiKey"], callers.knows(key),
            query["appName"] != nil
        else { return refusal("The API key is unknown, or appName is missing.", request, context) }
        return pages.frame(byMessage: query["handOver"] == "message")
    }

    private func refusal(_ text: String, _ request: Request, _ context: BrokerRequestContext) -> Response {
        errors.response(
            ErrorPage(cause: .badRequest(text), requestID: context.requestID),
            language: PageLanguage(uiLocales: nil, acceptLanguage: request.headers[.acceptLanguage]),
            status: .badRequest)
    }
}

/// An error as SDKs name it (contract, appendix B).
struct SDKError: Sendable {
    let code: String
    let message: String

    init(_ error: BrokerError) {
        let pieces = WireError(error).message.split(separator: " : ", maxSplits: 1)
        let code = pieces.first.map(String.init) ?? ""
        switch code {
        case "INVALID_IDP_RESPONSE": self.code = "auth/invalid-credential"
        default: self.code = "auth/" + code.lowercased().replacing("_", with: "-")
        }
        message = pieces.dropFirst().first.map(String.init) ?? code
    }
}
