import BrokerStore
import Logging
import ProviderKit

/// The first half of every federated flow: find the plugin, let it ask the provider, re-validate what it says.
struct ProviderProof: Sendable {
    let providers: ProviderConfiguration
    let profiles: FirstTimeProfiles
    let publicURL: String

    /// A credential a provider has borne out.
    struct Proven: Sendable {
        let evidence: Evidence
        /// The ID token it rests on, where there is one.
        let token: VerifiedIDToken?
        /// The entry that bore it out, as it was when it was asked.
        let provider: ConfiguredProvider
    }

    /// Proves a credential that a client presents. A code needs something that shows it is the client's own: whoever has
    /// seen it could send it otherwise.
    ///
    /// - Throws: As for any credential; ``BrokerError/codeNotBound``, ``BrokerError/codeOfOwnCallback``.
    func presented(_ credential: Credential, to id: String) async throws -> Proven {
        guard case .authorizationCode(let code) = credential.proof else { return try await self(credential, from: id) }
        let provider = try providers.current.provider(id, accepting: .authorizationCode)
        guard !BrokerCallback(publicURL).isTarget(code.redirectURI) else { throw BrokerError.codeOfOwnCallback }
        guard code.verifier != nil || code.expectedNonce != nil else { throw BrokerError.codeNotBound }
        let checksVerifier = try await asking(provider) { try await provider.provider.checksCodeVerifier() }
        if checksVerifier, code.verifier != nil { return try await self(credential, from: id) }
        guard let nonce = code.expectedNonce else { throw BrokerError.codeNotBound }
        let proven = try await self(credential, from: id)
        guard proven.token?.claims["nonce"]?.string?.utf8.elementsEqual(nonce.utf8) == true else {
            throw BrokerError.missingOrInvalidNonce
        }
        return proven
    }

    /// - Throws: ``BrokerError``, or a ``StoreError`` when what is told only once could not be kept. What the operator
    ///   needs to know goes to the log, without any credential.
    func callAsFunction(_ credential: Credential, from providerID: String) async throws -> Proven {
        let provider = try providers.current.provider(providerID, accepting: credential.kind)
        guard credential.isWellFormed else {
            log(
                ProviderError(.credential, at: .redeem, "the credential is not printable ASCII, or too long"),
                of: provider)
            throw BrokerError.credentialRejected
        }
        let profiles = profiles
        let scope = SignInScope { token in
            guard let told = credential.firstTimeProfile else { return }
            try await profiles.keep(told, with: token, from: provider)
        }
        let identity = try await asking(provider, for: credential, in: scope) {
            let identity = try await provider.attempts.checking(credential, from: .current) {
                try await provider.provider.verify(credential)
            }
            guard credential.kind != .idToken || scope.token != nil else {
                throw ProviderError(.configuration, at: .verifyIDToken, "the plugin took an ID token unverified")
            }
            return identity
        }
        var evidence = try await evidence(of: identity, from: provider)
        if case .idToken(let sent) = credential.proof { evidence.presentedIDToken = sent.token }
        return Proven(evidence: evidence, token: scope.token, provider: provider)
    }

    /// What a plugin says about a person, re-validated, with what the provider told earlier and no longer tells.
    func evidence(of identity: ExternalIdentity, from provider: ConfiguredProvider) async throws -> Evidence {
        try await profiles.complete(try Evidence(identity, from: provider), from: provider)
    }

    /// Lets a plugin ask its provider for one thing, as long as clients wait for it.
    ///
    /// - Throws: ``BrokerError``; what a plugin's error says is logged. What failed in `scope` comes out as it is.
    func asking<Answer: Sendable>(
        _ provider: ConfiguredProvider, for credential: Credential? = nil, in scope: SignInScope? = nil,
        _ answer: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        do {
            // Clients give up after thirty seconds; what they no longer wait for must not sign them in.
            return try await SignInScope.$current.withValue(scope) {
                try await Deadline.run(within: .seconds(20)) { try await answer() }
            }
        } catch is DeadlineExceeded {
            log(ProviderError(.upstream, at: .fetchProfile, "no verdict within 20 s"), of: provider)
            throw BrokerError.providerUnavailable(retryAfter: nil)
        } catch let error as ProviderError {
            if let failure = scope?.failure { throw failure }
            log(error, of: provider)
            let isCodeRefused = error.fault == .credential && error.step == .redeem && credential?.carriesCode == true
            throw isCodeRefused ? .authorizationCodeRejected : BrokerError(error)
        } catch let error as BrokerError {
            throw error
        } catch {
            throw BrokerError.credentialRejected
        }
    }

    private func log(_ error: ProviderError, of provider: ConfiguredProvider) {
        let level: Logger.Level =
            switch error.fault {
            case .credential, .cancelled, .nonce: .info
            case .upstream: .warning
            case .configuration: .error
            }
        Logger.current.log(
            level: level, "provider did not vouch",
            metadata: [
                "provider": "\(provider.id)", "fault": "\(error.fault.rawValue)", "step": "\(error.step.rawValue)",
                "reason": "\(error.reason)",
            ])
    }
}

extension BrokerError {
    init(_ error: ProviderError) {
        self =
            switch error.fault {
            case .credential: .credentialRejected
            case .cancelled: .cancelledAtProvider
            case .upstream: .providerUnavailable(retryAfter: error.retryAfter)
            case .configuration: .providerMisconfigured
            case .nonce: .missingOrInvalidNonce
            }
    }
}

extension Credential {
    /// Whether an authorization code is, or goes with, the proof.
    fileprivate var carriesCode: Bool {
        switch proof {
        case .authorizationCode: true
        case .idToken(let token): token.authorizationCode != nil
        case .accessToken, .assertion: false
        }
    }
}
