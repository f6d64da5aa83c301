import BrokerStore
import OAuth
import ProviderKit

/// The state of a sign-in to the console; sealed while the administrator is at the provider.
struct ConsoleRedirect: Codable, Sendable {
    /// The page of the console that follows: a path.
    var next: String
    /// The administrator who has to sign in; nil for any.
    var administrator: String?
    /// The invitation that the sign-in completes: the hash of its secret.
    var invitation: [UInt8]?
    /// The form that waits for the sign-in.
    var form: KeptForm?
    /// Whether the provider was asked for the time of the login, and has to tell it (OpenID Connect Core §3.1.2.1).
    var asksForTime: Bool?
    /// What the provider's entry trusted when the sign-in began; nil for one that a broker of an earlier release began.
    var partiesHash: [UInt8]?

    /// A form that was sent with a login that is not recent enough.
    struct KeptForm: Codable, Sendable {
        let path: String
        let fields: [String: String]
    }
}

extension SignInAttempts.Purpose where Payload == ConsoleRedirect {
    /// A sign-in to the console; bound to a cookie of the console.
    static var console: Self { Self("console") }
}

extension SignInAttempts.Purpose where Payload == ConsoleInvitation {
    /// An invitation to the console, which the holder of its secret completes.
    static var consoleInvitation: Self { Self("console-invitation") }
}

/// A sign-in to the console that a provider has answered.
struct FinishedConsoleRedirect: Sendable {
    let redirect: ConsoleRedirect
    let subject: ConsoleSubject
}

extension RedirectContext {
    /// Prepares the redirect of a sign-in to the console. The provider is asked for a new login, as far as it supports
    /// that, and answers at the broker's own callback.
    ///
    /// - Throws: As for every redirect to a provider.
    func startConsoleSignIn(
        _ redirect: ConsoleRedirect, at provider: String
    ) async throws -> StartedBrowserSignIn {
        var request = RedirectRequest(
            provider: provider, redirectURI: ConfiguredProvider.callbackURL(of: provider, at: providers.publicURL))
        request.isReauthentication = true
        let (binding, parties) = (RandomText.secret(), partiesHash(of: provider))
        let started = try await startRedirect(request, .console, binding: binding) { url in
            var redirect = redirect
            redirect.asksForTime = URIParts(url).flatMap { FormEncoding.decode(($0.query ?? "").utf8) }?
                .contains { $0.name == "max_age" }
            redirect.partiesHash = parties
            return redirect
        }
        return StartedBrowserSignIn(
            authorizationURL: started.authorizationURL,
            cookieName: StartedBrowserSignIn.cookieName(stateHash: RandomText.hash(of: started.state)),
            cookieValue: binding)
    }

    /// Finishes a sign-in to the console: verifies who answers. No user and no session of the broker's users is involved.
    ///
    /// - Parameters:
    ///   - response: The provider's answer.
    ///   - provider: The provider of the path it came by.
    ///   - cookie: The cookie of a redirect, by the hash of its state.
    /// - Returns: The subject.
    /// - Throws: ``BrokerError``, or a store's error.
    func finishConsoleSignIn(
        _ response: AuthorizationResponse, by provider: String, cookie: ([UInt8]) -> String?
    ) async throws -> FinishedConsoleRedirect {
        let attempt = try await consumeAttempt(for: response, .console, binding: cookie) { found in
            guard found.provider.hasSameBytes(as: provider) else { throw BrokerError.signInAttemptUnknown }
        }
        // What the entry trusts now would count for the session otherwise.
        func requireSameParties() throws(BrokerError) -> [UInt8] {
            guard let parties = attempt.payload.partiesHash, partiesHash(of: provider) == parties else {
                throw .providerAnswerUnusable("The provider's entry has changed since the sign-in began.")
            }
            return parties
        }
        _ = try requireSameParties()
        let credential = try await redeem(response, of: attempt)
        let parties = try requireSameParties()
        let (evidence, redirect) = (credential.evidence, attempt.payload)
        let email = evidence.email.flatMap { $0.isVerified && !$0.isRelay ? $0.address.canonical : nil }
        return FinishedConsoleRedirect(
            redirect: redirect,
            subject: ConsoleSubject(
                identity: evidence.key, verifiedEmail: email,
                name: evidence.displayName ?? evidence.screenName ?? evidence.email?.address.value
                    ?? evidence.key.subject,
                // Without a word of the provider it is the login that it was asked for.
                authTime: credential.authentication?.time ?? (redirect.asksForTime == true ? 0 : now.seconds),
                partiesHash: parties))
    }

    /// What the entry of a provider trusts now.
    private func partiesHash(of provider: String) -> [UInt8]? { providers.current.provider(provider)?.partiesHash }

    /// Creates an invitation to the console, for one sign-in of the next 15 minutes.
    ///
    /// - Parameters:
    ///   - role: The role that it gives.
    ///   - origin: The administrator of the host, for the audit.
    /// - Returns: The secret of its link, which is not stored: this is the only time; and when it expires.
    /// - Throws: A store's error.
    func inviteToConsole(role: ConsoleRole, origin: Origin) async throws -> (secret: String, expiresAt: Timestamp) {
        let (secret, now) = (RandomText.secret(), now)
        var terms = SignInAttempts.Terms(state: secret, binding: secret)
        terms.requester = .administrator
        terms.lifetime = .seconds(900)
        try await attempts.insert(ConsoleInvitation(role: role), .consoleInvitation, terms, at: now)
        try await write(by: origin) { transaction in
            try transaction.audit("console.invited", of: nil, detail: ["role": .string(role.rawValue)])
        }
        return (secret, now.advanced(by: terms.lifetime))
    }

    /// The invitations that can still be accepted, the earliest first.
    ///
    /// - Throws: A store's error.
    func openConsoleInvitations() async throws -> [SignInAttempts.Opened<ConsoleInvitation>] {
        try await attempts.openOfAdministrators(.consoleInvitation, at: now)
    }

    /// The invitation behind the secret of a link, with the secret's hash; it is not consumed.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown`` for one that was used or has expired, or a store's error.
    func consoleInvitation(_ secret: String) async throws -> (hash: [UInt8], content: ConsoleInvitation) {
        let found = try await attempts.find(secret, .consoleInvitation, at: now) { _ in secret }
        return (found.stateHash, found.payload)
    }

    /// The invitation that a redirect was begun with.
    ///
    /// - Throws: ``BrokerError/signInAttemptUnknown`` for one that was used or has expired meanwhile, or a store's error.
    func consoleInvitation(hash: [UInt8]) async throws -> (hash: [UInt8], content: ConsoleInvitation) {
        (hash, try await attempts.open(hash: hash, .consoleInvitation, at: now).found.payload)
    }
}
