public import ProviderKit

/// Sign in with Acme's own directory, an OAuth 2 server with a profile.
public struct AcmeProvider: OAuth2SignIn {
    public static let kind: ProviderKind = "acme"
    public static let displayName: String? = "Acme"

    /// The entry's `options` in `plugins.json`.
    public struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret = Secret("")
        var url = ""

        public init() {}

        public static let declaration = DeclaredObject<Options>(
            "A client of Acme's directory.",
            [
                .key("clientId", \.clientId, "the client's ID").required(),
                .key("clientSecret", \.clientSecret, "the client's secret").required(),
                .key("url", \.url, "the directory's base").required().narrowed(by: ProviderContext.baseURLs)
                    .example("https://id.acme.example"),
            ])
    }

    public let instance: String
    public let oauth: OAuth2Client
    public let context: ProviderContext

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        guard !options.clientId.isEmpty, !options.clientSecret.reveal().isEmpty else {
            throw ProviderError(.configuration, at: .configure, "options.clientId and clientSecret must not be empty")
        }
        instance = try context.baseURL(options.url, option: "url")
        oauth = OAuth2Client(
            authorizeURL: instance + "/oauth/authorize", tokenURL: instance + "/oauth/token",
            clientID: options.clientId, authentication: .basic(options.clientSecret), scopes: ["profile"])
        self.context = context
    }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        let grant = try await redeem(credential)
        let request = UpstreamRequest(.get, instance + "/api/me", at: .fetchProfile).bearer(grant.accessToken)
        let response = try await context.upstream.send(request)
        guard response.status == 200 else { throw response.refusal(at: .fetchProfile) }
        let user = try response.decode(AcmeUser.self, at: .readProfile)
        return ExternalIdentity(
            // A number belongs to one user for ever; names and addresses are given to others.
            subject: String(user.number),
            email: user.mail.flatMap { $0.isEmpty ? nil : .init($0, isVerified: user.mailConfirmed ?? false) },
            displayName: user.name, profile: try response.jsonValue(at: .readProfile), grant: grant)
    }
}

/// `GET /api/me`.
private struct AcmeUser: Decodable {
    let number: Int64
    let name: String?
    let mail: String?
    let mailConfirmed: Bool?

    enum CodingKeys: String, CodingKey {
        case number, name, mail
        case mailConfirmed = "mail_confirmed"
    }
}

/// The directory's access tokens expire.
extension AcmeProvider: GrantRefresh {}

extension ProviderPlugin {
    /// Acme's directory (`"use": "acme"`).
    public static let acme = ProviderPlugin(AcmeProvider.self)
}
