import BrokerStore
import Crypto
import Foundation
package import ProviderKit

/// Where a federated flow gets its evidence from.
package enum FederatedSource: Sendable {
    /// A credential, to be proven by its provider now.
    case credential(Credential, provider: String)
    /// A token this broker gave out when the provider had proven it already.
    case pendingToken(String)
    /// What has been proven by other means than a credential of the client's, or a moment ago.
    case proven(ProvenSource)
}

/// Proves a source, whichever it is.
struct FederatedProof: Sendable {
    let proof: ProviderProof
    let pendingTokens: PendingTokens

    /// - Throws: ``BrokerError``.
    func callAsFunction(_ source: FederatedSource, at now: Timestamp) async throws -> ProvenSource {
        switch source {
        case .credential(let credential, let provider):
            return ProvenSource(try await proof.presented(credential, to: provider), by: credential)
        case .proven(let source): return source
        case .pendingToken(let token):
            let (evidence, authTime) = try await pendingTokens.evidence(behind: token, at: now)
            // The operator may have switched the provider off since.
            guard let provider = proof.providers.current.provider(evidence.key.provider) else {
                throw BrokerError.unknownProvider(evidence.key.provider)
            }
            return ProvenSource(
                evidence: evidence, pendingToken: token, idToken: nil, isOneTime: false,
                mergesAutomatically: provider.mergesAutomatically, authTime: authTime)
        }
    }

    /// Proves the code of an authorization response by its own attempt.
    func redeem(_ code: Credential, of provider: String) async throws -> ProvenSource {
        ProvenSource(try await proof(code, from: provider), by: code)
    }
}

/// Evidence with what it takes to use it again. Only flows make one.
package struct ProvenSource: Sendable {
    let evidence: Evidence
    /// The token it came by, to be consumed when something is written.
    let pendingToken: String?
    /// The ID token it came by, to be recorded when something is written.
    let idToken: UsedOnce?
    /// Whether the credential counts once, so that a sign-in with it is answered with a pending token.
    let isOneTime: Bool
    /// Whether users its provider calls one person become one without an administrator's word.
    let mergesAutomatically: Bool
    /// What the provider says about how the person proved who they are.
    var authentication: UpstreamAuthentication?
    /// When the user proved it, whole seconds since 1970, where something signed says so.
    var authTime: Int64?

    /// A session for this evidence with what is known of its login. RFC 8176 has no word for an unknown login: where
    /// nothing is signed, `amr` is `fed` alone.
    func shape(_ family: Session.Family = .identityToolkit) -> SessionShape {
        var methods = ["fed"]
        for method in authentication?.methods ?? [] where !methods.contains(method) { methods.append(method) }
        return SessionShape(family: family, authTime: authTime, authenticationMethods: methods)
    }
}

extension ProvenSource {
    /// What a provider has verified, with what makes the credential count once.
    fileprivate init(_ proven: ProviderProof.Proven, by credential: Credential) {
        evidence = proven.evidence
        pendingToken = nil
        idToken = UsedOnce(credential, proven)
        isOneTime = credential.isOneTime
        mergesAutomatically = proven.provider.mergesAutomatically
        authentication = proven.token.flatMap(UpstreamAuthentication.init)
        authTime = proven.token.map { authentication?.time ?? Int64($0.issuedAt.timeIntervalSince1970) }
    }
}

/// When and how a person proved to a provider who they are, in the provider's signed words.
struct UpstreamAuthentication: Sendable, Hashable {
    /// `auth_time`, whole seconds since 1970 (OpenID Connect Core §2).
    let time: Int64?
    /// `amr` (RFC 8176), without what the broker says by itself: `user` would claim presence at a login that may be
    /// hours old.
    let methods: [String]

    /// `nil` when the token says neither.
    init?(_ token: VerifiedIDToken) {
        time = token.claims["auth_time"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        methods = (token.claims["amr"]?.array ?? []).compactMap(\.string).filter(Self.isMethod).prefix(8).map(\.self)
        if time == nil, methods.isEmpty { return nil }
    }

    private static func isMethod(_ text: String) -> Bool {
        text != "user" && text != "fed" && (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

/// A credential that counts once, by what makes it itself.
struct UsedOnce: Sendable {
    /// SHA-256 of what the issuer signed: the signature may have several spellings.
    let hash: [UInt8]
    /// When no check would take it any more.
    let expiresAt: Timestamp

    /// The ID token a client sent, or the one its code was exchanged for; `nil` for credentials without one.
    fileprivate init?(_ credential: Credential, _ proven: ProviderProof.Proven) {
        let token: String? =
            switch credential.proof {
            case .idToken(let sent): sent.token
            case .authorizationCode: proven.evidence.grant?.idToken
            case .accessToken, .assertion: nil
            }
        guard let token, let verified = proven.token,
            let signed = token.utf8.lastIndex(of: UInt8(ascii: "."))
        else { return nil }
        hash = Array(SHA256.hash(data: Data(token.utf8[..<signed])))
        expiresAt = Timestamp(verified.expiresAt).advanced(by: Self.clockSkew)
    }

    /// No policy allows a provider's clock to differ by more.
    private static let clockSkew = Duration.seconds(300)
}

extension Credential {
    /// Codes and ID tokens count once.
    fileprivate var isOneTime: Bool {
        switch proof {
        case .authorizationCode, .idToken: true
        case .accessToken, .assertion: false
        }
    }
}
