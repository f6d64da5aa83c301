import Foundation

/// The codes of errors, with the numbers that Firebase's SDKs give them. Codes of what a broker has not, such as passwords and
/// telephone numbers, are absent.
public enum AuthErrorCode: Int, Error, Sendable, CaseIterable {
    /// The provider's credential is malformed, was used before, or has expired.
    case invalidCredential = 17004
    /// An administrator has disabled the user.
    case userDisabled = 17005
    /// The broker's configuration or policy forbids the call.
    case operationNotAllowed = 17006
    /// Another account has the e-mail address.
    case emailAlreadyInUse = 17007
    /// Too many requests: try again later.
    case tooManyRequests = 17010
    /// The user does not exist.
    case userNotFound = 17011
    /// Another account has the e-mail address: sign in as its user, then link the credential.
    case accountExistsWithDifferentCredential = 17012
    /// The login is too old for this call: reauthenticate, then repeat it.
    case requiresRecentLogin = 17014
    /// The user has another identity of the provider.
    case providerAlreadyLinked = 17015
    /// The user has no identity at the provider.
    case noSuchProvider = 17016
    /// The broker does not accept the user's token.
    case invalidUserToken = 17017
    /// The broker was not reached, or cannot answer now.
    case networkError = 17020
    /// The session has ended: the user has to sign in again.
    case userTokenExpired = 17021
    /// The credential is another user's.
    case userMismatch = 17024
    /// The identity belongs to another user: sign in with the credential instead.
    case credentialAlreadyInUse = 17025
    /// The client may not make this call.
    case appNotAuthorized = 17028
    /// Another page is shown.
    case webContextAlreadyPresented = 17057
    /// The user closed the page, or cancelled there.
    case webContextCancelled = 17058
    /// The page ended without an answer that can be used.
    case webSignInUserInteractionFailure = 17063
    /// The broker has no such provider.
    case invalidProviderID = 17071
    /// Only an administrator can do this.
    case adminRestrictedOperation = 17085
    /// The nonce is missing, or was not sent to the provider as its SHA-256.
    case missingOrInvalidNonce = 17094
    /// The session cannot be read or stored on this device.
    case keychainError = 17995
    /// Anything else: the underlying error says what.
    case internalError = 17999
    /// An ID token cannot be read.
    case malformedJWT = 18000

    /// The name that Firebase's SDKs give a code, such as `ERROR_USER_DISABLED`.
    package var name: String {
        switch self {
        case .networkError: "ERROR_NETWORK_REQUEST_FAILED"
        case .invalidProviderID: "ERROR_INVALID_PROVIDER_ID"
        case .malformedJWT: "ERROR_MALFORMED_JWT"
        default:
            "ERROR_" + String("\(self)".flatMap { $0.isUppercase ? ["_", $0] : [$0] }).uppercased()
        }
    }
}
