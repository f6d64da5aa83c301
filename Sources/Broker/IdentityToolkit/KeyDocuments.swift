import BrokerStore
import ProviderKit

/// The public half of the signing keys, in each form verifiers ask for: JWK Set, X.509 map, discovery.
struct KeyDocuments: Sendable {
    private let keys: SigningKeys
    private let discovery: PublicDocument
    private let projectID: String

    init(_ toolkit: IdentityToolkitContext) {
        keys = toolkit.sessions.signingKeys
        projectID = toolkit.projectID
        let rules = toolkit.sessions.tokenRules
        discovery = PublicDocument(
            JSONObject([
                ("issuer", .string(rules.issuer)),
                ("jwks_uri", .string("\(toolkit.publicURL)/\(projectID)/.well-known/jwks.json")),
                ("response_types_supported", ["id_token"]),
                ("subject_types_supported", ["public"]),
                ("id_token_signing_alg_values_supported", [.string(rules.algorithm.rawValue)]),
            ]).serialized(), lifetime: SigningKeySchedule.documentLifetime)
    }

    func add(to routes: Routes) {
        let jwks: Routes.ImmediateHandler = { [keys] request, _ in keys.current.jwks.response(to: request) }
        let certificates: Routes.ImmediateHandler = { [keys] request, _ in
            keys.current.certificates.response(to: request)
        }
        routes.document("/\(projectID)/.well-known/openid-configuration") { [discovery] request, _ in
            discovery.response(to: request)
        }
        routes.document("/\(projectID)/.well-known/jwks.json", jwks)
        for prefix in ["", "/www.googleapis.com"] {
            let account = "securetoken@system.gserviceaccount.com"
            routes.document("\(prefix)/service_accounts/v1/jwk/\(account)", jwks)
            routes.document("\(prefix)/robot/v1/metadata/x509/\(account)", certificates)
            routes.document("\(prefix)/identitytoolkit/v3/relyingparty/publicKeys", certificates)
        }
        // Session cookies are signed with the same keys.
        for prefix in ["", "/identitytoolkit.googleapis.com"] {
            routes.document("\(prefix)/v1/sessionCookiePublicKeys", jwks)
        }
    }
}
