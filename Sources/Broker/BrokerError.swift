package import ProviderKit

/// The reasons for which a flow refuses a request. ``WireError`` gives each its stable code and text.
package enum BrokerError: Error, Sendable, Equatable {
    // The caller.
    case missingIDToken, invalidIDToken, tokenExpired, userNotFound, userDisabled, recentLoginRequired
    /// The session's login does not satisfy a step-up rule; with what is missing, for the developer (RFC 9470).
    case stepUpRequired(String)
    // The provider and the credential.
    case unknownProvider(String)
    case credentialKindNotAccepted(Credential.Kind)
    /// The provider did not verify the credential, or its answer contradicts it.
    case credentialRejected
    /// The provider refused an authorization code.
    case authorizationCodeRejected
    /// The entry takes ID tokens only with the authorization code of the same sign-in.
    case authorizationCodeRequired
    /// A code is not bound to the client that presents it (RFC 7636, OpenID Connect Core §15.5.2).
    case codeNotBound
    /// A code for the broker's own callback, presented by a client.
    case codeOfOwnCallback
    /// The nonce a client sent is not the one in the ID token, or one of the two is missing.
    case missingOrInvalidNonce
    /// An ID token is single-use.
    case idTokenAlreadyUsed
    case cancelledAtProvider
    /// The provider with this id has no device authorization (RFC 8628).
    case deviceSignInNotOffered(String)
    /// The device code expired before the user had finished.
    case deviceCodeExpired
    /// The provider does not answer or asks to wait, for this number of seconds.
    case providerUnavailable(retryAfter: Int?)
    case providerMisconfigured
    /// The secret of a device is missing or wrong, or its provider does not accept the device any more.
    case invalidDeviceSecret
    /// The device belongs to another user of the provider.
    case deviceClaimedByAnotherUser
    /// A device was introduced too often, or is being introduced by another request.
    case tooManyDeviceAttempts(retryAfter: Int)
    /// The authorization code that came with a deletion or a revocation is used, expired, or none of our clients'.
    case providerCodeExpired
    /// The deletion needs an authorization code of this provider, because no token is stored that could be revoked.
    case providerCodeRequired(String)
    /// The user has no identity of this provider; nil when the request names none and it is not clear which is meant.
    case providerNotLinked(String?)
    /// The caller has met a rate limit.
    case tooManyAttempts(retryAfter: Int)
    case providerAnswerUnusable(String)
    // The decision.
    case invalidPendingToken
    case identityAlreadyLinked, emailHeldByAnotherUser, providerAlreadyLinked, noAccount, anonymousSignInOff
    case lastSignInMethod, invalidEmail
    /// The identity's address belongs to an account it is not linked to; with that account's providers, nil where the
    /// policy does not disclose them. Only for clients that take no pending token.
    case needConfirmation(providers: [String]?)
    /// Users may not create accounts here.
    case signUpOff
    /// Users may not delete their accounts here.
    case deletionOff
    /// The local id that an administrator chose is taken, or breaks the rules of ``LocalID``.
    case duplicateLocalID, invalidLocalID
    /// No merge with this id is pending.
    case mergeNotFound
    /// Two users cannot become one, since both have an identity of this provider.
    case mergeConflict(provider: String)
    /// An authorization response has a `state` that is unknown, consumed or expired.
    case signInAttemptUnknown
    /// An authorization response has the `state` of a sign-in that another browser or app started.
    case signInAttemptOfAnother
    /// The credential belongs to another user than the expected one.
    case userMismatch
    /// A change that clients may never make; with a text for the developer, except where Firebase answers the bare code.
    case operationNotAllowed(String?)
    /// An operation for administrators only.
    case insufficientPermission
    // The configuration.
    case configuration(ConfigurationRefusal)
    // Custom tokens.
    case invalidCustomToken(String)
    case missingIdentifier, invalidClaims, claimsTooLarge
    /// A custom token for a tenant: a broker is one project without tenants.
    case tenantMismatch
    case forbiddenClaim(String)
    // Sessions.
    case invalidRefreshToken, refreshTokenExpired
    /// The user has no session with this id.
    case sessionNotFound
}
