public import ProviderKit

/// What a provider answers on a good day, and whom that proves.
public struct ProviderScript: Sendable {
    /// Every address the plugin asks, in all of its flows.
    public var endpoints: [ScriptedEndpoint]
    /// At least one for every kind of credential the plugin accepts.
    public var signIns: [HonestSignIn]
    /// Each way in which the provider says that an address is not verified, or says nothing about it.
    public var unverified: [ScriptVariation]
    /// Each way in which a credential turns out to be somebody else's: issued to another client, for one.
    public var foreign: [ScriptVariation]
    /// A grant that ``GrantRefresh`` and ``GrantRevocation`` work on; ``endpoints`` answer for it.
    public var grant: UpstreamGrant?
    /// What the provider answers when it is to withdraw a grant it does not know.
    public var unknownGrant: [ScriptedEndpoint]
    /// Who agrees in the device flow, for a plugin with ``DeviceSignIn``; ``endpoints`` answer with a grant at once.
    public var deviceIdentity: ExternalIdentity?
    /// The status that `authorization_pending` and the like come with (RFC 8628 §3.5 says 400).
    public var devicePollStatus: Int

    /// A provider's good day; the parameters are the properties of the same name.
    public init(
        endpoints: [ScriptedEndpoint], signIns: [HonestSignIn], unverified: [ScriptVariation] = [],
        foreign: [ScriptVariation] = [], grant: UpstreamGrant? = nil, unknownGrant: [ScriptedEndpoint] = [],
        deviceIdentity: ExternalIdentity? = nil, devicePollStatus: Int = 400
    ) {
        self.endpoints = endpoints
        self.signIns = signIns
        self.unverified = unverified
        self.foreign = foreign
        self.grant = grant
        self.unknownGrant = unknownGrant
        self.deviceIdentity = deviceIdentity
        self.devicePollStatus = devicePollStatus
    }
}

/// A credential that is what it claims to be, and whom it proves.
public struct HonestSignIn: Sendable {
    /// What tells it from the others, for messages.
    public let title: String
    /// The credential.
    public let credential: Credential
    /// Whom it proves. An empty profile and an absent grant are not compared, everything else is.
    public let identity: ExternalIdentity
    /// Whether an ID token decides; `nil` leaves it to whether there is one, as the credential or in an answer.
    public let hasIDToken: Bool?
    /// Forgeries that do no harm to this sign-in, and why. The grade shows them.
    public let harmlessForgeries: [IDTokenForgery: String]

    /// A sign-in that succeeds.
    ///
    /// - Parameters:
    ///   - credential: The proof.
    ///   - title: What tells it from the others; its kind when absent.
    ///   - identity: Whom it proves.
    ///   - hasIDToken: Whether an ID token decides; when absent, it does where the credential is one or an answer has
    ///     one.
    ///   - harmlessForgeries: Why a forgery does no harm.
    public init(
        _ credential: Credential, title: String? = nil, identity: ExternalIdentity, hasIDToken: Bool? = nil,
        harmlessForgeries: [IDTokenForgery: String] = [:]
    ) {
        self.credential = credential
        self.title = title ?? credential.kind.rawValue
        self.identity = identity
        self.hasIDToken = hasIDToken
        self.harmlessForgeries = harmlessForgeries
    }
}

/// A sign-in under other circumstances.
public struct ScriptVariation: Sendable {
    /// The circumstances, for messages.
    public let title: String
    /// Which sign-in, by its position in ``ProviderScript/signIns``.
    let signIn: Int
    /// The credential, when it is another one.
    let credential: Credential?
    /// The endpoints that answer otherwise.
    let answers: [ScriptedEndpoint]

    /// A sign-in under other circumstances.
    ///
    /// - Parameters:
    ///   - title: The circumstances.
    ///   - signIn: The position of the sign-in in ``ProviderScript/signIns``.
    ///   - credential: Another credential in its place.
    ///   - answers: The endpoints that answer otherwise.
    public init(
        _ title: String, signIn: Int, credential: Credential? = nil, answering answers: [ScriptedEndpoint] = []
    ) {
        self.title = title
        self.signIn = signIn
        self.credential = credential
        self.answers = answers
    }
}
