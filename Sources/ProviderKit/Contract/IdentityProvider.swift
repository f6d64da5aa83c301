/// One way to sign in: the contract every plugin fulfils.
///
/// The broker owns whatever is the same for all providers: state, PKCE, nonces, redirect allow-lists, rate limits,
/// time-outs, HTTP, account linking. A provider fills in the one thing only it knows: who a credential belongs to.
public protocol IdentityProvider: Sendable {
    /// What the provider's `options` in `plugins.json` decode into.
    associatedtype Options: Decodable & Sendable

    /// The name `plugins.json` selects this provider by (`"use": "github"`).
    static var kind: ProviderKind { get }

    /// What users call the service, such as `GitHub`; absent for plugins that are many services.
    static var displayName: String? { get }

    /// The provider's public service, when it has one; absent for providers that exist only as somebody's installation.
    static var publicInstance: PublicInstance? { get }

    /// Makes one configured instance. Checks the options; does not touch the network.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the options are wrong.
    init(_ options: Options, in context: ProviderContext) throws(ProviderError)

    /// The name space in which this instance's subjects are unique: an issuer or an installation's base URL.
    ///
    /// The broker stamps it into the identity key, so two installations never share a person.
    var instance: String { get }

    /// Whether this is the provider's public service, whose word on addresses counts unless the operator says otherwise.
    var isPublicInstance: Bool { get }

    /// The client this instance is registered as at the provider (RFC 6749 §2.2). Public, unlike its secret.
    var clientID: String { get }

    /// A URL that answers without any credential while the provider is up: its discovery document, its key set, the root
    /// of its API. Asked when requests fail, to tell an outage from credentials that make a provider fail. `nil` asks the
    /// root of the origin that failed.
    var probeURL: String? { get }

    /// The credentials ``verify(_:)`` understands. The broker turns away all others itself.
    var accepts: Set<Credential.Kind> { get }

    /// Whether the provider refuses a code whose PKCE verifier does not fit the challenge it was requested with
    /// (RFC 7636 §4.6). A code that a client presents is taken only then, or when its ID token carries the client's nonce:
    /// otherwise whoever has the code could redeem it (RFC 9700 §4.5). May ask the provider for its metadata.
    func checksCodeVerifier() async throws(ProviderError) -> Bool

    /// Proves who `credential` belongs to, asking the provider through the context's ``Upstream``.
    ///
    /// - Returns: An identity whose ``ExternalIdentity/subject`` never changes for that person.
    /// - Throws: ``ProviderError``; its ``ProviderError/fault`` says who has to act.
    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity
}

extension IdentityProvider {
    /// `nil`: users see the entry's `displayName` or its id.
    public static var displayName: String? { nil }

    /// `false`: codes that clients present need a nonce.
    public func checksCodeVerifier() async throws(ProviderError) -> Bool { false }

    /// `nil`: the provider exists only as installations.
    public static var publicInstance: PublicInstance? { nil }

    /// `nil`: any answer from the origin tells that it is up.
    public var probeURL: String? { nil }

    /// Whether ``instance`` is the one of ``publicInstance``.
    public var isPublicInstance: Bool {
        Self.publicInstance.map { $0.instance.utf8.elementsEqual(instance.utf8) } ?? false
    }
}

/// The service a provider offers to the world, and the id that stands for it on the wire.
public struct PublicInstance: Sendable, Hashable {
    /// The `providerId` an entry gets when it names none, such as `github.com`.
    public let id: String
    /// The ``IdentityProvider/instance`` of an entry that is configured for the public service.
    public let instance: String

    /// Names a service and the id that stands for it.
    public init(id: String, instance: String) {
        self.id = id
        self.instance = instance
    }
}

/// The name a plugin is selected by in `plugins.json` (`"use"`).
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
