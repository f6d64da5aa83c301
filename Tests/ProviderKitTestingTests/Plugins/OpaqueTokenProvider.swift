import Foundation
import ProviderKit

/// A provider with opaque tokens: only its introspection endpoint (RFC 7662) tells whose they are. A plugin for the tests
/// of the conformance suite.
struct OpaqueTokenProvider: RedirectSignIn {
    static let kind: ProviderKind = "opaque"

    struct Options: DeclaredOptions {
        var clientId = ""
        var clientSecret = Secret("")
        var url = ""

        static let declaration = DeclaredObject<Options>(
            "A client of a provider with opaque tokens.",
            [
                .key("clientId", \.clientId, "the client's ID").required(),
                .key("clientSecret", \.clientSecret, "the client's secret").required(),
                .key("url", \.url, "the provider's base").required().narrowed(by: ProviderContext.baseURLs),
            ])
    }

    let accepts: Set<Credential.Kind> = [.authorizationCode, .accessToken]
    let instance: String
    let oauth: OAuth2Client
    let context: ProviderContext
    private let secret: Secret

    init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        guard !options.clientId.isEmpty, !options.clientSecret.reveal().isEmpty else {
            throw ProviderError(.configuration, at: .configure, "options.clientId and clientSecret must not be empty")
        }
        instance = try context.baseURL(options.url, option: "url")
        secret = options.clientSecret
        oauth = OAuth2Client(
            authorizeURL: instance + "/authorize", tokenURL: instance + "/token", clientID: options.clientId,
            authentication: .basic(options.clientSecret), scopes: ["profile", "email"])
        self.context = context
    }

    var clientID: String { oauth.clientID }
    var scopes: [String] { oauth.scopes }
    var authorizationResponseIssuer: String? { instance }

    func authorizationURL(for attempt: SignInAttempt) -> String { oauth.authorizationURL(for: attempt) }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let grant = try await oauth.redeem(code, over: context.upstream, now: context.now())
            let owner = try await owner(of: grant.accessToken)
            return try await identity(of: owner, grant)
        case .accessToken(let token):
            let owner = try await owner(of: token)
            let grant = UpstreamGrant(
                clientID: clientID, accessToken: token, scopes: owner.scopes, expiresAt: owner.expiresAt)
            return try await identity(of: owner, grant)
        case .idToken, .assertion:
            throw ProviderError(.credential, at: .redeem, "the provider issues codes and access tokens only")
        }
    }

    /// Asks whose token it is, as our client.
    private func owner(of token: String) async throws(ProviderError) -> TokenOwner {
        let response = try await context.upstream.send(
            UpstreamRequest(.post, instance + "/introspect", at: .introspect).basic(clientID, secret)
                .sending(form: [("token", token), ("token_type_hint", "access_token")]))
        guard response.status == 200 else {
            guard response.status == 401 || response.status == 403 else { throw response.refusal(at: .introspect) }
            throw ProviderError(.configuration, at: .introspect, "the provider refused our client")
        }
        let owner = try response.decode(TokenOwner.self, at: .introspect)
        guard owner.active, let client = owner.client, client.utf8.elementsEqual(clientID.utf8) else {
            throw ProviderError(.credential, at: .introspect, "the token is not valid, or another client's")
        }
        guard owner.type?.lowercased() == "bearer" else {
            throw ProviderError(.credential, at: .introspect, "the token is no access token")
        }
        guard let end = owner.expiresAt, end > context.now() else {
            throw ProviderError(.credential, at: .introspect, "the token has expired")
        }
        return owner
    }

    private func identity(
        of owner: TokenOwner, _ grant: UpstreamGrant
    ) async throws(ProviderError) -> ExternalIdentity {
        let response = try await context.upstream.send(
            UpstreamRequest(.get, instance + "/profile", at: .fetchProfile).bearer(grant.accessToken))
        guard response.status == 200 else { throw response.refusal(at: .fetchProfile) }
        let profile = try response.decode(OpaqueProfile.self, at: .readProfile)
        guard let subject = owner.subject, profile.id.utf8.elementsEqual(subject.utf8) else {
            throw ProviderError(.credential, at: .readProfile, "token and profile belong to different users")
        }
        guard !profile.isSuspended else {
            throw ProviderError(.credential, at: .readProfile, "the account is suspended")
        }
        return ExternalIdentity(
            subject: subject,
            email: profile.mail.flatMap { $0.isEmpty ? nil : .init($0, isVerified: profile.isMailVerified ?? false) },
            displayName: profile.name, profile: try response.jsonValue(at: .readProfile), grant: grant)
    }
}

extension OpaqueTokenProvider: GrantRefresh {
    func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        try await oauth.refresh(grant, over: context.upstream, now: context.now())
    }
}

extension OpaqueTokenProvider: TokenRevocation {
    func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        if let refreshToken = grant.refreshToken {
            try await oauth.revoke(
                refreshToken, hint: "refresh_token", at: instance + "/revoke", over: context.upstream)
        } else {
            try await oauth.revoke(
                grant.accessToken, hint: "access_token", at: instance + "/revoke", over: context.upstream)
        }
    }

    func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError) { try await revoke(grant) }
}

/// RFC 7662 §2.2, as far as it decides something.
private struct TokenOwner: Decodable {
    let active: Bool
    let client: String?
    let subject: String?
    let type: String?
    let scope: String?
    let end: Int64?

    enum CodingKeys: String, CodingKey {
        case active, scope
        case client = "client_id"
        case subject = "sub"
        case type = "token_type"
        case end = "exp"
    }

    var scopes: [String] { (scope ?? "").split(separator: " ").map(String.init) }
    var expiresAt: Date? { end.map { Date(timeIntervalSince1970: Double($0)) } }
}

/// `GET /profile`.
private struct OpaqueProfile: Decodable {
    let id: String
    let name: String?
    let mail: String?
    let isMailVerified: Bool?
    let isSuspended: Bool

    enum CodingKeys: String, CodingKey {
        case id, name, mail
        case isMailVerified = "mail_verified"
        case isSuspended = "suspended"
    }
}

extension ProviderPlugin {
    static let opaque = ProviderPlugin(OpaqueTokenProvider.self)
}
