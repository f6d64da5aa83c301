import BrokerStore
import ProviderKit

/// The context of the sessions: their rules, the keys and tokens of both families, and the credentials of backends.
package final class SessionContext: StoreLayer {
    package let stored: StoreContext
    package let rules: SessionRules
    package let tokenRules: TokenRules
    let recentLogin: RecentLogin
    /// The keys of Identity Toolkit's tokens.
    package let signingKeys: SigningKeys
    /// The keys of OpenID Connect's tokens.
    package let openIDSigningKeys: SigningKeys
    /// The keys of each token family.
    var keyFamilies: [SigningKeys] { [signingKeys, openIDSigningKeys] }
    /// Tokens of Identity Toolkit.
    package let tokens: TokenIssuer
    let verifier: IDTokenVerifier
    let cookieVerifier: IDTokenVerifier
    /// Tokens of OpenID Connect.
    package let openIDTokens: OpenIDTokens
    package let openIDVerifier: OpenIDTokenVerifier
    package let adminCredentials: AdminCredentials
    package let serviceAccounts: ServiceAccounts
    let customTokens: CustomTokenVerifier
    package let webSessions: WebSessions
    let hostedForms: HostedForms
    package let consoleAdministrators: ConsoleAdministrators
    let consoleSessions: ConsoleSessions
    /// Bounds the rows of unfinished sign-ins.
    let limiter: OpenRowLimiter

    /// Reads the signing keys, and generates those that are missing.
    ///
    /// - Throws: ``ConfigurationError``, an error of JOSE, or a store's error.
    init(_ stored: StoreContext, _ configuration: Configuration) async throws {
        self.stored = stored
        let masterKey = stored.masterKey
        rules = SessionRules(configuration)
        tokenRules = TokenRules(configuration)
        recentLogin = RecentLogin(policy: configuration.policy)
        let name = configuration.project.id
        signingKeys = try await SigningKeys.open(.identityToolkit, in: stored, commonName: name)
        openIDSigningKeys = try await SigningKeys.open(.oidc, in: stored, commonName: name)
        let stepUp = configuration.policy.stepUp
        tokens = TokenIssuer(
            rules: tokenRules, keys: signingKeys, refreshTokens: RefreshTokenCodec(masterKey), stepUp: stepUp)
        verifier = IDTokenVerifier(rules: tokenRules, keys: signingKeys, stored)
        cookieVerifier = verifier.forSessionCookies
        let issuer = configuration.publicURL
        openIDTokens = OpenIDTokens(
            issuer: issuer, keys: openIDSigningKeys, refreshTokens: .oauth(masterKey), stepUp: stepUp,
            mergeTokens: MergeTokenCodec(masterKey))
        openIDVerifier = OpenIDTokenVerifier(issuer: issuer, keys: openIDSigningKeys, stored)
        adminCredentials = AdminCredentials(stored: stored)
        serviceAccounts = ServiceAccounts(
            stored: stored, accessTokens: ServiceAccountTokens(masterKey), configured: configuration.serviceAccounts,
            projectID: name, publicURL: issuer)
        customTokens = CustomTokenVerifier(accounts: serviceAccounts)
        webSessions = WebSessions(stored)
        hostedForms = HostedForms(masterKey)
        consoleAdministrators = ConsoleAdministrators(
            stored: stored, configured: configuration.console.administrators)
        consoleSessions = ConsoleSessions(stored)
        limiter = OpenRowLimiter(stored, limits: configuration.limits)
    }
}
