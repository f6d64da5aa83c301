import Foundation
public import ProviderKit

/// A provider's normal responses, and the identities that result.
public struct ProviderScript: Sendable {
    /// Every endpoint that the plugin requests, in all of its flows.
    public var endpoints: [ScriptedEndpoint]
    /// The sign-ins: at least one for every kind of credential that the plugin accepts.
    public var signIns: [HonestSignIn]
    /// Each form in which the provider reports an unverified address, or omits the verification.
    public var unverified: [ScriptVariation]
    /// Each form of a foreign credential, such as one that was issued to another client.
    public var foreign: [ScriptVariation]
    /// A grant for `GrantRefresh`, `GrantRevocation` and `TokenRevocation`, which ``endpoints`` accept.
    public var grant: UpstreamGrant?
    /// The provider's response to the revocation of an unknown grant, and of its tokens alone where that is another
    /// endpoint.
    public var unknownGrant: [ScriptedEndpoint]
    /// Whether the provider refuses a code with another PKCE verifier (RFC 7636 §4.6).
    public var checksCodeVerifier: Bool
    /// The parameters of an authorization URL that make the provider ask for the login again (`prompt=login` in OpenID Connect
    /// Core §3.1.2.1); none where the provider has nothing of this kind.
    public var reauthenticationParameters: [String: String]
    /// The identity of the device flow, for a plugin with `DeviceSignIn`; ``endpoints`` return a grant at once.
    public var deviceIdentity: ExternalIdentity?
    /// The status of `authorization_pending` and similar errors (400 in RFC 8628 §3.5).
    public var devicePollStatus: Int
    /// Messages for `ProviderNotifications`, which the plugin accepts.
    public var notifications: [HonestNotification]
    /// A migration for `SubjectMigration`, which ``endpoints`` accept.
    public var migration: HonestMigration?

    /// Makes a script; the parameters are the properties of the same name.
    public init(
        endpoints: [ScriptedEndpoint], signIns: [HonestSignIn], unverified: [ScriptVariation] = [],
        foreign: [ScriptVariation] = [], grant: UpstreamGrant? = nil, unknownGrant: [ScriptedEndpoint] = [],
        checksCodeVerifier: Bool = false, reauthenticationParameters: [String: String] = [:],
        deviceIdentity: ExternalIdentity? = nil, devicePollStatus: Int = 400,
        notifications: [HonestNotification] = [], migration: HonestMigration? = nil
    ) {
        self.endpoints = endpoints
        self.signIns = signIns
        self.unverified = unverified
        self.foreign = foreign
        self.grant = grant
        self.unknownGrant = unknownGrant
        self.checksCodeVerifier = checksCodeVerifier
        self.reauthenticationParameters = reauthenticationParameters
        self.deviceIdentity = deviceIdentity
        self.devicePollStatus = devicePollStatus
        self.notifications = notifications
        self.migration = migration
    }
}

/// One user of a migration between two owners of an app.
public struct HonestMigration: Sendable {
    let options: JSONValue
    let subject: String
    let transferSubject: String
    let newSubject: String

    /// Makes a migration that succeeds.
    ///
    /// - Parameters:
    ///   - options: The operator's file, with the credentials of both owners.
    ///   - subject: The user's subject at the former owner.
    ///   - transferSubject: The transfer subject that ``ProviderScript/endpoints`` return for it.
    ///   - newSubject: The subject that they return for the transfer subject.
    public init(options: JSONValue, subject: String, transferSubject: String, newSubject: String) {
        self.options = options
        self.subject = subject
        self.transferSubject = transferSubject
        self.newSubject = newSubject
    }
}

/// A valid message of the provider with the events that result.
public struct HonestNotification: Sendable {
    let message: ProviderMessage
    let events: [ProviderEvent]

    /// Makes a message that is accepted.
    ///
    /// - Parameters:
    ///   - message: The message, signed as the provider signs it.
    ///   - events: Its events, in order.
    public init(_ message: ProviderMessage, events: [ProviderEvent]) {
        self.message = message
        self.events = events
    }

    /// A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4) that is valid for two minutes, with its event.
    ///
    /// - Parameters:
    ///   - subject: The user who logs out.
    ///   - issuer: The provider.
    ///   - clientID: Our client.
    ///   - scene: The fixture's scene, whose issuer signs it.
    /// - Returns: The message.
    public static func logout(
        of subject: String, from issuer: String, to clientID: String, in scene: FixtureScene
    ) -> HonestNotification {
        let now = Int64(scene.now.timeIntervalSince1970)
        let claims: JSONObject = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(clientID), "jti": "logout-1",
            "iat": .integer(now), "exp": .integer(now + 120),
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        return HonestNotification(
            ProviderMessage(
                headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("logout_token=\(scene.idToken(claims, type: "logout+jwt"))".utf8)),
            events: [
                ProviderEvent(
                    id: "logout-1", .loggedOut(session: nil), subject: subject, occurredAt: scene.now,
                    expiresAt: scene.now.addingTimeInterval(120))
            ])
    }
}

/// A valid credential with the identity that results.
public struct HonestSignIn: Sendable {
    /// Its name in messages.
    public let title: String
    /// The credential.
    public let credential: Credential
    /// The expected identity. An empty profile and an absent grant are not compared, all other fields are.
    public let identity: ExternalIdentity
    /// Whether an ID token identifies the user; `nil`: when the credential or a response has an ID token.
    public let hasIDToken: Bool?
    /// Forgeries that are harmless for this sign-in, with reasons. The grade shows them.
    public let harmlessForgeries: [IDTokenForgery: String]

    /// Makes a sign-in that succeeds.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - title: Its name in messages; its kind when absent.
    ///   - identity: The expected identity.
    ///   - hasIDToken: Whether an ID token identifies the user; when absent, if the credential or a response has one.
    ///   - harmlessForgeries: The reasons why forgeries are harmless.
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

/// A variation of a sign-in.
public struct ScriptVariation: Sendable {
    /// The variation's name in messages.
    public let title: String
    /// The position of the sign-in in ``ProviderScript/signIns``.
    let signIn: Int
    /// The credential, if it differs.
    let credential: Credential?
    /// The endpoints with other responses.
    let answers: [ScriptedEndpoint]

    /// Makes a variation of a sign-in.
    ///
    /// - Parameters:
    ///   - title: The variation's name in messages.
    ///   - signIn: The position of the sign-in in ``ProviderScript/signIns``.
    ///   - credential: Another credential.
    ///   - answers: The endpoints with other responses.
    public init(
        _ title: String, signIn: Int, credential: Credential? = nil, answering answers: [ScriptedEndpoint] = []
    ) {
        self.title = title
        self.signIn = signIn
        self.credential = credential
        self.answers = answers
    }
}
