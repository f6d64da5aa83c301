/// A provider people reach through their browser (RFC 6749 §4.1).
public protocol RedirectSignIn: IdentityProvider {
    /// Where to send the browser for `attempt`. May ask the provider first, as discovery or a pushed authorization
    /// request (RFC 9126) need to.
    func authorizationURL(for attempt: SignInAttempt) async throws(ProviderError) -> String

    /// The scopes of every authorization request; applications may ask for these without further permission.
    var scopes: [String] { get }

    /// What an `iss` parameter in the browser's return has to equal (RFC 9207); `nil` when the provider never sends one.
    var authorizationResponseIssuer: String? { get }

    /// Whether the provider has said that its answers carry `iss` always: then one without it is not the provider's
    /// (RFC 9207 §2.4). Asked together with ``authorizationURL(for:)``.
    func promisesAuthorizationResponseIssuer() async throws(ProviderError) -> Bool

    /// Whether an ID token comes of it, which can repeat a nonce of ours (OpenID Connect Core §3.1.2.1).
    var repeatsNonce: Bool { get }

    /// Whether the browser brings the answer in a form it posts, never in its address (OAuth 2.0 Form Post Response Mode).
    var answersByPost: Bool { get }
}

extension RedirectSignIn {
    /// Further scopes of an application need the entry's `allowedScopes`.
    public var scopes: [String] { [] }
    /// Who takes ID tokens gives them out as well.
    public var repeatsNonce: Bool { accepts.contains(.idToken) }
    /// Nothing is promised unless a provider says so in its metadata.
    public func promisesAuthorizationResponseIssuer() async throws(ProviderError) -> Bool { false }
    /// Most put it into the address.
    public var answersByPost: Bool { false }
}

/// A provider whose access tokens expire and can be renewed without the user (RFC 6749 §6).
///
/// The broker does not call it yet: it stores grants as they came.
public protocol GrantRefresh: IdentityProvider {
    /// A fresh grant for the same person.
    ///
    /// Providers that rotate refresh tokens make the old one useless: store the answer before using it.
    func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant
}

/// A provider that supports token revocation (RFC 7009 or its own endpoint).
///
/// The broker does not call it yet: unlinking and deletion remove the stored grant only.
public protocol GrantRevocation: IdentityProvider {
    /// Withdraws what the person granted to our client. Withdrawing an already dead grant is a success.
    func revoke(_ grant: UpstreamGrant) async throws(ProviderError)
}

/// A provider that offers the device authorization grant (RFC 8628), for terminals without a browser.
public protocol DeviceSignIn: IdentityProvider {
    /// Asks for a code the person types in elsewhere.
    func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization

    /// Asks once whether the person has finished. The caller waits ``DeviceAuthorization/interval`` between calls.
    func pollDeviceAuthorization(_ deviceCode: String) async throws(ProviderError) -> DeviceAuthorizationAnswer
}

/// A provider that can tell whether its configuration would work, for `broker providers check`.
public protocol ConfigurationCheck: IdentityProvider {
    /// Asks the provider about our own client, without any person's credential; ``ConfigurationProbe`` has the
    /// questions that are the same for every provider.
    ///
    /// - Returns: What would keep people from signing in; empty when nothing was found.
    func checkConfiguration() async -> [ConfigurationFinding]
}

/// One trip of a browser to a provider, with everything the broker has prepared for it.
public struct SignInAttempt: Sendable {
    /// The broker's own unguessable value, echoed by the provider (RFC 6749 §10.12).
    public let state: String
    /// Where the provider sends the browser back to.
    public let redirectURI: String
    /// The PKCE challenge, base64url of the verifier's SHA-256 (RFC 7636 §4.2, method S256).
    public let codeChallenge: String
    /// The nonce an ID token has to repeat (OpenID Connect Core §3.1.2.1); absent for providers without ID tokens.
    public let nonce: String?
    /// Scopes beyond the configured ones.
    public let scopes: [String]
    /// Whom the app expects to sign in.
    public let loginHint: String?
    /// Extra parameters an app asked for. Parameters the protocol reserves are ignored.
    public let parameters: [String: String]
    /// Whether the person is to prove anew who they are, however recently they did; providers do what they can.
    public let isReauthentication: Bool

    /// What the broker prepared for one trip.
    public init(
        state: String, redirectURI: String, codeChallenge: String, nonce: String? = nil, scopes: [String] = [],
        loginHint: String? = nil, parameters: [String: String] = [:], isReauthentication: Bool = false
    ) {
        self.state = state
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.nonce = nonce
        self.scopes = scopes
        self.loginHint = loginHint
        self.parameters = parameters
        self.isReauthentication = isReauthentication
    }
}

/// What a provider answers to a device authorization request (RFC 8628 §3.2).
public struct DeviceAuthorization: Sendable {
    /// The broker's half: polled with, never shown.
    public let deviceCode: String
    /// The person's half: typed in at ``verificationURI``.
    public let userCode: String
    /// Where the person types ``userCode`` in.
    public let verificationURI: String
    /// The same with ``userCode`` already in it, for links and QR codes, when the provider has one.
    public let verificationURIComplete: String?
    /// Seconds until both codes die.
    public let expiresIn: Int
    /// Seconds to wait between two polls.
    public let interval: Int

    /// The provider's answer, with times in seconds.
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

/// How a device authorization stands (RFC 8628 §3.5).
public enum DeviceAuthorizationAnswer: Sendable {
    /// The person has not finished yet.
    case pending
    /// Polled too fast: wait this many seconds from now on.
    case slowDown(interval: Int)
    /// The person agreed; who it was, with the whole grant the code was exchanged for.
    case granted(ExternalIdentity)
}
