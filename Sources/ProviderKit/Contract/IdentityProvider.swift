/// An identity provider: the contract of every plugin.
///
/// The broker handles everything that is common to all providers: state, PKCE, nonces, redirect allow-lists, rate
/// limits, time-outs, HTTP, account linking. A provider answers one question: which user a credential belongs to.
public protocol IdentityProvider: Sendable {
    /// The type of the provider's `options` in `plugins.json`.
    associatedtype Options: Decodable & Sendable

    /// The name that selects this provider in `plugins.json` (`"use": "github"`).
    static var kind: ProviderKind { get }

    /// The service's name for users, such as `GitHub`; absent for plugins that serve many services.
    static var displayName: String? { get }

    /// The provider's public service; absent for providers that exist only as private installations.
    static var publicInstance: PublicInstance? { get }

    /// Whether no code of the plugin blocks its thread: it waits with `await` alone, and computes for less than a
    /// millisecond for an ID token. The broker then verifies ID tokens that come alone on the event loop of the request,
    /// without a change of threads. Everything else runs on threads of the entry in any case: its answers may be long.
    static var isNonBlocking: Bool { get }

    /// Makes one configured instance. Checks the options, without network access.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the options are wrong.
    init(_ options: Options, in context: ProviderContext) throws(ProviderError)

    /// The namespace in which this instance's subjects are unique: an issuer or an installation's base URL.
    ///
    /// It is part of the identity key, so subjects of two installations never collide.
    var instance: String { get }

    /// The rule by which the options select the subject, such as the JSON Pointer of a claim; empty where no option does.
    ///
    /// A change of it would make every user a new one, so the broker refuses it until the operator says what becomes of
    /// the users who have signed in.
    var subjectRule: String { get }

    /// Whether this is the provider's public service, whose e-mail assertions are trusted by default.
    var isPublicInstance: Bool { get }

    /// The client id of this instance at the provider (RFC 6749 §2.2). Public, unlike its secret.
    var clientID: String { get }

    /// A URL that responds without a credential while the provider is available: its discovery document, its key set,
    /// the root of its API. The broker requests it after failures, to distinguish an outage from a failure that a
    /// credential causes. `nil` selects the root of the origin that failed.
    var probeURL: String? { get }

    /// The kinds of credentials that ``verify(_:)`` accepts. The broker refuses all others.
    var accepts: Set<Credential.Kind> { get }

    /// Whether the provider refuses a code whose PKCE verifier does not match the challenge (RFC 7636 §4.6). The broker
    /// accepts a client's code only then, or when its ID token contains the client's nonce: otherwise a stolen code
    /// could be redeemed (RFC 9700 §4.5). May load the provider's metadata.
    func checksCodeVerifier() async throws(ProviderError) -> Bool

    /// Verifies `credential` with the provider, through the context's ``Upstream``.
    ///
    /// - Returns: An identity whose ``ExternalIdentity/subject`` never changes for that user.
    /// - Throws: ``ProviderError``; its ``ProviderError/fault`` names the party that has to act.
    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity
}

extension IdentityProvider {
    /// `nil`: the broker shows the entry's `displayName` or its id.
    public static var displayName: String? { nil }

    /// `false`: the plugin may block its thread.
    public static var isNonBlocking: Bool { false }

    /// Empty: no option selects the subject.
    public var subjectRule: String { "" }

    /// `false`: a client's code needs a nonce.
    public func checksCodeVerifier() async throws(ProviderError) -> Bool { false }

    /// `nil`: the provider exists only as private installations.
    public static var publicInstance: PublicInstance? { nil }

    /// `nil`: any response of the origin shows that it is available.
    public var probeURL: String? { nil }

    /// Whether ``instance`` is the one of ``publicInstance``.
    public var isPublicInstance: Bool {
        Self.publicInstance.map { $0.instance.utf8.elementsEqual(instance.utf8) } ?? false
    }
}

/// A provider's public service, with its id on the wire.
public struct PublicInstance: Sendable, Hashable {
    /// The default `providerId` of an entry, such as `github.com`.
    public let id: String
    /// The ``IdentityProvider/instance`` of an entry that is configured for the public service.
    public let instance: String

    /// Makes a service with its id.
    public init(id: String, instance: String) {
        self.id = id
        self.instance = instance
    }
}

/// The name that selects a plugin in `plugins.json` (`"use"`).
public struct ProviderKind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name itself.
    public let rawValue: String

    /// A kind by its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A kind by its name, as a literal.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The name itself.
    public var description: String { rawValue }
}
