package import Foundation
import JOSE
public import Logging
import StrictJSON

/// The tokens of a broker that a backend accepts, with the broker's keys, which are read when they are first needed.
///
/// One value serves the whole process. Signature, algorithm, `typ`, issuer, audience and time are verified here; whether
/// the session has ended since is known to the broker only (``BrokerIdentity/requireActive()``).
public final class BrokerTokens: Sendable {
    let cookieName: String?
    let now: @Sendable () -> Date
    private let issuer: IssuerURL
    private let checks: [BrokerTokenKind: TokenCheck]
    private let caches: [BrokerTokenKind: KeyCache]
    private let introspector: Introspector?
    private let logger: Logger

    /// Makes the tokens of a broker. Nothing is read yet: a backend may start before its broker.
    ///
    /// - Parameters:
    ///   - issuer: The broker's `publicURL`, an origin; `https` unless it is this machine.
    ///   - clientIDs: The OpenID Connect clients whose access tokens are accepted.
    ///   - projectID: The broker's `project.id`, whose Identity Toolkit tokens are accepted.
    ///   - sessionCookie: The name of the cookie that has a session cookie of Identity Toolkit. Needs `projectID`, and
    ///     protection against cross-site requests.
    ///   - accepting: The accepted kinds; nil for access tokens where there are `clientIDs`, ID tokens where there is a
    ///     `projectID`, and session cookies where a cookie is named.
    ///   - introspection: The credential to ask the broker with whether a session has ended.
    ///   - options: Limits of the caches.
    ///   - logger: For failed fetches of keys.
    /// - Throws: ``BrokerTokensError``.
    public convenience init(
        issuer: String, clientIDs: [String] = [], projectID: String? = nil, sessionCookie: String? = nil,
        accepting: Set<BrokerTokenKind>? = nil, introspection: BrokerCredential? = nil, options: Options = Options(),
        logger: Logger = Logger(label: "BrokerAuthMiddleware")
    ) throws(BrokerTokensError) {
        try self.init(
            issuer: issuer, clientIDs: clientIDs, projectID: projectID, sessionCookie: sessionCookie,
            accepting: accepting, introspection: introspection, options: options, logger: logger, now: { Date() })
    }

    package init(
        issuer: String, clientIDs: [String] = [], projectID: String? = nil, sessionCookie: String? = nil,
        accepting: Set<BrokerTokenKind>? = nil, introspection: BrokerCredential? = nil, options: Options = Options(),
        logger: Logger, now: @escaping @Sendable () -> Date
    ) throws(BrokerTokensError) {
        let issuer = try IssuerURL(issuer)
        let named: [BrokerTokenKind: [String]?] = [
            .accessToken: clientIDs.isEmpty ? nil : clientIDs, .identityToolkitIDToken: projectID.map { [$0] },
            .sessionCookie: sessionCookie == nil ? nil : projectID.map { [$0] },
        ]
        let possible = named.compactMapValues(\.self)
        let kinds = accepting ?? Set(possible.keys)
        guard !kinds.isEmpty, kinds.allSatisfy({ possible[$0] != nil }), sessionCookie == nil || projectID != nil else {
            throw BrokerTokensError(
                "access tokens need clientIDs, ID tokens a projectID, session cookies a projectID and a sessionCookie")
        }
        if let projectID { try Self.check(projectID) }
        if let sessionCookie { try Self.check(cookie: sessionCookie) }
        try introspection?.check(issuer)
        self.issuer = issuer
        self.logger = logger
        self.now = now
        cookieName = kinds.contains(.sessionCookie) ? sessionCookie : nil
        var checks: [BrokerTokenKind: TokenCheck] = [:]
        var caches: [BrokerTokenKind: KeyCache] = [:]
        for kind in kinds {
            checks[kind] = TokenCheck(
                kind: kind, audiences: possible[kind] ?? [], capacity: options.verifiedTokens)
            caches[kind] = KeyCache(Self.source(of: kind, projectID ?? "", issuer), options, logger, now: now)
        }
        (self.checks, self.caches) = (checks, caches)
        let connection = BrokerConnection(timeout: options.requestTimeout)
        introspector = introspection.map { Introspector(issuer, $0, connection, logger, now: now) }
    }

    /// Verifies an access token or an ID token of Identity Toolkit, wherever it comes from.
    ///
    /// - Returns: The caller.
    /// - Throws: ``BrokerAuthRefusal``: `invalidToken`, `unavailable`.
    public func identity(bearer: String) async throws(BrokerAuthRefusal) -> BrokerIdentity {
        try await verify(PresentedToken(carrier: .header, text: bearer))
    }

    /// Verifies a session cookie of Identity Toolkit, wherever it comes from.
    ///
    /// - Returns: The caller.
    /// - Throws: ``BrokerAuthRefusal``: `invalidToken`, `unavailable`.
    public func identity(sessionCookie: String) async throws(BrokerAuthRefusal) -> BrokerIdentity {
        try await verify(PresentedToken(carrier: .cookie, text: sessionCookie))
    }

    func verify(_ token: PresentedToken) async throws(BrokerAuthRefusal) -> BrokerIdentity {
        guard token.text.utf8.count <= CompactJWS.maximumLength else { throw .invalidToken("The token is too long.") }
        let digest = TokenDigest(of: token.text)
        let facts: TokenFacts
        if let known = try await rememberedFacts(of: digest, token.carrier) {
            facts = known
        } else {
            facts = try await self.facts(of: token, digest)
        }
        try facts.checkTime(at: now())
        return BrokerIdentity(facts, token, self)
    }

    private func rememberedFacts(
        of digest: TokenDigest, _ carrier: PresentedToken.Carrier
    ) async throws(BrokerAuthRefusal) -> TokenFacts? {
        for kind in Self.kinds(of: carrier) {
            guard let check = checks[kind], check.remembers(digest), let keys = try await caches[kind]?.keys() else {
                continue
            }
            if let facts = check.facts(of: digest, with: keys) { return facts }
        }
        return nil
    }

    private func facts(
        of token: PresentedToken, _ digest: TokenDigest
    ) async throws(BrokerAuthRefusal) -> TokenFacts {
        let (parsed, namedIssuer) = try Self.parse(token.text)
        let kind = try kind(of: parsed, token.carrier, namedIssuer)
        guard let check = checks[kind], let cache = caches[kind] else {
            throw .invalidToken("This service does not accept tokens of this kind.")
        }
        let keys = try await cache.keys { keys in
            let isKnown = parsed.header.keyID.map { keys.keys[$0] != nil } ?? true
            return isKnown && !cache.source.isOutdated(keys, by: namedIssuer)
        }
        return try check.facts(of: parsed, digest, with: keys)
    }

    private static func parse(_ text: String) throws(BrokerAuthRefusal) -> (CompactJWS, issuer: String) {
        do throws(JOSEError) {
            let token = try CompactJWS(parsing: text)
            return (token, try token.unverifiedClaims()["iss"]?.string ?? "")
        } catch {
            throw .invalidToken("The token is malformed.")
        }
    }

    /// The kind that a token is verified as. Type and issuer are checked again with the signature.
    private func kind(
        of token: CompactJWS, _ carrier: PresentedToken.Carrier, _ namedIssuer: String
    ) throws(BrokerAuthRefusal) -> BrokerTokenKind {
        guard carrier == .header else { return .sessionCookie }
        if token.header.type?.hasSameBytes(as: TokenCheck.accessTokenType) ?? false { return .accessToken }
        guard !namedIssuer.hasSameBytes(as: issuer.text) else {
            throw .invalidToken("An ID token of OpenID Connect is for its client. Send the access token.")
        }
        return .identityToolkitIDToken
    }

    private static func kinds(of carrier: PresentedToken.Carrier) -> [BrokerTokenKind] {
        carrier == .cookie ? [.sessionCookie] : [.accessToken, .identityToolkitIDToken]
    }

    /// Asks the broker about a verified token.
    func introspect(_ identity: BrokerIdentity) async throws(BrokerAuthRefusal) {
        do throws(BrokerAuthRefusal) {
            guard let introspector else { throw .notConfigured("BrokerTokens has no credential for introspection") }
            try await introspector.requireActive(identity)
        } catch {
            if case .notConfigured(let reason) = error {
                logger.error("a route requires what is not configured", metadata: ["reason": "\(reason)"])
            }
            throw error
        }
    }
}
