public import ProviderKit

/// Sign in with Acme's own directory, which speaks plain OAuth 2.
///
/// There are no ID tokens, and nobody can tell whose client an access token was issued to. So only codes count, which
/// the directory redeems for the client they were issued to and for no other.
public struct AcmeProvider: RedirectSignIn {
    public static let kind: ProviderKind = "acme"
    public static let displayName: String? = "Acme"

    /// The entry's `options` in `plugins.json`.
    public struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret = Secret("")
        var url = ""

        public init() {}

        /// Each option once: its reader, the schema that `broker schema plugins` prints and `broker config show` follow.
        public static let declaration = DeclaredObject<Options>(
            "A client of Acme's directory.",
            [
                .key("clientId", \.clientId, "the client's ID").required(),
                .key("clientSecret", \.clientSecret, "the client's secret").required(),
                .key("url", \.url, "the directory's base").required().narrowed(by: ProviderContext.baseURLs)
                    .example("https://id.acme.example"),
            ])
    }

    public let accepts: Set<Credential.Kind> = [.authorizationCode]
    public let instance: String
    private let oauth: OAuth2Client
    private let context: ProviderContext

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

    public var clientID: String { oauth.clientID }
    public var scopes: [String] { oauth.scopes }
    public var authorizationResponseIssuer: String? { nil }

    public func authorizationURL(for attempt: SignInAttempt) -> String {
        oauth.authorizationURL(for: attempt)
    }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        guard case .authorizationCode(let code) = credential.proof else {
            throw ProviderError(.credential, at: .redeem, "Acme's directory proves people by codes only")
        }
        let grant = try await oauth.redeem(code, over: context.upstream, now: context.now())
        let request = UpstreamRequest(.get, instance + "/api/me", at: .fetchProfile).bearer(grant.accessToken)
        let response = try await context.upstream.send(request)
        guard response.status == 200 else { throw response.refusal(at: .fetchProfile) }
        let employee = try response.decode(Employee.self, at: .readProfile)
        return ExternalIdentity(
            // Addresses and names change hands when people leave; numbers do not.
            subject: String(employee.number),
            email: employee.mail.flatMap {
                $0.isEmpty ? nil : .init($0, isVerified: employee.mailConfirmed ?? false)
            },
            displayName: employee.name, profile: try response.jsonValue(at: .readProfile), grant: grant)
    }
}

extension AcmeProvider: GrantRefresh {
    public func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await oauth.refresh(grant, over: context.upstream, now: context.now())
    }
}

/// `GET /api/me`, as far as it decides something.
private struct Employee: Decodable {
    let number: Int64
    let name: String?
    let mail: String?
    let mailConfirmed: Bool?

    enum CodingKeys: String, CodingKey {
        case number, name, mail
        case mailConfirmed = "mail_confirmed"
    }
}

extension ProviderPlugin {
    /// Sign in with Acme's own directory.
    public static let acme = ProviderPlugin(AcmeProvider.self)
}
