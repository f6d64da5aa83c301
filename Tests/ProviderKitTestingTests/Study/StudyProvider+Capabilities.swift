import ProviderKit

extension StudyProvider: RedirectSignIn {
    var authorizationResponseIssuer: String? { breaks("redirect-names-its-issuer") ? nil : instanceURL }

    func promisesAuthorizationResponseIssuer() -> Bool { true }

    func checksCodeVerifier() -> Bool { !breaks("tells-whether-the-verifier-is-checked") }

    var answersByPost: Bool { breaks("redirect-tells-how-it-is-answered") }

    func authorizationURL(for attempt: SignInAttempt) -> String {
        let attempt = SignInAttempt(
            state: attempt.state,
            redirectURI: breaks("redirect-names-the-apps-client")
                ? "https://broker.example/oauth/callback/provider" : attempt.redirectURI,
            codeChallenge: breaks("redirect-carries-our-values") ? "" : attempt.codeChallenge,
            nonce: breaks("redirect-carries-the-nonce") ? nil : attempt.nonce, scopes: attempt.scopes,
            parameters: attempt.parameters, isReauthentication: attempt.isReauthentication)
        var url = oauth.authorizationURL(for: attempt)
        if attempt.isReauthentication, !breaks("redirect-asks-for-the-login-again") { url += "&prompt=login" }
        if breaks("redirect-holds-no-secret") { url += "&client_secret=\(clientSecret.reveal())" }
        if breaks("redirect-cannot-be-overridden") {
            url += "&" + FormEncoding.encode(attempt.parameters.map { ($0.key, $0.value) })
        }
        return url
    }
}

extension StudyProvider: GrantRefresh {
    func refresh(_ grant: UpstreamGrant) async throws(ProviderError) -> UpstreamGrant {
        if breaks("refresh-renews-the-grant") { return grant }
        let hasNothing = grant.refreshToken == nil && breaks("refresh-needs-a-refresh-token")
        let held = UpstreamGrant(
            clientID: grant.clientID, accessToken: grant.accessToken,
            refreshToken: hasNothing
                ? grant.accessToken : served.remembered(grant.refreshToken, breaks("refresh-sends-its-own-token")),
            scopes: grant.scopes)
        let fresh: UpstreamGrant
        do throws(ProviderError) {
            fresh = try await oauth.refresh(held, over: upstream, now: context.now())
        } catch {
            guard error.fault == .credential, breaks("refresh-tells-a-withdrawal") else { throw error }
            throw ProviderError(.upstream, at: .refresh, "the provider has a bad day")
        }
        guard breaks("refresh-keeps-the-refresh-token"), fresh.refreshToken == grant.refreshToken else { return fresh }
        return UpstreamGrant(clientID: fresh.clientID, accessToken: fresh.accessToken)
    }
}

/// The study's refresh tokens never change.
extension StudyProvider: GrantProbe {
    var probeInterval: Int { breaks("probes-keep-their-grants") ? 0 : 3600 }
}

/// The study's messages are `{"payload": "<security event token>"}`.
extension StudyProvider: ProviderNotifications {
    var acceptsNotifications: Bool { true }

    func verify(_ message: ProviderMessage) async throws(ProviderError) -> VerifiedProviderMessage {
        func refusal(_ reason: String) -> ProviderError { ProviderError(.credential, at: .verifyNotification, reason) }
        guard let payload = (try? JSONValue(parsing: message.body))?["payload"]?.string else {
            if breaks("notifications-need-their-signature") { return VerifiedProviderMessage([]) }
            throw refusal("the message has no payload")
        }
        if breaks("notifications-need-the-providers-keys") { return VerifiedProviderMessage([]) }
        let token = try await context.tokens.verify(securityEvent: payload, by: policy)
        guard let subject = token.claims["sub"]?.string else { throw refusal("the event names no user") }
        let kind: ProviderEvent.Kind = breaks("notifications-are-read") ? .grantsRevoked : .consentRevoked
        return VerifiedProviderMessage([
            ProviderEvent(
                id: token.id, kind, subject: subject, occurredAt: token.issuedAt, expiresAt: token.expiresAt)
        ])
    }
}

extension StudyProvider: GrantRevocation {
    func revoke(_ grant: UpstreamGrant) async throws(ProviderError) {
        if breaks("revocation-asks-the-provider") { return }
        try await delete(grant, knowing: !breaks("revocation-of-the-unknown-succeeds"))
    }

    var clientIDs: [String] { breaks("revocation-names-its-clients") ? ["another"] : [clientID] }

    fileprivate func delete(_ grant: UpstreamGrant, knowing acceptsUnknown: Bool) async throws(ProviderError) {
        let request = UpstreamRequest(.post, instanceURL + "/revoke", at: .revoke).basic(clientID, clientSecret)
            .sending(form: [("token", grant.refreshToken ?? grant.accessToken)])
        let response = try await upstream.send(request)
        let isUnknown = response.status == 404 && acceptsUnknown
        guard (200..<300).contains(response.status) || isUnknown else { throw response.refusal(at: .revoke) }
    }
}

/// The study's revocation endpoint revokes single tokens.
extension StudyProvider: TokenRevocation {
    func revokeTokens(of grant: UpstreamGrant) async throws(ProviderError) {
        if breaks("token-revocation-asks-the-provider") { return }
        try await delete(grant, knowing: !breaks("token-revocation-of-the-unknown-succeeds"))
    }
}

extension StudyProvider: DeviceSignIn {
    func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        let started = try await oauth.startDeviceAuthorization(
            at: instanceURL + "/device", scopes: scopes, over: upstream)
        return DeviceAuthorization(
            deviceCode: started.deviceCode, userCode: started.userCode, verificationURI: started.verificationURI,
            expiresIn: started.expiresIn, interval: breaks("device-flow-starts") ? 0 : started.interval)
    }

    func pollDeviceAuthorization(_ deviceCode: String) async throws(ProviderError) -> DeviceAuthorizationAnswer {
        let answer: OAuth2Client.DevicePoll
        do {
            answer = try await oauth.pollDeviceAuthorization(deviceCode, over: upstream, now: context.now())
        } catch {
            if error.fault == .credential, breaks("device-flow-expires") { return .pending }
            guard error.fault == .cancelled, breaks("device-flow-can-be-denied") else { throw error }
            throw ProviderError(.credential, at: .authorizeDevice, "the person said no")
        }
        switch answer {
        case .pending:
            guard !breaks("device-flow-waits") else {
                throw ProviderError(.credential, at: .authorizeDevice, "no provider there")
            }
            return .pending
        case .slowDown(let interval): return breaks("device-flow-slows-down") ? .pending : .slowDown(interval: interval)
        case .granted(let grant):
            if breaks("device-flow-grants") { return .pending }
            if breaks("device-flow-verifies-id-tokens") {
                return .granted(try await identity(behind: grant, expecting: nil))
            }
            let token = try await verified(grant.idToken ?? "", .unchecked, grant.accessToken)
            return .granted(try await identity(behind: grant, expecting: token.subject))
        }
    }
}

extension StudyProvider: ConfigurationCheck {
    func checkConfiguration() async -> [ConfigurationFinding] {
        do {
            let count = try await context.tokens.usableKeys(at: instanceURL + "/keys")
            return count > 0 ? [] : [finding("keys-unusable", "there is no key")]
        } catch {
            if breaks("configuration-check-finds-an-outage") { return [] }
            return [finding("provider-unavailable", error.reason)]
        }
    }

    private func finding(_ code: String, _ text: String) -> ConfigurationFinding {
        let isRude = breaks("configuration-check-minds-its-manners")
        return ConfigurationFinding(
            code: code, text: isRude ? clientSecret.reveal() : text, fix: "Look at what the provider publishes.")
    }
}
