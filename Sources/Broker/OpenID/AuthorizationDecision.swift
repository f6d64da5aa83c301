import BrokerStore
import ProviderKit

/// What comes next for an authorization request: values in, decision out (OpenID Connect Core §3.1.2.3 to §3.1.2.6).
enum AuthorizationDecision: Sendable {
    /// The person is known well enough: the client gets its code.
    case grant
    case refuse(AuthorizationRefusal)
    /// The person is known, and is asked whether they go on as that.
    case ask(choosesAccount: Bool)
    /// The person chooses a provider.
    case choose(isReauthentication: Bool)
    /// The browser goes to this provider.
    case depart(to: String)

    /// - Parameters:
    ///   - request: What the client asks for.
    ///   - session: The browser's session at the hosted pages, alive.
    ///   - now: The moment.
    init(_ request: AuthorizationRequest, _ session: SessionFacts?, at now: Timestamp) {
        if request.wants(.link), let provider = request.provider {
            self = .depart(to: provider)
            return
        }
        let isExpected = session.map { request.expects($0.user) } ?? false
        let isFresh = session.map { request.isSatisfied(byLoginAt: $0.session.authTime, at: now) } ?? false
        guard let session, isExpected, isFresh else {
            self =
                if request.wants(.none) {
                    .refuse(.init(.loginRequired, "The person has to sign in."))
                } else if let provider = request.provider {
                    .depart(to: provider)
                } else {
                    .choose(isReauthentication: session != nil && isExpected)
                }
            return
        }
        if let provider = request.provider, !provider.hasSameBytes(as: session.session.signInProvider) {
            self =
                request.wants(.none)
                ? .refuse(.init(.interactionRequired, "The person signed in with another provider."))
                : .depart(to: provider)
        } else if request.wants(.selectAccount) || request.wants(.consent) {
            self = .ask(choosesAccount: request.wants(.selectAccount))
        } else {
            self = .grant
        }
    }
}

extension AuthorizationRequest {
    /// Whether this is whom the client's hint names; without a hint it may be anybody.
    func expects(_ user: User) -> Bool {
        expectedUser?.utf8.elementsEqual(user.localID.utf8) ?? true
    }

    /// Whether a login that took place because of this request is one: a provider may say that it was earlier.
    func isSatisfied(byOwnLoginAt authTime: Int64, at now: Timestamp) -> Bool {
        let isOfThisTrip =
            authTime >= askedAt / 1000 - TokenRules.clockSkew
            && now.seconds &- authTime <= SignInAttempts.lifetime.components.seconds
        return isOfThisTrip || isSatisfied(byLoginAt: authTime, at: now)
    }

    /// Whether a login of before the request is as recent as the client wants it.
    func isSatisfied(byLoginAt authTime: Int64, at now: Timestamp) -> Bool {
        guard !wants(.login) else { return false }
        guard let maxAge else { return true }
        let (age, isFarAway) = now.seconds.subtractingReportingOverflow(authTime)
        return !isFarAway && age < Int64(maxAge)
    }
}
