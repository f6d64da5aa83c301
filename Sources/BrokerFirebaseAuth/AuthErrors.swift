import BrokerClient
import Foundation

/// The domain and the names of what an error carries. Calls throw an `NSError` of this domain, whose `code` is the number of
/// an ``AuthErrorCode`` and whose `NSUnderlyingErrorKey` the `BrokerAuthError` behind it. None contains a token.
public enum AuthErrors {
    /// The domain of all errors.
    public static let domain = "FIRAuthErrorDomain"
    /// The name of the code, such as `ERROR_USER_DISABLED`.
    public static let userInfoNameKey = "FIRAuthErrorUserInfoNameKey"
    /// The credential of the call that failed, to sign in with or to link later.
    public static let userInfoUpdatedCredentialKey = "FIRAuthErrorUserInfoUpdatedCredentialKey"

    /// An error of this library's own.
    static func error(_ code: AuthErrorCode, _ text: String) -> NSError {
        NSError(
            domain: domain, code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: text, userInfoNameKey: code.name])
    }

    /// The error of a call of BrokerClient.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - credential: The credential of the call, if it had one.
    /// - Returns: The error, with the name of its code and what caused it.
    static func error(_ error: BrokerAuthError, of credential: (any AuthCredential)?) -> NSError {
        let code = error.code
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error,
            userInfoNameKey: code.name,
        ]
        switch code {
        case .credentialAlreadyInUse, .accountExistsWithDifferentCredential, .emailAlreadyInUse:
            userInfo[userInfoUpdatedCredentialKey] = credential
        default: break
        }
        return NSError(domain: domain, code: code.rawValue, userInfo: userInfo)
    }
}

/// ``AuthErrors/domain``.
public let AuthErrorDomain = AuthErrors.domain
/// ``AuthErrors/userInfoNameKey``.
public let AuthErrorUserInfoNameKey = AuthErrors.userInfoNameKey
/// ``AuthErrors/userInfoUpdatedCredentialKey``.
public let AuthErrorUserInfoUpdatedCredentialKey = AuthErrors.userInfoUpdatedCredentialKey
