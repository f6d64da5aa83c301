import Foundation
import Logging
package import ProviderKit

/// A provider as an enabled entry of `plugins.json` configures it. It is a class since each step of a sign-in hands it on.
package final class ConfiguredProvider: Sendable {
    /// The wire's `providerId`.
    package let id: String
    package let kind: ProviderKind
    /// Whether an address that the provider asserts as verified counts as verified.
    package let trustsEmail: Bool
    /// Whether users that the provider reports as the same account are merged without an administrator's decision.
    package let mergesAutomatically: Bool
    package let provider: any IdentityProvider
    /// The binding of the entry's secrets.
    let secretBinding: SecretBinding
    /// The issuer of its users' identities (``SubjectMapping``); the plugin's instance until the store was asked.
    let issuer: String?
    /// The scopes and parameters that applications may add to its authorization requests.
    package let allowance: AuthorizationAllowance
    /// The name users see, where the plugin's own is not enough: the entry's `displayName`, or a name with the id beside it.
    let label: String?
    /// The entry it was made from.
    let source: ProviderSource?
    /// The credentials it has refused lately, and each client's budget.
    let attempts: CredentialAttempts
    /// The executor of its plugin's code.
    let calls: PluginCalls
    let latestCheck: LatestProviderCheck

    init(
        id: String, kind: ProviderKind, trustsEmail: Bool, mergesAutomatically: Bool = false,
        provider: any IdentityProvider, secretBinding: SecretBinding = SecretBinding(), issuer: String? = nil,
        allowance: AuthorizationAllowance = .standard, label: String? = nil, source: ProviderSource? = nil,
        attempts: CredentialAttempts = CredentialAttempts(now: { Date() }), calls: PluginCalls = PluginCalls(),
        latestCheck: LatestProviderCheck = LatestProviderCheck()
    ) {
        self.id = id
        self.kind = kind
        self.trustsEmail = trustsEmail
        self.mergesAutomatically = mergesAutomatically
        self.provider = provider
        self.secretBinding = secretBinding
        self.issuer = issuer
        self.allowance = allowance
        self.label = label
        self.source = source
        self.attempts = attempts
        self.calls = calls
        self.latestCheck = latestCheck
    }

    /// The same provider, with all it has learned, for identities of an issuer and under a label.
    func with(issuer: String?, label: String?) -> ConfiguredProvider {
        ConfiguredProvider(
            id: id, kind: kind, trustsEmail: trustsEmail, mergesAutomatically: mergesAutomatically, provider: provider,
            secretBinding: secretBinding, issuer: issuer, allowance: allowance, label: label, source: source,
            attempts: attempts, calls: calls, latestCheck: latestCheck)
    }

    /// The namespace of its subjects: the issuer of its users' identities.
    package var instance: String { issuer ?? provider.instance }

    /// Whether identities of this issuer are accounts of the installation that the entry is for, under its present mapping
    /// of subjects or an earlier one.
    func isInstallation(of issuer: String) -> Bool {
        issuer.hasSameBytes(as: instance) || issuer.hasSameBytes(as: provider.instance)
            || issuer.utf8.starts(with: (provider.instance + SubjectMappings.versionMark).utf8)
    }

    /// Whether the entry has this client at the provider.
    func hasClient(_ clientID: String) -> Bool {
        let known = (provider as? any GrantRevocation)?.clientIDs ?? [provider.clientID]
        return known.contains { $0.hasSameBytes(as: clientID) }
    }

    /// The redirect URIs that the entry registers for apps.
    var appRedirectURIs: [String] { source?.entry.appRedirects.map(\.redirectURI) ?? [] }

    /// The client at the provider for a redirect URI that the entry registers for an app, byte by byte; nil for any other.
    func appClientID(at redirectURI: String) -> String? {
        source?.entry.appRedirects.first { $0.redirectURI.hasSameBytes(as: redirectURI) }.map {
            $0.clientID ?? provider.clientID
        }
    }

    /// The redirect URI that operators register at a provider: an answer at another provider's path is refused.
    package static func callbackURL(of provider: String, at publicURL: String) -> String {
        "\(publicURL)/oauth/callback/\(provider)"
    }
}

extension ConfiguredProvider {
    /// The name users see.
    package var displayName: String { label ?? ownName }

    /// The plugin's own name for its service, with the operator's name for further installations (`gitlab.acme`); an entry
    /// of a plugin that is many providers has the operator's name alone (`oidc.keycloak`).
    var ownName: String {
        if let known = FirebaseProviderID(rawValue: id) { return known.displayName }
        let plugin = type(of: provider)
        // Simulators and mirrors stand under the service's own id.
        guard let dot = id.firstIndex(of: "."), !provider.isPublicInstance, plugin.publicInstance?.id != id else {
            return plugin.displayName ?? id
        }
        let given = String(id[id.index(after: dot)...])
        return plugin.displayName.map { "\($0) (\(given))" } ?? given
    }
}

extension ConfiguredProvider {
    /// Runs one request of the plugin to its provider, for as long as clients wait for it.
    ///
    /// - Parameters:
    ///   - credential: The credential the request is about, if any.
    ///   - scope: Acts on the first ID token that is verified meanwhile; its failure is thrown unchanged.
    ///   - request: The plugin's work.
    /// - Returns: What `request` returns.
    /// - Throws: ``BrokerError``; the plugin's own error is logged.
    func ask<Answer: Sendable>(
        about credential: Credential? = nil, in scope: SignInScope? = nil,
        _ request: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let staysOnEventLoop = credential?.isIDTokenAlone == true && type(of: provider).isNonBlocking
        do {
            // Clients give up after thirty seconds; a later answer must not sign the user in.
            return try await SignInScope.$current.withValue(scope) {
                try await calls.run(within: .seconds(20), staysOnEventLoop: staysOnEventLoop, request)
            }
        } catch is DeadlineExceeded {
            log(ProviderError(.upstream, at: .fetchProfile, "no verdict within 20 s"))
            throw BrokerError.providerUnavailable(retryAfter: nil)
        } catch let error as ProviderError {
            if let failure = scope?.failure { throw failure }
            log(error)
            guard error.fault == .credential, error.step == .redeem, let credential else { throw BrokerError(error) }
            if credential.carriesCode { throw BrokerError.authorizationCodeRejected }
            throw credential.isIDToken ? BrokerError.authorizationCodeRequired : BrokerError(error)
        } catch let error as BrokerError {
            throw error
        } catch {
            throw BrokerError.credentialRejected
        }
    }

    /// Tells the operator why the provider verified nothing, without any credential.
    func log(_ error: ProviderError) {
        let level: Logger.Level =
            switch (error.fault, error.step) {
            // The credential was good: a scope of the entry is missing, or an option is wrong.
            case (.credential, .fetchProfile): .warning
            case (.credential, _), (.cancelled, _), (.nonce, _): .info
            case (.upstream, _): .warning
            case (.configuration, _): .error
            }
        Logger.current.log(
            level: level, "credential not verified",
            metadata: [
                "provider": "\(id)", "fault": "\(error.fault.rawValue)", "step": "\(error.step.rawValue)",
                "reason": "\(error.reason)",
            ])
    }
}

extension BrokerError {
    /// The refusal that a plugin's error becomes.
    init(_ error: ProviderError) {
        self =
            switch (error.fault, error.step) {
            case (.credential, .fetchProfile): .profileRefused
            case (.upstream, .readProfile): .profileIncomplete
            case (.credential, _): .credentialRejected
            case (.cancelled, _): .cancelledAtProvider
            case (.upstream, _): .providerUnavailable(retryAfter: error.retryAfter)
            case (.configuration, _): .providerMisconfigured
            case (.nonce, _): .missingOrInvalidNonce
            }
    }
}

extension Credential {
    /// Whether an ID token is the proof, which some entries take with an authorization code only.
    fileprivate var isIDToken: Bool { kind == .idToken }

    /// Whether an ID token is all of the proof: of the provider only metadata and keys are read, and seldom.
    fileprivate var isIDTokenAlone: Bool {
        guard case .idToken(let token) = proof else { return false }
        return token.authorizationCode == nil && token.accessToken == nil
    }

    /// Whether an authorization code is, or goes with, the proof.
    fileprivate var carriesCode: Bool {
        switch proof {
        case .authorizationCode: true
        case .idToken(let token): token.authorizationCode != nil
        case .accessToken, .assertion: false
        }
    }
}
