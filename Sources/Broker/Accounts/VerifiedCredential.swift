import BrokerStore
import Crypto
import Foundation
import JOSE
import ProviderKit

/// A credential that its provider has verified: the re-validated evidence, with what its use has to record or consume.
///
/// Only `verify` of ``AccountContext`` makes one, so a flow that holds one need not ask the provider again.
package struct VerifiedCredential: Sendable {
    let evidence: Evidence
    /// The pending token that stood for the evidence; consumed when something is written.
    let pendingToken: PendingTokens.Presented?
    /// The ID token it rests on; recorded against replay when something is written.
    let idToken: VerifiedTokenDigest?
    /// Whether the provider accepts the credential once only, so that a sign-in is answered with a pending token.
    let isSingleUse: Bool
    /// Whether users that the provider reports as the same account are merged without an administrator's decision.
    let mergesAutomatically: Bool
    /// The login, as the provider asserts it.
    let authentication: UpstreamAuthentication?
    /// When the user authenticated, in whole seconds since 1970, where something signed says so.
    let authTime: Int64?

    /// Whether the evidence is what the identity has from an earlier sign-in, so that nothing of it is written.
    var isKnown: Bool { pendingToken?.bound != nil }

    /// The provider's identifier of the user.
    package var subject: String { evidence.key.subject }
    package var email: String? { evidence.email?.address.value }
    package var displayName: String? { evidence.displayName }
    package var screenName: String? { evidence.screenName }

    /// A session for this credential with what is known of its login. RFC 8176 has no value for an unknown login: where
    /// nothing is signed, `amr` is `fed` alone.
    func sessionShape(_ family: Session.Family = .identityToolkit) -> SessionShape {
        var methods = ["fed"]
        for method in authentication?.methods ?? [] where !methods.contains(method) { methods.append(method) }
        return SessionShape(family: family, authTime: authTime, authenticationMethods: methods)
    }
}

extension VerifiedCredential {
    /// A credential that a provider has just verified.
    init(
        _ evidence: Evidence, by credential: Credential, _ token: VerifiedIDToken?, from provider: ConfiguredProvider
    ) {
        self.evidence = evidence
        pendingToken = nil
        let sent: String? =
            switch credential.proof {
            case .idToken(let sent): sent.token
            case .authorizationCode: evidence.grant?.idToken
            case .accessToken, .assertion: nil
            }
        idToken = sent.flatMap { sent in token.flatMap { VerifiedTokenDigest(of: sent, expiresAt: $0.expiresAt) } }
        isSingleUse =
            switch credential.proof {
            case .authorizationCode, .idToken: true
            case .accessToken, .assertion: false
            }
        mergesAutomatically = provider.mergesAutomatically
        let login = token.flatMap(UpstreamAuthentication.init)
        authentication = login
        authTime = token.map { login?.time ?? Int64($0.issuedAt.timeIntervalSince1970) }
    }

    /// An identity that a provider has granted to a device, by the device flow (RFC 8628) or by the device's secret.
    init(granted evidence: Evidence, authTime: Int64?, from provider: ConfiguredProvider) {
        self.evidence = evidence
        pendingToken = nil
        idToken = nil
        isSingleUse = false
        mergesAutomatically = provider.mergesAutomatically
        authentication = nil
        self.authTime = authTime
    }

    /// The evidence behind a pending token.
    init(_ pending: PendingTokens.Opened, from provider: ConfiguredProvider) {
        evidence = pending.evidence
        pendingToken = pending.presented
        idToken = nil
        isSingleUse = false
        mergesAutomatically = provider.mergesAutomatically
        authentication = nil
        authTime = pending.authTime
    }
}

/// When and how a user authenticated at a provider, as a signed ID token asserts it.
struct UpstreamAuthentication: Sendable, Hashable {
    /// `auth_time`, whole seconds since 1970 (OpenID Connect Core §2).
    let time: Int64?
    /// `amr` (RFC 8176), without the values the broker sets itself: `user` would claim presence at a login that may be
    /// hours old.
    let methods: [String]

    /// `nil` when the token says neither.
    init?(_ token: VerifiedIDToken) {
        time = token.claims["auth_time"]?.integer.flatMap { $0 > 0 ? $0 : nil }
        methods = (token.claims["amr"]?.array ?? []).compactMap(\.string).filter(AuthenticationMethods.mayAssert)
            .prefix(AuthenticationMethods.maximumCount).map(\.self)
        if time == nil, methods.isEmpty { return nil }
    }
}

/// Identifies a verified ID token in the records against replay.
struct VerifiedTokenDigest: Sendable {
    /// SHA-256 of header and payload: the signature may have several spellings.
    let hash: [UInt8]
    /// When no check accepts the token any more.
    let expiresAt: Timestamp

    fileprivate init?(of token: String, expiresAt: Date) {
        let bytes = token.utf8Bytes
        guard let signed = bytes.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        hash = SHA256.hash(data: bytes[..<signed]).byteArray
        self.expiresAt = Timestamp(expiresAt).advanced(by: Self.clockSkew)
    }

    /// No policy allows a provider's clock to differ by more.
    private static let clockSkew = Duration.seconds(300)
}
