import BrokerStore
import Foundation
import ProviderKit

/// The broker as OpenID Provider for its clients: everything of it that knows no HTTP.
package struct OpenIDProvider: Sendable {
    /// The `iss` of its tokens.
    package let issuer: String
    package let signingKeys: SigningKeys
    package let clients: Clients
    package let tokens: OpenIDTokens
    package let verifier: OpenIDTokenVerifier
    package let redeemCode: RedeemAuthorizationCode
    package let refresh: RefreshOpenIDTokens
    package let revoke: RevokeOpenIDToken
    package let introspect: IntrospectOpenIDToken
    package let authenticate: AuthenticateClient

    init(
        issuer: String, store: Store, masterKey: MasterKey, signingKeys: SigningKeys, rules: SessionRules,
        now: @escaping @Sendable () -> Date
    ) {
        self.issuer = issuer
        self.signingKeys = signingKeys
        clients = Clients(store: store, now: now)
        tokens = OpenIDTokens(issuer: issuer, keys: signingKeys, refreshTokens: .oauth(masterKey))
        verifier = OpenIDTokenVerifier(issuer: issuer, keys: signingKeys, store: store)
        redeemCode = RedeemAuthorizationCode(store: store, rules: rules, now: now)
        refresh = RefreshOpenIDTokens(
            store: store, tokens: tokens,
            rotation: SessionRotation(store: store, refreshTokens: .rotating), now: now)
        revoke = RevokeOpenIDToken(store: store, tokens: tokens, verifier: verifier, now: now)
        introspect = IntrospectOpenIDToken(store: store, tokens: tokens, verifier: verifier, now: now)
        authenticate = AuthenticateClient(clients: clients, now: now)
    }
}
