import HTTPTypes
import Hummingbird
import ProviderKit

/// The methods of Identity Toolkit for backends that this broker deliberately lacks (contract §2.12, §2.13): they are
/// refused with a code that SDKs know, and their lists are empty.
struct UnofferedRoutes: Sendable {
    let toolkit: IdentityToolkitContext

    /// A method that is refused.
    struct Refusal: Sendable {
        let method: HTTPRequest.Method
        let path: String
        let feature: Feature

        /// The right that its neighbours need, which it needs too.
        var scope: AdminScope {
            switch (path.hasPrefix("/v1/"), method == .get) {
            case (true, true): .readUsers
            case (true, false): .writeUsers
            case (false, true): .readConfiguration
            case (false, false): .writeConfiguration
            }
        }
    }

    /// A feature that is not offered, with its error text.
    enum Feature: String, Sendable {
        case mail = "No e-mail is sent here: users sign in through identity providers."
        case saml = "SAML is not offered here: providers speak OpenID Connect or OAuth 2.0."
        case tenants = "There are no tenants here: one broker is one project."
        case activation = "There is nothing to activate: the broker serves its project from its first start."
    }

    /// A list without entries: its path, and the member of the answer.
    static let emptyLists = [
        (path: "/v2/projects/{project}/inboundSamlConfigs", member: "inboundSamlConfigs"),
        (path: "/v2/projects/{project}/tenants", member: "tenants"),
    ]

    static let refusals: [Refusal] = {
        let (project, saml) = ("/v2/projects/{project}", "/v2/projects/{project}/inboundSamlConfigs")
        let (tenant, users) = (project + "/tenants/{tenant}", "/v1/projects/{project}/tenants/{tenant}")
        let every: [HTTPRequest.Method] = [.get, .post, .patch, .delete]
        let places: [([HTTPRequest.Method], String, Feature)] = [
            ([.post], "/v1/projects/{project}/accounts:sendOobCode", .mail),
            ([.post], saml, .saml), ([.get, .patch, .delete], saml + "/{id}", .saml),
            ([.post], project + "/identityPlatform:initializeAuth", .activation),
            ([.post], project + "/tenants", .tenants),
            // Also what is asked of a tenant: its policy, its users and its providers.
            (every, tenant, .tenants), (every, tenant + "/{resource}", .tenants),
            (every, tenant + "/{resource}/{id}", .tenants), ([.post], users, .tenants),
            ([.get, .post], users + "/{resource}", .tenants),
        ]
        return places.flatMap { methods, path, feature in
            methods.map { Refusal(method: $0, path: path, feature: feature) }
        }
    }()

    func add(to routes: Routes) {
        for list in Self.emptyLists {
            routes.identityToolkit(.get, list.path, pages: .none) { request, context in
                _ = try await toolkit.administrator(request, in: context, with: .readConfiguration)
                return .json([list.member: []])
            }
        }
        for refusal in Self.refusals {
            routes.identityToolkit(refusal.method, refusal.path, pages: .none) { request, context in
                _ = try await toolkit.administrator(request, in: context, with: refusal.scope)
                throw WireError.code(.operationNotAllowed, refusal.feature.rawValue)
            }
        }
    }
}
