/// A provider with the authorization code flow in a browser (RFC 6749 §4.1).
///
/// The broker calls it for its pages and console, for apps with OpenID Connect or an SDK, and for
/// `broker providers try`.
public protocol RedirectSignIn: IdentityProvider {
    /// The authorization URL of `attempt`. May send requests to the provider first, for discovery or a pushed
    /// authorization request (RFC 9126).
    func authorizationURL(for attempt: SignInAttempt) async throws(ProviderError) -> String

    /// The scopes of every authorization request; applications may request these without further permission.
    var scopes: [String] { get }

    /// The expected `iss` parameter of the authorization response (RFC 9207); `nil` when the provider never sends one.
    var authorizationResponseIssuer: String? { get }

    /// Whether the provider declares that every authorization response has `iss`; a response without it is then refused
    /// (RFC 9207 §2.4). Called together with ``authorizationURL(for:)``.
    func promisesAuthorizationResponseIssuer() async throws(ProviderError) -> Bool

    /// Whether the flow returns an ID token, which can repeat our nonce (OpenID Connect Core §3.1.2.1).
    var repeatsNonce: Bool { get }

    /// Whether the authorization response is a posted form instead of a query (OAuth 2.0 Form Post Response Mode).
    var answersByPost: Bool { get }

    /// The clients of the entry whose authorization requests the plugin makes and whose codes it redeems, as
    /// ``SignInAttempt/clientID`` and ``Credential/AuthorizationCode/clientID`` name them: more than one where an app has
    /// a registration of its own (RFC 8252 §8.4).
    var authorizationClientIDs: [String] { get }
}

extension RedirectSignIn {
    /// None: further scopes of an application need the entry's `allowedScopes`.
    public var scopes: [String] { [] }
    /// Whether the provider accepts ID tokens as credentials.
    public var repeatsNonce: Bool { accepts.contains(.idToken) }
    /// `false`, unless the provider's metadata declares it.
    public func promisesAuthorizationResponseIssuer() async throws(ProviderError) -> Bool { false }
    /// `false`: most providers use the query.
    public var answersByPost: Bool { false }
    /// The one client of the instance.
    public var authorizationClientIDs: [String] { [clientID] }
}

/// A provider whose access tokens expire and can be renewed without the user (RFC 6749 §6).
///
/// The broker calls it when a backend reads a token that is about to expire, and to see whether a grant is still valid. Of
/// all brokers on a store one at a time does so for a grant, and the result is stored before anything uses it.
public protocol GrantRefresh: IdentityProvider {
    /// Refreshes the grant of a user.
    ///
    /// A thrown ``ProviderError/Fault/credential`` at ``ProviderError/Step/refresh`` means that the provider has withdrawn
    /// the grant: the broker marks it and never asks with it again. After ``ProviderError/Fault/upstream`` it asks again
    /// with the same refresh token. The result keeps the old refresh token where the provider sends no new one, and names
    /// the scopes that are granted now.
    func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant
}

/// A provider whose accounts may become others while a session lasts: merged accounts, and anonymous ones whose user
/// becomes known.
///
/// When a session that began with the provider is refreshed and the stored access token has expired, the broker refreshes
/// the grant and asks for the identity again. It waits two seconds at most, and an error changes nothing.
public protocol IdentityRefresh: GrantRefresh {
    /// The identity that a refreshed grant is for, as the provider asserts it now. It needs no grant.
    func identity(behind refreshed: UpstreamGrant) async throws(ProviderError) -> ExternalIdentity
}

/// A provider that supports token revocation (RFC 7009 or its own endpoint).
///
/// The broker calls it after an identity was unlinked or its user deleted, from a queue: a failure with the fault
/// ``ProviderError/Fault/upstream`` is repeated later, any other one waits for the operator. The same grant may be revoked
/// more than once.
public protocol GrantRevocation: IdentityProvider {
    /// Revokes the user's grant to our client. Revoking an invalid grant is a success.
    func revoke(_ grant: UpstreamGrant) async throws(ProviderError)

    /// The clients whose grants ``revoke(_:)`` can revoke. The broker passes no other grants: most providers answer the
    /// request of another client as if the grant was invalid.
    var clientIDs: [String] { get }

    /// Whether the provider can revoke at all; the broker drops the grant otherwise. May load the provider's metadata.
    func offersRevocation() async throws(ProviderError) -> Bool
}

extension GrantRevocation {
    /// The one client of the instance.
    public var clientIDs: [String] { [clientID] }
    /// `true`.
    public func offersRevocation() async throws(ProviderError) -> Bool { true }
}

/// A provider that can revoke the tokens of one sign-in and leave the user's other tokens of the same client valid.
///
/// The broker calls it instead of ``GrantRevocation/revoke(_:)`` when the user has signed in again since: to revoke the
/// whole grant would end the new tokens as well. Without this capability the old tokens are dropped then.
public protocol TokenRevocation: GrantRevocation {
    /// Whether ``revokeTokens(of:)`` spares other tokens; providers that know it of some installations only say so here.
    var revokesTokensAlone: Bool { get }

    /// Revokes the tokens of `grant` and no others. Revoking invalid tokens is a success.
    func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError)
}

extension TokenRevocation {
    /// `true`.
    public var revokesTokensAlone: Bool { true }
}

/// A provider whose grants the broker probes in the background, because it says in no other way that a user has
/// withdrawn one.
///
/// A probe is a refresh whose result is discarded, so only providers whose refresh tokens never change may declare it. A
/// fault of the credential means that the user withdrew the grant, or that the provider no longer accepts our client.
public protocol GrantProbe: GrantRefresh {
    /// The least time between two probes of one grant, in seconds.
    var probeInterval: Int { get }
}

/// A provider that offers the device authorization grant (RFC 8628), for terminals without a browser.
///
/// The broker calls it for `broker link --device` and `broker reauth --device`.
public protocol DeviceSignIn: IdentityProvider {
    /// Requests a device code and a user code (RFC 8628 §3.1).
    func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization

    /// Polls the token endpoint once (RFC 8628 §3.4). The caller waits ``DeviceAuthorization/interval`` between calls.
    func pollDeviceAuthorization(_ deviceCode: String) async throws(ProviderError) -> DeviceAuthorizationAnswer
}

/// A provider that can check its configuration, for `broker providers check`, `add` and `broker status`.
public protocol ConfigurationCheck: IdentityProvider {
    /// Checks our client at the provider, without a user's credential; ``ConfigurationProbe`` has the checks that are
    /// common to all providers.
    ///
    /// - Returns: The faults that prevent sign-ins; empty when there are none.
    func checkConfiguration() async -> [ConfigurationFinding]
}

/// A provider with an option by which addresses count as verified that it does not call verified.
///
/// The broker makes such an instance only for an entry of the host's file that trusts the provider (`trustEmail`), and only
/// where all accounts are of one organisation: any user could otherwise name the address of another.
public protocol UnverifiedEmailTrust: IdentityProvider {
    /// Whether the option is set.
    var trustsUnverifiedEmails: Bool { get }
    /// Whether the accounts that sign in here are those of one organisation.
    var isOfOneTenant: Bool { get }
}

/// The broker's values for one authorization request to a provider.
public struct SignInAttempt: Sendable {
    /// The broker's unguessable `state`, which the provider returns (RFC 6749 §10.12).
    public let state: String
    /// The redirect URI of the authorization response.
    public let redirectURI: String
    /// The PKCE challenge, base64url of the verifier's SHA-256 (RFC 7636 §4.2, method S256).
    public let codeChallenge: String
    /// The nonce that the ID token must repeat (OpenID Connect Core §3.1.2.1); absent for providers without ID tokens.
    public let nonce: String?
    /// Scopes beyond the configured ones.
    public let scopes: [String]
    /// The app's hint about the user who signs in (`login_hint`).
    public let loginHint: String?
    /// Additional parameters of the app. Reserved parameters of the protocol are ignored.
    public let parameters: [String: String]
    /// Whether the provider should reauthenticate the user, as far as it supports that.
    public let isReauthentication: Bool
    /// The client that requests, one of ``RedirectSignIn/authorizationClientIDs``; absent for the instance's own. It
    /// belongs to an app, and so does ``redirectURI``.
    public let clientID: String?

    /// Makes the values of one authorization request.
    public init(
        state: String, redirectURI: String, codeChallenge: String, nonce: String? = nil, scopes: [String] = [],
        loginHint: String? = nil, parameters: [String: String] = [:], isReauthentication: Bool = false,
        clientID: String? = nil
    ) {
        self.state = state
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.nonce = nonce
        self.scopes = scopes
        self.loginHint = loginHint
        self.parameters = parameters
        self.isReauthentication = isReauthentication
        self.clientID = clientID
    }
}

/// A device authorization response (RFC 8628 §3.2).
public struct DeviceAuthorization: Sendable {
    /// The device code: used for polling, never shown.
    public let deviceCode: String
    /// The user code, which the user enters at ``verificationURI``.
    public let userCode: String
    /// The page on which the user enters ``userCode``.
    public let verificationURI: String
    /// The page with ``userCode`` in its URL, for links and QR codes, if the provider has one.
    public let verificationURIComplete: String?
    /// Seconds until both codes expire.
    public let expiresIn: Int
    /// Seconds to wait between two polls.
    public let interval: Int

    /// Makes a response, with times in seconds.
    public init(
        deviceCode: String, userCode: String, verificationURI: String, verificationURIComplete: String? = nil,
        expiresIn: Int, interval: Int
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.verificationURIComplete = verificationURIComplete
        self.expiresIn = expiresIn
        self.interval = interval
    }
}

/// The status of a device authorization (RFC 8628 §3.5).
public enum DeviceAuthorizationAnswer: Sendable {
    /// The user has not finished yet.
    case pending
    /// The client polled too fast: wait this many seconds between polls.
    case slowDown(interval: Int)
    /// The user approved: the identity, with the grant that the code was exchanged for.
    case granted(ExternalIdentity)
}
