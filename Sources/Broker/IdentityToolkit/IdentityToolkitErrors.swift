import HTTPTypes
import Hummingbird
import ProviderKit

extension ErrorEnvelope {
    /// The envelope of contract §1.5.
    static let identityToolkit = ErrorEnvelope { $0.response() }
}

extension WireError {
    /// The answer to an Identity Toolkit client.
    func response() -> Response {
        var detail = JSONObject([("message", .string(message)), ("reason", .string(reason))])
        detail["domain"] = domain.map(JSONValue.string)
        if httpStatus == .unauthorized {
            detail["location"] = "Authorization"
            detail["locationType"] = "header"
        }
        var error = JSONObject([("code", .integer(Int64(httpStatus.code))), ("message", .string(message))])
        error["errors"] = [.object(detail)]
        error["status"] = status.map(JSONValue.string)
        var response = Response.json(["error": .object(error)], status: httpStatus)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension WireError {
    /// The whole table, in one place. No `default`: a new error does not compile until it has a row here.
    init(_ error: BrokerError) {
        self =
            switch error {
            case .missingIDToken: .code("MISSING_ID_TOKEN")
            case .invalidIDToken: .code("INVALID_ID_TOKEN")
            case .tokenExpired, .refreshTokenExpired: .code("TOKEN_EXPIRED")
            case .userNotFound: .code("USER_NOT_FOUND")
            case .userDisabled: .code("USER_DISABLED")
            case .recentLoginRequired: .code("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
            case .stepUpRequired(let text): .code("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", text)
            case .unknownProvider:
                .code("OPERATION_NOT_ALLOWED", "The identity provider configuration is not found.")
            case .credentialKindNotAccepted(let kind):
                .code("INVALID_IDP_RESPONSE", "This provider does not take a credential of kind \(kind.rawValue).")
            case .credentialRejected:
                .code("INVALID_IDP_RESPONSE", "The provider did not verify this credential. Sign in again.")
            case .authorizationCodeRejected:
                .code(
                    "INVALID_IDP_RESPONSE",
                    "The provider refused the authorization code. It was used before, has expired, or belongs to "
                        + "another client or redirect URI. Request a new one.")
            case .authorizationCodeRequired:
                .code(
                    "INVALID_IDP_RESPONSE",
                    "This provider's ID tokens need the authorization code of the same sign-in. Send it as code.")
            case .codeNotBound:
                .code(
                    "INVALID_IDP_RESPONSE",
                    "Send the code_verifier of the code, or the nonce of its ID token where the provider does not "
                        + "check PKCE.")
            case .codeOfOwnCallback:
                .code("INVALID_IDP_RESPONSE", "A code for the broker's own callback is redeemed there only.")
            case .missingOrInvalidNonce:
                .code(
                    "MISSING_OR_INVALID_NONCE",
                    "Send the raw nonce here. The request to Apple carries its lower-case hexadecimal SHA-256, as does "
                        + "one to an OpenID provider unless nativeNonce is plain; GitLab and 1Pass carry it as it is.")
            case .idTokenAlreadyUsed: .code("INVALID_IDP_RESPONSE", "ID token was already used")
            case .cancelledAtProvider: .code("USER_CANCELLED", "The user declined at the provider.")
            case .deviceSignInNotOffered(let id):
                .code("OPERATION_NOT_ALLOWED", "\(id) offers no sign-in on another device.")
            case .deviceCodeExpired:
                .code("DEVICE_CODE_EXPIRED", "The code expired before the sign-in was finished. Start again.")
            case .providerUnavailable(let seconds):
                .retryable("INVALID_IDP_RESPONSE", "The provider did not answer. Try again.", after: seconds)
            case .tooManyAttempts(let seconds):
                .tooManyAttempts(after: seconds)
            case .invalidDeviceSecret: .invalidDeviceSecret
            case .deviceClaimedByAnotherUser:
                .code("DEVICE_CLAIMED_BY_OTHER_USER", "The device belongs to another user of the provider.")
            case .tooManyDeviceAttempts(let seconds):
                .retryable("TOO_MANY_ATTEMPTS_TRY_LATER", "This device was introduced too often.", after: seconds)
            case .providerMisconfigured:
                .code("INVALID_IDP_RESPONSE", "The provider refused this broker. The reason is in the broker's log.")
            // Sign in with Apple is the only provider with such codes, and apps know the name.
            case .providerCodeExpired:
                .code(
                    "APPLE_CODE_EXPIRED",
                    "The authorization code is used, expired or another client's. Nothing was deleted. Request a new one."
                )
            case .providerCodeRequired(let id):
                .code(
                    "APPLE_CODE_REQUIRED",
                    "No token of \(id) is stored, so nothing could be revoked. Send a fresh authorizationCode.")
            case .providerNotLinked(let id):
                .code(
                    "INVALID_IDP_RESPONSE",
                    id.map { "No identity of \($0) is linked to this user." }
                        ?? "Name the code's provider in providerId.")
            case .providerAnswerUnusable(let text): .code("INVALID_IDP_RESPONSE", text)
            case .invalidPendingToken: .code("INVALID_PENDING_TOKEN")
            case .identityAlreadyLinked: .code("FEDERATED_USER_ID_ALREADY_LINKED")
            case .emailHeldByAnotherUser: .code("EMAIL_EXISTS")
            case .providerAlreadyLinked: .code("PROVIDER_ALREADY_LINKED")
            // USER_NOT_FOUND would make the JavaScript SDK sign the current user out (contract §4.2).
            case .noAccount: .code("EMAIL_NOT_FOUND")
            case .needConfirmation(let providers):
                .code(
                    "NEED_CONFIRMATION",
                    "Sign in \(providers.map { "with \($0.joined(separator: " or "))" } ?? "as before") first, then link."
                )
            case .anonymousSignInOff, .signUpOff, .deletionOff: .code("ADMIN_ONLY_OPERATION")
            case .configuration(let refusal): WireError(refusal)
            case .lastSignInMethod: .code("LAST_SIGN_IN_METHOD", "This is the last way the user signs in.")
            case .invalidEmail: .code("INVALID_EMAIL")
            case .duplicateLocalID: .code("DUPLICATE_LOCAL_ID")
            case .invalidLocalID: .code("INVALID_LOCAL_ID", "A localId has 1 to 128 printable characters.")
            case .mergeNotFound: .code("MERGE_NOT_FOUND", "No merge with this id is pending.")
            case .mergeConflict(let provider):
                .code("MERGE_CONFLICT", "Both users have an identity of \(provider): unlink it from one of them first.")
            case .signInAttemptUnknown:
                .code(
                    "INVALID_IDP_RESPONSE",
                    "This sign-in was not started here, was already finished, or has expired. Start again.")
            case .signInAttemptOfAnother:
                .code("INVALID_IDP_RESPONSE", "This sign-in was started in another browser or app. Start again.")
            case .userMismatch: .code("USER_MISMATCH", "The credential belongs to another user.")
            case .operationNotAllowed(let text): .code("OPERATION_NOT_ALLOWED", text)
            case .insufficientPermission: .code("INSUFFICIENT_PERMISSION")
            case .invalidCustomToken(let text): .code("INVALID_CUSTOM_TOKEN", text)
            case .missingIdentifier: .code("MISSING_IDENTIFIER")
            case .tenantMismatch: .code("TENANT_ID_MISMATCH")
            case .invalidClaims: .code("INVALID_CLAIMS")
            case .claimsTooLarge: .code("CLAIMS_TOO_LARGE")
            case .forbiddenClaim(let name): .code("FORBIDDEN_CLAIM", name)
            case .invalidRefreshToken: .code("INVALID_REFRESH_TOKEN")
            case .sessionNotFound: .code("SESSION_NOT_FOUND", "The user has no session with this id.")
            }
    }

    private init(_ refusal: ConfigurationRefusal) {
        self =
            switch refusal {
            case .providerNotFound(let id): .code("CONFIGURATION_NOT_FOUND", "No provider has the id \(id).")
            case .providerInFile(let id, let path):
                .code("PROVIDER_IN_FILE", "\(id) is an entry of \(path). Change it there.")
            case .providerExists(let id): .code("CONFIGURATION_EXISTS", "A provider has the id \(id) already.")
            case .invalid(let text): .code("INVALID_CONFIG", text)
            case .hostOnly(let id):
                .code(
                    "HOST_ONLY",
                    "\(id) may connect to the broker's host or to private networks. Change it on the host, or allow "
                        + "the network in egress.privateNetworks of broker.json.")
            case .secretRequired(let id, let options):
                .code(
                    "SECRET_REQUIRED",
                    "The secrets of \(id) were given for its present client, issuer and endpoints. Send them again with "
                        + "this change: \(options.joined(separator: ", ")).")
            case .subjectsChanged(let text): .code("SUBJECTS_CHANGED", text)
            case .trustRequired: .insufficientPermission(needing: .trustProviders)
            case .settingInFile(let name):
                .code(
                    "SETTING_IN_FILE",
                    "broker.json has \(name). Change it there, or remove it there to change it here.")
            }
    }

    /// One answer to a missing secret, a wrong one, and an unknown device.
    private static var invalidDeviceSecret: WireError {
        var error = WireError.code(
            "INVALID_DEVICE_SECRET", "Introduce the device under a new deviceId, without deviceSecret.")
        (error.httpStatus, error.status) = (.unauthorized, "UNAUTHENTICATED")
        return error
    }

    private static func tooManyAttempts(after seconds: Int) -> WireError {
        var error = retryable("TOO_MANY_ATTEMPTS_TRY_LATER", "Too many requests. Wait for Retry-After.", after: seconds)
        error.isTooManyAttempts = true
        return error
    }

    private static func retryable(_ code: String, _ text: String, after seconds: Int?) -> WireError {
        var error = WireError.code(code, text)
        if let seconds { error.headers[.retryAfter] = String(seconds) }
        return error
    }
}

extension WireError: CodedError {
    /// The code of a business error; the canonical name of any other.
    var stableCode: String {
        let code = message.prefix { $0 != " " }
        return code.allSatisfy { $0.isUppercase || $0 == "_" } ? String(code) : status ?? "error"
    }
}

extension BrokerError: CodedError {
    var stableCode: String { WireError(self).stableCode }
}

extension BrokerError {
    /// The error's stable code and text, as HTTP clients see it.
    package var wireMessage: String { WireError(self).message }
}
