import BrokerStore
import Foundation
import HTTPTypes
import Hummingbird
import ProviderKit

/// `…/users/{localId}/providers/{providerId}:token`: the access tokens that users have granted, for backends.
struct ProviderTokenRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    func add(to routes: Routes) {
        // No page has an admin token.
        routes.on(
            .post, "/v1/broker/users/{localId}/providers/{providerId}:token", pages: .none, counting: .byProof, token)
    }

    @Sendable
    func token(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        let administrator = try await toolkit.administrator(request, with: .readProviderTokens)
        let scopes = try ScopesBody(try await RequestFields(request)).scopes
        let outcome = try await toolkit.outbox.readProviderToken(
            of: context.parameters[PathParameter.localID.name] ?? "",
            at: context.parameters[PathParameter.providerID.name] ?? "",
            scopes: scopes, origin: context.origin(administrator))
        return .json(.object(try outcome.document()))
    }
}

extension ProviderTokenState {
    /// The token as it is answered.
    ///
    /// - Throws: ``WireError`` with the reason why there is none.
    func document() throws(WireError) -> JSONObject {
        switch self {
        case .token(let grant): return Self.document(grant)
        case .revoked:
            throw WireError.code(.revoked, "The provider has withdrawn the grant. The user has to sign in again.")
        case .reauthorizationRequired:
            throw WireError.code(.reauthorizationRequired, "The user has to sign in with the provider again.")
        case .scopeMissing(let scopes): throw WireError.code(.scopeMissing, scopes.joined(separator: " "))
        case .temporarilyUnavailable(let seconds):
            var error = WireError.code(.temporarilyUnavailable, "The provider does not answer. Try again.")
            error.headers[.retryAfter] = String(seconds ?? 5)
            throw error
        }
    }

    private static func document(_ grant: UpstreamGrant) -> JSONObject {
        var object: JSONObject = [
            "kind": "broker#ProviderToken", "tokenType": "Bearer", "accessToken": .string(grant.accessToken),
            "scopes": .array(grant.scopes.map(JSONValue.string)),
        ]
        object["expiresAt"] = grant.expiresAt.map { .string($0.formatted(.iso8601)) }
        return object
    }
}
