package import ProviderKit

/// Everything a flow refuses with. ``WireError`` gives each its stable code and words for the caller.
package enum BrokerError: Error, Sendable, Equatable {
    // Who asks.
    case missingIDToken, invalidIDToken, tokenExpired, userNotFound, userDisabled, recentLoginRequired
    // What is asked of a provider.
    case unknownProvider(String)
    case credentialKindNotAccepted(Credential.Kind)
    /// The provider, or what it says, does not bear the credential out.
    case credentialRejected
    /// The provider refused an authorization code.
    case authorizationCodeRejected
    /// Nothing shows that a code is the client's that presents it.
    case codeNotBound
    /// A code for the broker's own callback, presented by a client.
    case codeOfOwnCallback
    /// The nonce a client sent is not the one in the ID token, or one of the two is missing.
    case missingOrInvalidNonce
    /// An ID token counts once.
    case idTokenAlreadyUsed
    case cancelledAtProvider
    /// The provider with this id has no device authorization (RFC 8628).
    case deviceSignInNotOffered(String)
    /// The person did not finish while the code was good.
    case deviceCodeExpired
    /// Nobody's fault; the number is the seconds the provider asked to wait.
    case providerUnavailable(retryAfter: Int?)
    case providerMisconfigured
    /// One client network has had too many unproven credentials checked.
    case tooManyAttempts(retryAfter: Int)
    case providerAnswerUnusable(String)
    // What is decided.
    case invalidPendingToken
    case identityAlreadyLinked, emailHeldByAnotherUser, providerAlreadyLinked, noAccount, anonymousSignInOff
    case lastSignInMethod, invalidEmail
    /// There is no merge of this id that could be decided on.
    case mergeNotFound
    /// Two users cannot become one, since both have an identity of this provider.
    case mergeConflict(provider: String)
    /// A browser came back with a `state` that is not ours, was used before, or has expired.
    case signInAttemptUnknown
    /// A browser came back with the `state` of a sign-in that somebody else started.
    case signInAttemptOfAnother
    /// Somebody proved who they are, and it is not the user who was to.
    case userMismatch
    /// What clients may never do; with a text for the developer, except where Firebase answers the bare code.
    case operationNotAllowed(String?)
    /// What only an admin may do.
    case insufficientPermission
    // Custom tokens.
    case invalidCustomToken(String)
    case missingIdentifier, invalidClaims, claimsTooLarge
    /// A custom token for a tenant: a broker is one project without tenants.
    case tenantMismatch
    case forbiddenClaim(String)
    // Sessions.
    case invalidRefreshToken, refreshTokenExpired
    /// The store does not answer; the same request may work later.
    case storeUnavailable
}
