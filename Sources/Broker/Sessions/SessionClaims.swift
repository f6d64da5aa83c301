import BrokerStore
import ProviderKit

/// A claim that a client of the OpenID Connect family gets: its name, the documents that it stands in, and its value.
/// Each one is declared here alone; documents, discovery, Docs/Tokens.md and the names that custom claims never take
/// follow from ``all``.
package struct SessionClaim: Sendable {
    /// What has claims.
    package enum Document: String, Sendable, CaseIterable {
        case idToken = "ID token"
        case accessToken = "access token"
        case userInfo = "userinfo"
        case introspection
        /// The member `broker.login` of a user's own record, and each of `broker.sessions` of `users.show`.
        case login = "look-up"
    }

    /// What a value is.
    package enum Kind: Sendable {
        case text, integer, flag, texts, object
    }

    /// What the values are taken from.
    struct Subject: Sendable {
        let session: Session
        let user: User
        /// Whether the user has never been more than a device.
        let isAnonymous: Bool
        /// The user's name at the provider of the sign-in.
        let screenName: String?
        /// `amr`.
        let methods: [JSONValue]
        let issuer: String
        let scopes: Scopes
        /// The class of the login.
        let authenticationContext: String?
        var audience: String?
        /// The OAuth client; nil in a token of Identity Toolkit.
        var clientID: String?
        /// The lifetime of the document, in seconds since 1970.
        var issuedAt: Int64?
        var expiresAt: Int64?
        var nonce: String?
        /// An access token's `jti`.
        var tokenID: String?
        /// The left half of the hash of the access token beside an ID token.
        var accessTokenHash: String?
        /// Whether custom claims were left out, which userinfo has.
        var leavesClaimsOut = false

        init<Linked: ProviderSubject>(
            _ facts: SessionView<Linked>, issuer: String, scopes: Scopes, stepUp: [StepUpRule], at now: Timestamp
        ) {
            (session, user, self.issuer, self.scopes) = (facts.session, facts.user, issuer, scopes)
            authenticationContext = session.authenticationContext(stepUp, at: now)
            isAnonymous = facts.isAnonymous
            screenName = facts.screenName
            methods = session.methods
        }

        /// Of the login alone.
        fileprivate init(_ session: Session, _ user: User, stepUp: [StepUpRule], at now: Timestamp) {
            (self.session, self.user, issuer, scopes) = (session, user, "", Scopes([]))
            authenticationContext = session.authenticationContext(stepUp, at: now)
            (isAnonymous, screenName, methods) = (false, nil, session.methods)
        }
    }

    package let name: String
    /// The scope that grants it; nil where every client gets it.
    package let scope: Scope?
    package let documents: Set<Document>
    package let kind: Kind
    /// The standard that defines it.
    package let source: String
    /// The text of Docs/Tokens.md.
    package let text: String
    let value: @Sendable (Subject) -> JSONValue?

    private init(
        _ name: String, _ kind: Kind = .text, in documents: Set<Document> = Set(Document.allCases),
        by scope: Scope? = nil, source: String, text: String, value: @escaping @Sendable (Subject) -> JSONValue?
    ) {
        (self.name, self.kind, self.documents, self.scope, self.source) = (name, kind, documents, scope, source)
        (self.text, self.value) = (text, value)
    }

    /// The maximum bytes of an access token's payload. The signature of RS256 has 342 characters and the header up to 150, so
    /// that the token has 4 KB at most, which header fields of most servers take.
    private static let maximumPayload = 2_700

    /// The claims of a document: those of ``all`` in their order, then the user's custom claims for the scope `claims`.
    static func claims(of document: Document, _ subject: Subject) -> JSONObject {
        var claims = JSONObject()
        each(in: document, subject) { claims[$0] = $1 }
        for (name, value) in custom(subject) { claims[name] = value }
        return claims
    }

    /// The payload of a token.
    static func payload(of document: Document, _ subject: Subject) -> [UInt8] {
        let custom = custom(subject)
        let whole = payload(of: document, subject, custom)
        guard document == .accessToken, !custom.isEmpty, whole.count > maximumPayload else { return whole }
        var subject = subject
        subject.leavesClaimsOut = true
        var size = payload(of: document, subject, []).count
        let fitting = custom.filter { claim in
            // With quotes, colon and comma.
            let length = JSONObject([claim]).serialized().utf8.count
            guard size + length <= maximumPayload else { return false }
            size += length
            return true
        }
        return payload(of: document, subject, fitting)
    }

    private static func payload(
        of document: Document, _ subject: Subject, _ custom: [(String, JSONValue)]
    ) -> [UInt8] {
        var payload = JSONObjectWriter()
        each(in: document, subject) { payload.add(named: $0, $1) }
        for (name, value) in custom { payload.add(named: name, value) }
        return payload.finish()
    }

    private static func custom(_ subject: Subject) -> [(String, JSONValue)] {
        subject.scopes.contains(.claims) ? CustomClaims.ofOpenID(subject.user, subject.session).claims : []
    }

    private static func each(in document: Document, _ subject: Subject, _ body: (String, JSONValue) -> Void) {
        for claim in byDocument[document] ?? [] {
            if let scope = claim.scope, !subject.scopes.contains(scope) { continue }
            if let value = claim.value(subject) { body(claim.name, value) }
        }
    }

    /// The claims of a session, where no token stands for it.
    static func login(of session: Session, _ user: User, stepUp: [StepUpRule], at now: Timestamp) -> JSONObject {
        var claims = JSONObject()
        each(in: .login, Subject(session, user, stepUp: stepUp, at: now)) { claims[$0] = $1 }
        return claims
    }

    private static let byDocument = Dictionary(
        uniqueKeysWithValues: Document.allCases.map { document in
            (document, all.filter { $0.documents.contains(document) })
        })

    private static let ofUser: Set<Document> = [.idToken, .accessToken, .userInfo, .introspection]
    private static let tokens: Set<Document> = [.idToken, .accessToken]
    private static let signed: Set<Document> = [.idToken, .accessToken, .introspection]

    /// All of them, but for the user's custom claims.
    package static let all = ofTokens + ofLogins + ofUsers

    private static let ofTokens: [SessionClaim] = [
        SessionClaim("iss", in: signed, source: "RFC 7519 §4.1.1", text: "The public URL of the broker.") {
            .string($0.issuer)
        },
        SessionClaim("sub", in: ofUser, source: "RFC 7519 §4.1.2", text: "The user's `localId`.") {
            .string($0.user.localID)
        },
        SessionClaim("aud", in: signed, source: "RFC 7519 §4.1.3", text: "The client's id.") {
            $0.audience.map(JSONValue.string)
        },
        SessionClaim(
            "client_id", in: [.accessToken, .introspection], source: "RFC 9068 §2.2", text: "The client's id."
        ) { $0.clientID.map(JSONValue.string) },
        SessionClaim("iat", .integer, in: signed, source: "RFC 7519 §4.1.6", text: "When it was issued.") {
            $0.issuedAt.map(JSONValue.integer)
        },
        SessionClaim("exp", .integer, in: signed, source: "RFC 7519 §4.1.4", text: "When it expires.") {
            $0.expiresAt.map(JSONValue.integer)
        },
        SessionClaim(
            "jti", in: [.accessToken, .introspection], source: "RFC 7519 §4.1.7", text: "The access token's id."
        ) { $0.tokenID.map(JSONValue.string) },
        SessionClaim(
            "scope", in: [.accessToken, .introspection], source: "RFC 9068 §2.2.3",
            text: "The scopes that were granted."
        ) { $0.clientID == nil ? nil : .string($0.scopes.text) },
        SessionClaim(
            "nonce", in: [.idToken], source: "OpenID Connect Core §2", text: "The `nonce` of the authorization request."
        ) { $0.nonce.map(JSONValue.string) },
        SessionClaim(
            "at_hash", in: [.idToken], source: "OpenID Connect Core §3.1.3.6",
            text: "The hash of the access token beside it."
        ) { $0.accessTokenHash.map(JSONValue.string) },
    ]

    private static let ofLogins: [SessionClaim] = [
        SessionClaim(
            "sid", in: signed.union([.login]), source: "OpenID Connect Front-Channel Logout 1.0 §3",
            text: "The session's id."
        ) { .string($0.session.id) },
        SessionClaim(
            "epoch", .integer, in: tokens, source: "Broker", text: "Grows when all sessions of the user are ended."
        ) { .integer($0.session.epoch) },
        SessionClaim(
            "auth_time", .integer, source: "OpenID Connect Core §2", text: "When the user logged in."
        ) { .integer($0.session.authTime) },
        SessionClaim(
            "acr", source: "OpenID Connect Core §2", text: "The step-up rule that the login met, by its name."
        ) { $0.authenticationContext.map(JSONValue.string) },
        SessionClaim("amr", .texts, source: "RFC 8176", text: "How the user logged in.") {
            $0.methods.isEmpty ? nil : .array($0.methods)
        },
        SessionClaim(
            "idp", source: "Broker",
            text: "The provider entry that the user logged in with; `anonymous` and `custom` stand for none."
        ) { .string($0.session.signInProvider) },
    ]

    private static let ofUsers: [SessionClaim] = [
        SessionClaim(
            "name", in: [.idToken, .userInfo], by: .profile, source: "OpenID Connect Core §5.1",
            text: "The display name."
        ) { $0.user.displayName.map(JSONValue.string) },
        SessionClaim(
            "preferred_username", in: [.idToken, .userInfo], by: .profile, source: "OpenID Connect Core §5.1",
            text: "The user's name at the provider of the login. It is neither unique nor permanent."
        ) { $0.screenName.map(JSONValue.string) },
        SessionClaim(
            "picture", in: [.idToken, .userInfo], by: .profile, source: "OpenID Connect Core §5.1",
            text: "The picture's URL."
        ) { (PictureURL($0.user.photoURL)?.claim).map(JSONValue.string) },
        SessionClaim(
            "email", in: [.idToken, .userInfo], by: .email, source: "OpenID Connect Core §5.1", text: "The address."
        ) { $0.user.email.map(JSONValue.string) },
        SessionClaim(
            "email_verified", .flag, in: [.idToken, .userInfo], by: .email, source: "OpenID Connect Core §5.1",
            text: "Whether the user has proven the address."
        ) { $0.user.email == nil ? nil : .bool($0.user.isEmailVerified) },
        SessionClaim(
            "broker", .object, in: ofUser, source: "Broker",
            text: """
                `anonymous` is true for a user that no provider knows. `claimsAtUserinfo` is true where custom claims did not \
                fit into the access token.
                """
        ) { subject in
            var own = JSONObject()
            if subject.isAnonymous { own["anonymous"] = true }
            if subject.leavesClaimsOut { own["claimsAtUserinfo"] = true }
            return own.isEmpty ? nil : .object(own)
        },
    ]
}

/// What a token names of an identity.
package protocol ProviderSubject {
    /// The id of the provider entry.
    var provider: String { get }
    /// The issuer's permanent subject of the user.
    var subject: String { get }
    /// The user's name at the provider.
    var screenName: String? { get }
    /// Whether the provider knows only a device.
    var isAnonymous: Bool { get }
}

extension Identity: ProviderSubject {}

extension TokenIdentity: ProviderSubject {
    package var provider: String { identity.provider }
    package var subject: String { identity.subject }
}

extension LinkedIdentity: ProviderSubject {
    package var provider: String { identity.provider }
    package var subject: String { identity.subject }
}

extension SessionView where Linked: ProviderSubject {
    /// Whether no provider knows the user as more than a device.
    var isAnonymous: Bool {
        identities.isEmpty
            ? session.signInProvider == Session.anonymousProvider : identities.allSatisfy(\.isAnonymous)
    }

    /// The user's name at the provider of the sign-in, or else at the first that has one.
    var screenName: String? {
        let ofSignIn = identities.first {
            $0.screenName != nil && $0.provider.hasSameBytes(as: session.signInProvider)
        }
        return (ofSignIn ?? identities.first { $0.screenName != nil })?.screenName
    }
}

extension Session {
    /// The provider of a session without an identity.
    static let anonymousProvider = "anonymous"

    /// The `amr` of its tokens (RFC 8176).
    var methods: [JSONValue] {
        guard let authenticationMethods else { return [] }
        return authenticationMethods.utf8.split(separator: UInt8(ascii: " ")).map { .string(String(Substring($0))) }
    }
}
