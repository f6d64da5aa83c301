import BrokerStore
import JOSE
import Logging
package import ProviderKit

/// The first step of every federated flow: finds the configured plugin, lets it verify the credential at its provider,
/// and re-validates what the plugin returns.
extension AccountContext {
    /// Verifies a credential that a client presents. A code has to be bound to the client by PKCE or by the nonce of its
    /// ID token: it may have leaked otherwise.
    ///
    /// - Throws: ``BrokerError``, ``BrokerError/codeNotBound`` and ``BrokerError/codeOfOwnCallback`` among them, or a
    ///   ``StoreError`` when a first-time profile cannot be stored. The reason for the operator goes to the log, without
    ///   any credential.
    package func verify(_ credential: Credential, from id: String) async throws -> VerifiedCredential {
        guard case .authorizationCode(let code) = credential.proof else {
            return try await verified(credential, from: id).credential
        }
        let provider = try providers.current.provider(id, accepting: .authorizationCode)
        guard !BrokerCallback(providers.publicURL).isTarget(code.redirectURI) else {
            throw BrokerError.codeOfOwnCallback
        }
        guard code.verifier != nil || code.expectedNonce != nil else { throw BrokerError.codeNotBound }
        let checksVerifier = try await provider.ask { try await provider.provider.checksCodeVerifier() }
        if checksVerifier, code.verifier != nil { return try await verified(credential, from: id).credential }
        guard let nonce = code.expectedNonce else { throw BrokerError.codeNotBound }
        let verified = try await verified(credential, from: id)
        guard verified.idToken?.claims["nonce"]?.string?.hasSameBytes(as: nonce) == true else {
            throw BrokerError.missingOrInvalidNonce
        }
        return verified.credential
    }

    /// Verifies the code of an authorization response to a request of the broker's own, which has bound it already.
    ///
    /// - Throws: As for a credential that a client presents.
    func verify(ownCode credential: Credential, from id: String) async throws -> VerifiedCredential {
        try await verified(credential, from: id).credential
    }

    /// Opens a pending token (contract §3.6), whose identity was verified when it was issued.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - client: The id of the OAuth client that presents it; nil outside of OAuth.
    /// - Returns: The credential that it stands for.
    /// - Throws: ``BrokerError/invalidPendingToken``; ``BrokerError/unknownProvider(_:)`` when the provider has been
    ///   removed or disabled since.
    package func verify(pendingToken token: String, of client: String? = nil) async throws -> VerifiedCredential {
        let opened = try await pendingTokens.open(token, boundTo: client, at: now)
        let id = opened.evidence.key.provider
        guard let provider = providers.current.provider(id) else { throw BrokerError.unknownProvider(id) }
        return VerifiedCredential(opened, from: provider)
    }

    /// Re-validates the identity that a provider has granted to a device, by the device flow (RFC 8628) or by the
    /// device's secret. `authTime` is when the user authenticated, if that was not now.
    ///
    /// - Throws: ``BrokerError/providerAnswerUnusable(_:)``, or a ``StoreError``.
    func verify(
        granted identity: ExternalIdentity, authTime: Int64? = nil, from provider: ConfiguredProvider
    ) async throws -> VerifiedCredential {
        VerifiedCredential(
            granted: try await evidence(of: identity, from: provider), authTime: authTime, from: provider)
    }

    private func verified(
        _ credential: Credential, from id: String
    ) async throws -> (credential: VerifiedCredential, idToken: VerifiedIDToken?) {
        let provider = try providers.current.provider(id, accepting: credential.kind)
        RequestAdmission.note(provider: provider.id)
        guard credential.isWellFormed else {
            provider.log(ProviderError(.credential, at: .redeem, "the credential is not printable ASCII, or too long"))
            throw BrokerError.credentialRejected
        }
        let scope = SignInScope { token in
            guard let profile = credential.firstTimeProfile else { return }
            try await self.keepFirstTimeProfile(profile, with: token, from: provider)
        }
        let identity = try await FlowMetrics.counting(.verify, at: provider.id) {
            try await provider.ask(about: credential, in: scope) {
                let identity = try await provider.attempts.checking(credential) {
                    try await provider.provider.verify(credential)
                }
                guard credential.kind != .idToken || scope.token != nil else {
                    throw ProviderError(.configuration, at: .verifyIDToken, "the plugin took an ID token unverified")
                }
                return identity
            }
        }
        var evidence = try await evidence(of: identity, from: provider)
        if case .accessToken(let sent) = credential.proof { evidence.presentedAccessToken = sent }
        if case .idToken(let sent) = credential.proof {
            evidence.presentedIDToken = sent.token
            evidence.presentedAccessToken = sent.accessToken
            if provider.provider is any CodeExchange, evidence.grant == nil {
                Logger.current.notice(
                    "no refresh token stored: the ID token came without an authorization code",
                    metadata: ["provider": "\(provider.id)"])
            }
        }
        return (VerifiedCredential(evidence, by: credential, scope.token, from: provider), scope.token)
    }

    /// The identity as the core takes it, completed from the first-time profile of its subject.
    private func evidence(of identity: ExternalIdentity, from provider: ConfiguredProvider) async throws -> Evidence {
        try await complete(try Evidence(identity, from: provider), from: provider)
    }
}

extension Credential {
    /// Whether every value of the proof is printable ASCII of bounded length, as RFC 6749 appendix A and RFC 7519 require
    /// it. Anything else proves nothing, and may not even fit into a request.
    var isWellFormed: Bool {
        switch proof {
        case .accessToken(let token): Self.isToken(token)
        case .authorizationCode(let code):
            Self.isText(code.code)
                && [code.redirectURI, code.verifier, code.expectedNonce].allSatisfy { $0.map(Self.isText) ?? true }
        case .idToken(let token):
            Self.isToken(token.token) && (token.accessToken.map(Self.isToken) ?? true)
                && [token.rawNonce, token.authorizationCode].allSatisfy { $0.map(Self.isText) ?? true }
        case .assertion(let fields): fields.values.allSatisfy(Self.isText)
        }
    }

    /// Bytes of a code, a verifier, a nonce or a redirect URI.
    private static let maximumText = 4096

    /// RFC 6750 §2.1 and RFC 7515 §7.1 have no space in tokens.
    private static func isToken(_ text: String) -> Bool {
        (1...CompactJWS.maximumLength).contains(text.utf8.count) && text.isASCII(from: 0x21)
    }

    /// VSCHAR of RFC 6749 appendix A.
    private static func isText(_ text: String) -> Bool {
        text.utf8.count <= maximumText && text.isASCII(from: 0x20)
    }
}
