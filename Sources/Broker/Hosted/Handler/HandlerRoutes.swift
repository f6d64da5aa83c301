import HTTPTypes
import Hummingbird
import ProviderKit

/// The pages SDKs open for `signInWithPopup` and `signInWithRedirect` (contract §9.4): the handler redirects to the
/// provider, the frame passes the outcome to the app's page. The provider redirects to ``CallbackRoutes``, as for every
/// sign-in: GitHub's OAuth apps have one redirect URI.
struct HandlerRoutes: Sendable {
    let toolkit: IdentityToolkitContext
    let pages: ScriptPages
    let errors: HostedPages

    /// The bare folder, and the one SDKs use with an emulator's URL.
    private static let folders = ["/__/auth", "/emulator/auth"]

    func add(to routes: Routes) {
        for folder in Self.folders {
            routes.on(.get, folder + "/handler", pages: .none, counting: .byProof, handle)
            routes.on(.get, folder + "/iframe", pages: .none, counting: .none, frame)
            routes.on(.get, folder + "/witness", pages: .none, counting: .none, witness)
        }
    }

    @Sendable
    private func handle(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        do {
            try RequestAdmission.current?.countUnproven()
            let query = try QueryParameters(queryOf: request)
            return try await begin(try HandlerRequest(query, toolkit), request)
        } catch let error as HandlerRefusal {
            return refusal(error.text, request, context)
        } catch let error as BrokerError {
            return try await HostedRoutes.page(
                telling: error, to: Visit(request, in: errors.languages, requestID: context.requestID),
                errors)
        } catch let error as ParameterError {
            return refusal(error.text, request, context)
        }
    }

    private func begin(_ asked: HandlerRequest, _ request: Request) async throws -> Response {
        let callback = ConfiguredProvider.callbackURL(of: asked.provider, at: toolkit.publicURL)
        var redirect = RedirectRequest(provider: asked.provider, redirectURI: callback)
        redirect.scopes = asked.scopes
        redirect.parameters = asked.parameters
        redirect.isReauthentication = asked.type.isReauthentication
        do {
            let started = try await toolkit.redirects.startAppSignIn(AppSignInRequest(redirect))
            return pages.handler(
                .init(
                    step: "begin", request: asked.json(sessionID: started.sessionID), state: started.state,
                    authorizationURL: started.authorizationURL), for: request)
        } catch let error as BrokerError {
            // The app waits for an answer, so it gets one.
            RequestAdmission.note(error)
            return pages.handler(
                .init(step: "fail", request: asked.json(sessionID: nil), error: SDKError(error)), for: request)
        }
    }

    @Sendable
    private func frame(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        guard let query = try? QueryParameters(queryOf: request), let key = query[HandlerParameter.apiKey],
            toolkit.knows(key),
            query[HandlerParameter.appName] != nil
        else { return refusal("The API key is unknown, or appName is missing.", request, context) }
        return pages.frame(byMessage: query[HandlerParameter.handOver] == "message")
    }

    @Sendable
    private func witness(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        guard let page = (try? QueryParameters(queryOf: request))?[HandlerParameter.origin].flatMap(AppURL.init),
            let response = pages.witness(for: page)
        else { return refusal("origin is none of an authorized domain.", request, context) }
        return response
    }

    private func refusal(_ text: String, _ request: Request, _ context: BrokerRequestContext) -> Response {
        var visit = Visit(request, in: errors.languages, requestID: context.requestID)
        // The request's own address holds unverified text; the languages link to the sealed page.
        visit.place = .posted
        return errors.problem(.badRequest(text), to: visit)
    }
}

/// An error as SDKs name it (contract, appendix B).
struct SDKError: Sendable {
    let code: String
    let message: String

    init(_ error: BrokerError) {
        // SDKs have another name for this code alone.
        let name =
            error.code == .invalidIDPResponse
            ? "invalid-credential" : error.code.rawValue.lowercased().replacing("_", with: "-")
        code = "auth/" + name
        message = error.text ?? error.code.rawValue
    }
}
