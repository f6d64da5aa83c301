import Foundation
import OAuth
import StrictJSON

/// The broker's answer to a call.
enum Answer: Sendable {
    case success(JSONObject)
    case refusal(Refusal)

    /// The members of a success.
    ///
    /// - Parameter provider: The provider of the identity that the call was about, if any.
    /// - Returns: The members.
    /// - Throws: The refusal as ``BrokerAuthError``.
    func members(at provider: ProviderID? = nil) throws(BrokerAuthError) -> JSONObject {
        switch self {
        case .success(let members): return members
        case .refusal(let refusal): throw refusal.error(at: provider)
        }
    }
}

/// A refusal of the broker: a status of 400 to 499 with an error code.
struct Refusal: Sendable, Hashable {
    let status: Int
    /// The code of RFC 6749 §5.2, or the status name of the other APIs.
    let kind: String
    /// The stable code.
    let code: String
    let message: String
    /// Where the session's user was merged into another one: the token with which the session goes on.
    let mergeToken: String?
    /// The token with which a refused identity can be used once more.
    let pendingToken: String?
    /// The providers of the account that has the identity's address, where the broker tells them.
    let providers: [ProviderID]

    /// Reads the JSON of an OAuth error, or the envelope of the other APIs; `nil` for anything else.
    init?(status: Int, _ members: JSONObject) {
        self.status = status
        mergeToken = members["merge_token"]?.string
        pendingToken = members["pending_token"]?.string
        providers = (members["providers"]?.array ?? []).compactMap(\.string).map(ProviderID.init(rawValue:))
        let text: String
        if let kind = members["error"]?.string {
            self.kind = kind
            text = members["error_description"]?.string ?? ""
        } else if let error = members["error"]?.object, let message = error["message"]?.string {
            kind = error["status"]?.string ?? "INVALID_ARGUMENT"
            text = message
        } else {
            return nil
        }
        let parts =
            text.firstRange(of: " : ").map { (text[..<$0.lowerBound], text[$0.upperBound...]) } ?? (text[...], "")
        if Self.isStableCode(parts.0) {
            (code, message) = (String(parts.0), String(parts.1))
        } else {
            (code, message) = (kind, text)
        }
    }

    private static func isStableCode(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// The refusal in terms of the library.
    var error: BrokerAuthError { error(at: nil) }

    /// The refusal in terms of the library, for a call about an identity at `provider`.
    ///
    /// Docs/WireErrors.md has the same table.
    func error(at provider: ProviderID?) -> BrokerAuthError {
        switch code {
        case "ADMIN_ONLY_OPERATION": .adminOnlyOperation
        case "APPLE_CODE_REQUIRED", "APPLE_CODE_EXPIRED": .tokenCreationFailed(code)
        case "CREDENTIAL_TOO_OLD_LOGIN_AGAIN": .recentLoginRequired
        case "DEVICE_CLAIMED_BY_OTHER_USER": .deviceClaimedByOtherUser
        case "DEVICE_CODE_EXPIRED": .deviceCodeExpired
        case "EMAIL_EXISTS": .emailExists
        case "EMAIL_NOT_FOUND": .accountNotFound
        case "FEDERATED_USER_ID_ALREADY_LINKED": .accountExists(providers: provider.map { [$0] } ?? [])
        case "INSUFFICIENT_PERMISSION": .insufficientPermission
        case "INVALID_DEVICE": .invalidDevice
        case "INVALID_DEVICE_SECRET": .invalidDeviceSecret
        case "INVALID_IDP_RESPONSE": .credentialRefused(message)
        case "INVALID_PENDING_TOKEN": .credentialExpired
        case "INVALID_PHOTO_URL": .invalidPhotoURL
        case "LAST_SIGN_IN_METHOD": .lastSignInMethod
        case "MERGE_CONFLICT": .mergeConflict
        case "MERGE_NEEDS_ADMINISTRATOR": .mergeNeedsAdministrator
        case "MERGE_NOT_FOUND": .mergeNotFound
        case "MERGE_OF_ONE_USER": .mergeOfOneUser
        case "MISSING_OR_INVALID_NONCE": .missingOrInvalidNonce
        case "NEED_CONFIRMATION": .needConfirmation(providers: providers)
        case "OPERATION_NOT_ALLOWED": .operationNotAllowed(message)
        case "OTHER_LOGIN_INVALID": .otherLoginInvalid(message)
        case "PROVIDER_ALREADY_LINKED": .providerAlreadyLinked
        case "REAUTHORIZATION_REQUIRED": .reauthorizationRequired
        case "REVOKED": .providerGrantRevoked
        case "SCOPE_MISSING": .scopeMissing(ScopeList(message).scopes)
        case "SESSION_NOT_FOUND": .sessionNotFound
        // The second is the status of an access token that /v1/broker/me refuses.
        case "TOKEN_EXPIRED", "UNAUTHENTICATED": .tokenExpired
        case "USER_CANCELLED": .userCancelled
        case "USER_DISABLED": .userDisabled
        case "USER_MISMATCH": .userMismatch
        case "USER_NOT_FOUND": .userNotFound
        default: .server(code: code, message: message)
        }
    }
}
