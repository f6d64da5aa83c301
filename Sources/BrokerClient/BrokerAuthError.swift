/// The reason a call of ``BrokerAuth`` failed. No case contains a token, a code or a secret.
public enum BrokerAuthError: Error, Sendable, Hashable {
    /// The configuration cannot be used, or the call needs a part that was not given; the text says which.
    case notConfigured(String)
    /// The user cancelled at the presenter, at the provider or at the broker's pages (`access_denied`).
    case userCancelled
    /// The calling task was cancelled.
    case cancelled
    /// No redirect arrived within ``BrokerAuth/handoffTimeout``.
    case handoffTimeout
    /// Another sign-in, link or reauthentication of this ``BrokerAuth`` is under way.
    case alreadyInProgress
    /// The redirect carries neither a code nor an error.
    case missingCode
    /// `state` or `iss` of the redirect is missing or differs from the request's (RFC 6749 §10.12, RFC 9207).
    case stateMismatch
    /// The presenter returned a URL that is not the redirect URI of the request.
    case unexpectedRedirect
    /// The nonce of an ID token is missing or differs. Request the provider's token with the nonce's SHA-256 in
    /// lower-case hexadecimal (``SignInNonce/sha256Hex``), and send the raw nonce to the broker.
    case missingOrInvalidNonce
    /// A redirect or a provider's answer arrived while no request was pending.
    case noPendingRequest
    /// The provider's answer contains no identity token.
    case missingIdentityToken
    /// The provider's identity token or authorization code is not UTF-8.
    case invalidTokenText
    /// The broker's ID token, key set or metadata failed verification; the text names the rule.
    case invalidToken(String)
    /// The credential was used before. A provider's ID token signs in once: request a new one.
    case credentialAlreadyUsed
    /// A parameter of ``SignInOptions/parameters`` belongs to the protocol and cannot be set.
    case reservedParameter(String)
    /// Apple's authorization code was missing, expired or refused, so no token exists that could be revoked. Sign out,
    /// sign in again, and repeat the call with the new authorization code.
    case tokenCreationFailed(String)
    /// The account was deleted, but a provider did not confirm the withdrawal of its grant.
    case withdrawalFailed([Withdrawal])
    /// The user was merged into another user before the call was made; the session is now the other user's. Nothing was
    /// done: ask the user again.
    case accountMerged(into: String)
    /// The login is too old for this call: reauthenticate, then repeat it.
    case recentLoginRequired
    /// The code of the device authorization has expired. Begin another one.
    case deviceCodeExpired
    /// The storage cannot be read now, for example before the first unlock of the device. Repeat the call later; the
    /// stored session is unchanged.
    case storageLocked
    /// The storage failed; the text names the operation and the status.
    case storageFailed(String)
    /// The request did not reach the broker, or its answer could not be used. The session is unchanged.
    case network(NetworkFailure)
    /// The broker refused the call.
    ///
    /// - Parameters:
    ///   - code: The stable code, such as `USER_DISABLED` or `invalid_scope`.
    ///   - message: A text for developers.
    case server(code: String, message: String)
    /// No session exists: the user has not signed in, has signed out, or the broker ended the session.
    case signedOut
}

/// A failure between this device and the broker.
public struct NetworkFailure: Sendable, Hashable {
    /// The kind of failure.
    public enum Reason: Sendable, Hashable {
        /// No connection could be made, or it broke.
        case unreachable
        /// The broker did not answer in time.
        case timedOut
        /// The URL is neither `https` nor of a loopback host, or the broker's certificate is not trusted.
        case insecure
        /// The broker answered that it cannot serve the request now: 429 or a status of 500 and above.
        case unavailable(status: Int)
        /// The answer is not of the expected form, for example the page of a captive portal.
        case invalidResponse
    }

    /// The kind of failure.
    public let reason: Reason

    /// How long the broker wants no further request (`Retry-After`, RFC 9110 §10.2.3), if it said so.
    public let retryAfter: Duration?

    /// - Parameters:
    ///   - reason: The kind of failure.
    ///   - retryAfter: How long the broker wants no further request.
    public init(_ reason: Reason, retryAfter: Duration? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }
}
