public import ProviderKit

/// Sign in with Apple, for apps on devices and for web sites.
///
/// An app sends the ID token of its device with the raw nonce; the plugin redeems a web site's code. Both ways Apple's
/// ID token identifies the user. A user has a different subject for each developer team, so the team is part of the
/// ``instance``.
public struct AppleProvider: RedirectSignIn {
    public static let kind: ProviderKind = "apple"
    public static let displayName: String? = "Apple"
    public static let isNonBlocking = true
    /// The public service; an entry's ``instance`` also contains the team.
    public static let publicInstance: PublicInstance? = PublicInstance(
        id: "apple.com", instance: "https://appleid.apple.com")

    /// Only web sites send codes, so an entry without a Services ID accepts none.
    public let accepts: Set<Credential.Kind>
    public let instance: String
    public let isPublicInstance: Bool
    public let clientID: String

    let url: String
    /// All our clients, the one of browser sign-ins first.
    public let clientIDs: [String]
    let servicesID: String?
    /// Whether a device's ID token needs its authorization code, without which there is no token to revoke.
    let requiresCode: Bool
    let teamID: String
    let formerTeamIDs: [String]
    let key: ClientAssertion.Key
    let context: ProviderContext

    public init(_ options: Options, in context: ProviderContext) throws(ProviderError) {
        url = try context.baseURL(options.url, option: "url")
        isPublicInstance = url == Self.publicURL
        teamID = try options.identifier(options.teamId, "teamId")
        var formerTeamIDs: [String] = []
        for id in options.formerTeamIds {
            let id = try options.identifier(id, "formerTeamIds")
            guard id != teamID else {
                throw ProviderError(.configuration, at: .configure, "options.formerTeamIds must not name teamId")
            }
            formerTeamIDs.append(id)
        }
        self.formerTeamIDs = formerTeamIDs
        key = try options.key(in: context)
        clientIDs = try options.clients()
        clientID = clientIDs[0]
        servicesID = options.servicesId
        requiresCode = options.requireCode
        instance = Self.instance(of: teamID, at: url)
        accepts = options.servicesId == nil ? [.idToken] : [.idToken, .authorizationCode]
        self.context = context
    }

    /// The namespace of a team's subjects.
    static func instance(of teamID: String, at url: String) -> String { "\(url)/\(teamID)" }

    /// Apple's only two scopes.
    public var scopes: [String] { Self.scopes }
    /// Apple does not send `iss` (RFC 9207).
    public var authorizationResponseIssuer: String? { nil }
    /// Apple requires `form_post` for requests with the scopes `name` or `email`.
    public var answersByPost: Bool { true }

    public func authorizationURL(for attempt: SignInAttempt) throws(ProviderError) -> String {
        guard accepts.contains(.authorizationCode) else {
            throw ProviderError(
                .configuration, at: .configure, "options.servicesId is missing: Apple's page knows no bundle id")
        }
        // Apple requires form_post for requests with the scopes name or email.
        return client(clientID, authentication: .none)
            .authorizationURL(for: attempt, additional: [("response_mode", "form_post")])
    }

    public func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        switch credential.proof {
        case .authorizationCode(let code):
            let (grant, token) = try await redeem(code, as: clientID, nonce: code.nonce)
            return ExternalIdentity(token, credential.firstTimeProfile, grant: grant)
        case .idToken(let native):
            let token = try await context.tokens.verify(
                native.token, by: policy(for: clientIDs, maximumAge: Self.nativeMaximumAge),
                nonce: .native(rawNonce: native.rawNonce), accessToken: native.accessToken)
            let grant = try await grant(for: native.authorizationCode, beside: token)
            return ExternalIdentity(token, credential.firstTimeProfile, grant: grant)
        case .accessToken, .assertion:
            throw ProviderError(.credential, at: .redeem, "Apple has no credential of this kind that proves anything")
        }
    }

    /// Redeems the code that came with a device's token; without a code there is no grant.
    ///
    /// An invalid code or one of another client fails the sign-in. When Apple is unavailable the client repeats the
    /// request with token and code; the broker stored the first-time profile when it verified the token.
    private func grant(
        for value: String?, beside token: VerifiedIDToken
    ) async throws(ProviderError) -> UpstreamGrant? {
        guard let value else {
            guard !requiresCode else {
                throw ProviderError(.credential, at: .redeem, "options.requireCode: the ID token came without a code")
            }
            return nil
        }
        // A device's code belongs to the client of its token, and was issued without a redirect URI.
        let code = Credential.AuthorizationCode(code: value, redirectURI: nil)
        let (grant, answered) = try await redeem(code, as: token.audience, nonce: .unchecked)
        guard answered.subject.utf8.elementsEqual(token.subject.utf8) else {
            throw ProviderError(.credential, at: .verifyIDToken, "the ID token and the code belong to different users")
        }
        // Apple repeats the nonce of the request that returned both code and token.
        if let nonce = answered.claims["nonce"], nonce != token.claims["nonce"] {
            throw ProviderError(.nonce, at: .verifyIDToken, "the ID token and the code belong to different requests")
        }
        return grant
    }

    /// Redeems a code and verifies the ID token of the response.
    func redeem(
        _ code: Credential.AuthorizationCode, as clientID: String, nonce: NonceExpectation
    ) async throws(ProviderError) -> (UpstreamGrant, VerifiedIDToken) {
        let grant = try await authenticatedClient(clientID).redeem(code, over: context.upstream, now: context.now())
        guard let idToken = grant.idToken else {
            throw ProviderError(.upstream, at: .redeem, "Apple's answer has no ID token")
        }
        let token = try await context.tokens.verify(
            idToken, by: policy(for: [clientID]), nonce: nonce, accessToken: grant.accessToken)
        return (grant, token)
    }

    func policy(for audiences: [String], maximumAge: Int? = nil) -> IDTokenPolicy {
        IDTokenPolicy(
            issuers: isPublicInstance ? [Self.publicURL, "https://account.apple.com"] : [url], audiences: audiences,
            keySetURL: url + "/auth/keys", maximumAge: maximumAge, nativeNonce: .sha256, requiresNativeNonce: true,
            nonceSupportClaim: "nonce_supported")
    }

    static let publicURL = "https://appleid.apple.com"
    /// Apple's tokens are valid for a day, but a device sends its token within minutes.
    private static let nativeMaximumAge = 3600
}

extension ProviderPlugin {
    /// Sign in with Apple.
    public static let apple = ProviderPlugin(AppleProvider.self)
}
