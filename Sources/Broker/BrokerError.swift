package import ProviderKit

/// The reasons for which a flow refuses a request, each with its stable code, its category and its text.
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
    /// A device has no usable id, or no platform.
    case invalidDevice
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
    /// The provider refuses the request for the user's profile (a 4xx), after it has verified the credential.
    case profileRefused
    /// The provider's profile does not have what the entry's options look for.
    case profileIncomplete
    // The decision.
    case invalidPendingToken
    case identityAlreadyLinked, emailHeldByAnotherUser, providerAlreadyLinked, noAccount, anonymousSignInOff
    case lastSignInMethod, invalidEmail
    /// The identity's address belongs to an account it is not linked to; with that account's providers, nil where the
    /// policy does not disclose them. Identity Toolkit has an answer for it instead.
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
    /// A merge that a user asks for waits for an administrator: a user is disabled, the user who goes has custom claims that
    /// the other one lacks or has otherwise, or an administrator has kept the two apart.
    case mergeNeedsAdministrator
    /// A user cannot prove both sides of a merge, and only an administrator can undo it.
    case undoNeedsAdministrator
    /// Both logins of a merge are of one user.
    case mergeOfOneUser
    /// The login to the other account of a merge is no longer valid, or not enough; with what is missing, for the developer.
    case otherLoginInvalid(String)
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

extension BrokerError {
    /// The kind of an error. APIs whose answers do not have the stable codes are tables over it, without a `default`.
    enum Category: Sendable {
        /// A token of the broker is missing or has expired, or its session has ended.
        case endedSession
        /// The session or its user is gone although the token was valid.
        case endedLogin
        case invalidToken, invalidCustomToken, invalidDeviceSecret
        case loginTooOld, stepUpRequired
        /// A credential of a provider that is not authentic, or was used before.
        case invalidCredential
        /// A credential or an answer of a provider that cannot be used here.
        case unusableCredential
        case cancelled, providerUnavailable, providerMisconfigured
        /// A profile that the provider refuses, or in which the user's id is missing.
        case profileUnusable
        case unknownAttempt, attemptOfAnother
        case disabledUser, otherUser
        /// The policy does not admit the identity or the operation.
        case notAdmitted
        case identityLinked, providerLinked, emailTaken, lastSignInMethod, signUpOff, deletionOff
        case rateLimited, deviceRateLimited
        case invalidRequest
        /// The administrator's credential lacks a scope.
        case missingScope
    }

    /// The row of an error: all that the APIs derive their answers from.
    struct Definition: Sendable {
        let code: ErrorCode
        let category: Category
        /// For developers; nil where the code says all.
        let text: String?
        /// Seconds after which the request may be repeated.
        let retryAfter: Int?

        init(_ code: ErrorCode, _ category: Category, _ text: String? = nil, retryAfter: Int? = nil) {
            self.code = code
            self.category = category
            self.text = text
            self.retryAfter = retryAfter
        }
    }

    var code: ErrorCode { definition.code }
    var category: Category { definition.category }
    /// The text for developers.
    var text: String? { definition.text }
    /// Code and text, as answers have them.
    var message: String { code.message(text) }

    /// The whole table. No `default`: a new error does not compile until it has a row here.
    var definition: Definition {
        switch self {
        case .missingIDToken: .init(.missingIDToken, .endedSession)
        case .invalidIDToken: .init(.invalidIDToken, .invalidToken)
        case .tokenExpired: .init(.tokenExpired, .endedLogin)
        case .userNotFound: .init(.userNotFound, .endedLogin)
        case .userDisabled: .init(.userDisabled, .disabledUser)
        case .recentLoginRequired: .init(.credentialTooOldLoginAgain, .loginTooOld)
        case .stepUpRequired(let text): .init(.credentialTooOldLoginAgain, .stepUpRequired, text)
        case .unknownProvider:
            .init(
                .operationNotAllowed, .providerMisconfigured, "The identity provider configuration is not found.")
        case .credentialKindNotAccepted(let kind):
            .init(
                .invalidIDPResponse, .unusableCredential,
                "This provider does not take a credential of kind \(kind.rawValue).")
        case .credentialRejected:
            .init(
                .invalidIDPResponse, .invalidCredential, "The provider did not verify this credential. Sign in again.")
        case .authorizationCodeRejected:
            .init(
                .invalidIDPResponse, .invalidCredential,
                "The provider refused the authorization code. It was used before, has expired, or belongs to another "
                    + "client or redirect URI. Request a new one.")
        case .authorizationCodeRequired:
            .init(
                .invalidIDPResponse, .unusableCredential,
                "This provider's ID tokens need the authorization code of the same sign-in. Send it as code.")
        case .codeNotBound:
            .init(
                .invalidIDPResponse, .unusableCredential,
                "Send the code_verifier of the code, or the nonce of its ID token where the provider does not check "
                    + "PKCE.")
        case .codeOfOwnCallback:
            .init(
                .invalidIDPResponse, .unusableCredential,
                "A code for the broker's own callback is redeemed there only.")
        case .missingOrInvalidNonce:
            .init(
                .missingOrInvalidNonce, .invalidCredential,
                "Send the raw nonce here. The request to Apple carries its lower-case hexadecimal SHA-256, as does "
                    + "one to an OpenID provider unless nativeNonce is plain; GitLab and 1Pass carry it as it is.")
        case .idTokenAlreadyUsed:
            .init(.invalidIDPResponse, .invalidCredential, "ID token was already used")
        case .cancelledAtProvider: .init(.userCancelled, .cancelled, "The user declined at the provider.")
        case .deviceSignInNotOffered(let id):
            .init(.operationNotAllowed, .invalidRequest, "\(id) offers no sign-in on another device.")
        case .deviceCodeExpired:
            .init(
                .deviceCodeExpired, .unusableCredential,
                "The code expired before the sign-in was finished. Start again.")
        case .providerUnavailable(let seconds):
            .init(
                .invalidIDPResponse, .providerUnavailable, "The provider did not answer. Try again.",
                retryAfter: seconds)
        case .providerMisconfigured:
            .init(
                .invalidIDPResponse, .providerMisconfigured,
                "The provider refused this broker. The reason is in the broker's log.")
        case .invalidDevice:
            .init(
                .invalidDevice, .invalidRequest,
                "Send an id of the device, 16 to 128 characters that no other device has, such as a random UUID, and "
                    + "its platform, such as ios.")
        // One answer to a missing secret, a wrong one, and an unknown device.
        case .invalidDeviceSecret:
            .init(
                .invalidDeviceSecret, .invalidDeviceSecret,
                "Introduce the device under a new deviceId, without deviceSecret.")
        case .deviceClaimedByAnotherUser:
            .init(
                .deviceClaimedByOtherUser, .unusableCredential,
                "The device belongs to another user of the provider.")
        case .tooManyDeviceAttempts(let seconds):
            .init(
                .tooManyAttemptsTryLater, .deviceRateLimited, "This device was introduced too often.",
                retryAfter: seconds)
        // Sign in with Apple is the only provider with such codes, and apps know the name.
        case .providerCodeExpired:
            .init(
                .appleCodeExpired, .notAdmitted,
                "The authorization code is used, expired or another client's. Nothing was deleted. Request a new one.")
        case .providerCodeRequired(let id):
            .init(
                .appleCodeRequired, .notAdmitted,
                "No token of \(id) is stored, so nothing could be revoked. Send a fresh authorizationCode.")
        case .providerNotLinked(let id):
            .init(
                .invalidIDPResponse, .notAdmitted,
                id.map { "No identity of \($0) is linked to this user." } ?? "Name the code's provider in providerId.")
        case .tooManyAttempts(let seconds):
            .init(
                .tooManyAttemptsTryLater, .rateLimited, "Too many requests. Wait for Retry-After.",
                retryAfter: seconds)
        case .profileRefused:
            .init(
                .invalidIDPResponse, .profileUnusable,
                "The provider refused to show the user's profile. The reason is in the broker's log.")
        case .profileIncomplete:
            .init(
                .invalidIDPResponse, .profileUnusable,
                "The provider's profile lacks what identifies the user. The reason is in the broker's log.")
        case .providerAnswerUnusable(let text): .init(.invalidIDPResponse, .unusableCredential, text)
        case .invalidPendingToken: .init(.invalidPendingToken, .invalidToken)
        case .identityAlreadyLinked: .init(.federatedUserIDAlreadyLinked, .identityLinked)
        case .emailHeldByAnotherUser: .init(.emailExists, .emailTaken)
        case .providerAlreadyLinked: .init(.providerAlreadyLinked, .providerLinked)
        // USER_NOT_FOUND would make the JavaScript SDK sign the current user out (contract §4.2).
        case .noAccount: .init(.emailNotFound, .notAdmitted)
        case .anonymousSignInOff: .init(.adminOnlyOperation, .notAdmitted)
        case .lastSignInMethod:
            .init(.lastSignInMethod, .lastSignInMethod, "This is the last way the user signs in.")
        case .invalidEmail: .init(.invalidEmail, .notAdmitted)
        case .needConfirmation(let providers):
            .init(
                .needConfirmation, .notAdmitted,
                "Sign in \(providers.map { "with \($0.joined(separator: " or "))" } ?? "as before") first, then link.")
        case .signUpOff: .init(.adminOnlyOperation, .signUpOff)
        case .deletionOff: .init(.adminOnlyOperation, .deletionOff)
        case .duplicateLocalID: .init(.duplicateLocalID, .invalidRequest)
        case .invalidLocalID: .init(.invalidLocalID, .invalidRequest, "A localId has 1 to 128 printable characters.")
        case .mergeNotFound: .init(.mergeNotFound, .invalidRequest, "No merge with this id is pending.")
        case .mergeConflict(let provider):
            .init(
                .mergeConflict, .notAdmitted,
                "Both users have an identity of \(provider): unlink it from one of them first.")
        case .mergeNeedsAdministrator:
            .init(
                .mergeNeedsAdministrator, .notAdmitted,
                "One of the users is disabled, has custom claims that the other one lacks, or was kept apart. An "
                    + "administrator decides.")
        case .undoNeedsAdministrator:
            .init(
                .mergeNeedsAdministrator, .notAdmitted,
                "No provider can verify the other account any more. An administrator can undo the merge.")
        case .mergeOfOneUser:
            .init(.mergeOfOneUser, .invalidRequest, "Both logins are of the same user. Sign in to the other account.")
        case .otherLoginInvalid(let text): .init(.otherLoginInvalid, .invalidCredential, text)
        case .signInAttemptUnknown:
            .init(
                .invalidIDPResponse, .unknownAttempt,
                "This sign-in was not started here, was already finished, or has expired. Start again.")
        case .signInAttemptOfAnother:
            .init(
                .invalidIDPResponse, .attemptOfAnother,
                "This sign-in was started in another browser or app. Start again.")
        case .userMismatch: .init(.userMismatch, .otherUser, "The credential belongs to another user.")
        case .operationNotAllowed(let text): .init(.operationNotAllowed, .providerMisconfigured, text)
        case .insufficientPermission: .init(.insufficientPermission, .notAdmitted)
        case .configuration(let refusal): refusal.definition
        case .invalidCustomToken(let text): .init(.invalidCustomToken, .invalidCustomToken, text)
        case .missingIdentifier: .init(.missingIdentifier, .invalidRequest)
        case .invalidClaims: .init(.invalidClaims, .invalidRequest)
        case .claimsTooLarge: .init(.claimsTooLarge, .invalidRequest)
        case .tenantMismatch: .init(.tenantIDMismatch, .invalidRequest)
        case .forbiddenClaim(let name): .init(.forbiddenClaim, .invalidRequest, name)
        case .invalidRefreshToken: .init(.invalidRefreshToken, .invalidToken)
        case .refreshTokenExpired: .init(.tokenExpired, .endedSession)
        case .sessionNotFound:
            .init(.sessionNotFound, .endedSession, "The user has no session with this id.")
        }
    }
}
