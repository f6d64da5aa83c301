import HTTPTypes
import Hummingbird
import ProviderKit

/// `/oauth/par`: a client pushes its authorization request (RFC 9126 §2).
struct PushedRequestRoutes: Sendable {
    let openID: OpenIDContext

    func add(to routes: Routes) {
        routes.oauth(.post, OAuthPaths.pushedAuthorization, pages: .ofClients, pushed)
    }

    @Sendable
    func pushed(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let call = try await openID.call(request, context)
        do {
            let uri = try await openID.pushAuthorizationRequest(call.parameters.byName, by: call.client)
            return .json(
                [
                    "request_uri": .string(uri),
                    "expires_in": .integer(PushedAuthorizationRequest.lifetime.components.seconds),
                ], status: .created)
        } catch NotRedirectable.redirectURINotRegistered {
            throw OAuthError(.invalidRequest, "redirect_uri is not registered for the client.")
        } catch is NotRedirectable {
            throw OAuthError(.invalidRequest, "The request is unknown.")
        } catch BrokerError.recentLoginRequired {
            throw OAuthError(
                .loginRequired, "The login of id_token_hint is too old: sign in again first.")
        } catch BrokerError.stepUpRequired(let text) {
            throw OAuthError(.loginRequired, text)
        }
    }
}
