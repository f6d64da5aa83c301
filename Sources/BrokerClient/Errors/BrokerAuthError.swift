/// The reason a call of ``BrokerAuth`` failed. No case contains a token, a code or a secret.
///
/// `localizedDescription` is a text for users, in English or Korean.
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
    /// An administrator has reserved the call: sign-ups, deletions or anonymous users are off (`ADMIN_ONLY_OPERATION`).
    case adminOnlyOperation
    /// The e-mail address of the identity is that of an account without this identity (`NEED_CONFIRMATION`). Sign in as
    /// that account's user, then link ``BrokerAuth/unusedCredential``.
    ///
    /// - Parameter providers: The account's providers; empty where the broker does not tell them.
    case needConfirmation(providers: [ProviderID])
    /// The identity is linked already, to another account or to this one (`FEDERATED_USER_ID_ALREADY_LINKED`). Sign in
    /// with it: ``BrokerAuth/unusedCredential``.
    ///
    /// - Parameter providers: The provider of the identity, if it is known.
    case accountExists(providers: [ProviderID])
    /// A link would claim an e-mail address that another account has (`EMAIL_EXISTS`).
    case emailExists
    /// The identity belongs to no account, and none may be created here (`EMAIL_NOT_FOUND`).
    case accountNotFound
    /// The account has another identity of this provider (`PROVIDER_ALREADY_LINKED`).
    case providerAlreadyLinked
    /// The account would be left without a way to sign in (`LAST_SIGN_IN_METHOD`).
    case lastSignInMethod
    /// Another user authenticated than the session's (`USER_MISMATCH`). Nothing has changed.
    case userMismatch
    /// An administrator has disabled the user (`USER_DISABLED`).
    case userDisabled
    /// The user does not exist any more (`USER_NOT_FOUND`).
    case userNotFound
    /// The provider did not verify the credential, or does not answer (`INVALID_IDP_RESPONSE`); the text, for developers,
    /// says which.
    case credentialRefused(String)
    /// The time in which a refused credential could be used again has passed (`INVALID_PENDING_TOKEN`). Request a new one.
    case credentialExpired
    /// The broker refuses the access token, also a new one (`TOKEN_EXPIRED`).
    case tokenExpired
    /// The client or its access token lacks a right, such as the scope `account` (`INSUFFICIENT_PERMISSION`).
    case insufficientPermission
    /// The broker's configuration forbids the call (`OPERATION_NOT_ALLOWED`); the text, for developers, says why.
    case operationNotAllowed(String)
    /// The picture is no http or https URL (`INVALID_PHOTO_URL`).
    case invalidPhotoURL
    /// The user has no session with this id (`SESSION_NOT_FOUND`).
    case sessionNotFound
    /// The provider's token has expired and cannot be refreshed (`REAUTHORIZATION_REQUIRED`). Sign in with the provider
    /// again.
    case reauthorizationRequired
    /// The provider has withdrawn the grant (`REVOKED`). Sign in with the provider again.
    case providerGrantRevoked
    /// The provider's grant lacks these scopes (`SCOPE_MISSING`). Link the provider again with them.
    case scopeMissing([String])
    /// The broker does not accept the device's id or platform (`INVALID_DEVICE`).
    case invalidDevice
    /// The broker does not know the device any more (`INVALID_DEVICE_SECRET`). The secret is removed, and the user has to
    /// sign in again.
    case invalidDeviceSecret
    /// The device belongs to another user of the provider (`DEVICE_CLAIMED_BY_OTHER_USER`).
    case deviceClaimedByOtherUser
    /// Both accounts of a merge have an identity of the same provider (`MERGE_CONFLICT`).
    case mergeConflict
    /// Only an administrator can merge the two accounts, or undo the merge (`MERGE_NEEDS_ADMINISTRATOR`).
    case mergeNeedsAdministrator
    /// The user asked for no merge with this id in the last 30 days (`MERGE_NOT_FOUND`).
    case mergeNotFound
    /// Both logins of a merge are of the same user (`MERGE_OF_ONE_USER`).
    case mergeOfOneUser
    /// The login to the other account is too old or has ended (`OTHER_LOGIN_INVALID`); the text, for developers, says which.
    case otherLoginInvalid(String)
    /// The broker refused the call for another reason, which is a fault of the app or of its registration.
    ///
    /// - Parameters:
    ///   - code: The stable code, such as `invalid_scope`.
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
