import ProviderKit

struct AcmeProvider: OAuth2SignIn {
    static let kind: ProviderKind = "acme"

    struct Options: Decodable {
        let clientId: String
        let clientSecret: Secret
    }

    let instance = "https://id.acme.example"
    let oauth: OAuth2Client
    let context: ProviderContext

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        oauth = OAuth2Client(
            authorizeURL: instance + "/oauth/authorize", tokenURL: instance + "/oauth/token",
            clientID: options.clientId, authentication: .basic(options.clientSecret), scopes: ["profile"])
        self.context = context
    }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        let grant = try await redeem(credential)
        let user = try await context.upstream.json(
            AcmeUser.self, UpstreamRequest(.get, instance + "/api/me", at: .fetchProfile).bearer(grant.accessToken))
        return ExternalIdentity(subject: String(user.number), displayName: user.name, grant: grant)
    }
}

struct AcmeUser: Decodable {
    let number: Int64
    let name: String?
}
