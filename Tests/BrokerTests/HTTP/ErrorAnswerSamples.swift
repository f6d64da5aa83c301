import ProviderKit

@testable import Broker

extension BrokerError {
    /// Every error with sample arguments, in the order of its declaration.
    static var samples: [BrokerError] {
        Array(sequence(first: BrokerError.missingIDToken) { sample(after: $0) })
    }

    /// No `default`: a new error does not compile until it has a sample.
    private static func sample(after error: BrokerError) -> BrokerError? {
        switch error {
        case .missingIDToken: .invalidIDToken
        case .invalidIDToken: .tokenExpired
        case .tokenExpired: .userNotFound
        case .userNotFound: .userDisabled
        case .userDisabled: .recentLoginRequired
        case .recentLoginRequired: .stepUpRequired("Sign in with Acme.")
        case .stepUpRequired: .unknownProvider("acme")
        case .unknownProvider: .credentialKindNotAccepted(.accessToken)
        case .credentialKindNotAccepted: .credentialRejected
        case .credentialRejected: .authorizationCodeRejected
        case .authorizationCodeRejected: .authorizationCodeRequired
        case .authorizationCodeRequired: .codeNotBound
        case .codeNotBound: .codeOfOwnCallback
        case .codeOfOwnCallback: .missingOrInvalidNonce
        case .missingOrInvalidNonce: .idTokenAlreadyUsed
        case .idTokenAlreadyUsed: .cancelledAtProvider
        case .cancelledAtProvider: .deviceSignInNotOffered("acme")
        case .deviceSignInNotOffered: .deviceCodeExpired
        case .deviceCodeExpired: .providerUnavailable(retryAfter: nil)
        case .providerUnavailable(nil): .providerUnavailable(retryAfter: 7)
        case .providerUnavailable: .providerMisconfigured
        case .providerMisconfigured: .profileRefused
        case .profileRefused: .profileIncomplete
        case .profileIncomplete: .invalidDevice
        case .invalidDevice: .invalidDeviceSecret
        case .invalidDeviceSecret: .deviceClaimedByAnotherUser
        case .deviceClaimedByAnotherUser: .tooManyDeviceAttempts(retryAfter: 7)
        case .tooManyDeviceAttempts: .providerCodeExpired
        case .providerCodeExpired: .providerCodeRequired("acme")
        case .providerCodeRequired: .providerNotLinked(nil)
        case .providerNotLinked(nil): .providerNotLinked("acme")
        case .providerNotLinked: .tooManyAttempts(retryAfter: 7)
        case .tooManyAttempts: .providerAnswerUnusable("The answer is : unusable.")
        case .providerAnswerUnusable: .invalidPendingToken
        case .invalidPendingToken: .identityAlreadyLinked
        case .identityAlreadyLinked: .emailHeldByAnotherUser
        case .emailHeldByAnotherUser: .providerAlreadyLinked
        case .providerAlreadyLinked: .noAccount
        case .noAccount: .anonymousSignInOff
        case .anonymousSignInOff: .lastSignInMethod
        case .lastSignInMethod: .invalidEmail
        case .invalidEmail: .needConfirmation(providers: nil)
        case .needConfirmation(nil): .needConfirmation(providers: ["acme", "github.com"])
        case .needConfirmation: .signUpOff
        case .signUpOff: .deletionOff
        case .deletionOff: .duplicateLocalID
        case .duplicateLocalID: .invalidLocalID
        case .invalidLocalID: .mergeNotFound
        case .mergeNotFound: .mergeConflict(provider: "acme")
        case .mergeConflict: .mergeNeedsAdministrator
        case .mergeNeedsAdministrator: .undoNeedsAdministrator
        case .undoNeedsAdministrator: .mergeOfOneUser
        case .mergeOfOneUser: .otherLoginInvalid("Sign in to it again.")
        case .otherLoginInvalid: .signInAttemptUnknown
        case .signInAttemptUnknown: .signInAttemptOfAnother
        case .signInAttemptOfAnother: .userMismatch
        case .userMismatch: .operationNotAllowed(nil)
        case .operationNotAllowed(nil): .operationNotAllowed("scope x is not allowed.")
        case .operationNotAllowed: .insufficientPermission
        case .insufficientPermission: .configuration(.providerNotFound("acme"))
        case .configuration(let refusal): sample(after: refusal).map(BrokerError.configuration) ?? firstOfTokens
        case .invalidCustomToken: .missingIdentifier
        case .missingIdentifier: .invalidClaims
        case .invalidClaims: .claimsTooLarge
        case .claimsTooLarge: .tenantMismatch
        case .tenantMismatch: .forbiddenClaim("sub")
        case .forbiddenClaim: .invalidRefreshToken
        case .invalidRefreshToken: .refreshTokenExpired
        case .refreshTokenExpired: .sessionNotFound
        case .sessionNotFound: nil
        }
    }

    private static let firstOfTokens = BrokerError.invalidCustomToken("The audience is another.")

    private static func sample(after refusal: ConfigurationRefusal) -> ConfigurationRefusal? {
        switch refusal {
        case .providerNotFound: .providerInFile("acme", path: "plugins.json")
        case .providerInFile: .providerExists("acme")
        case .providerExists: .invalid("/providers/0/type is missing.")
        case .invalid: .hostOnly("acme")
        case .hostOnly: .secretRequired("acme", options: ["clientSecret", "privateKey"])
        case .secretRequired: .subjectsChanged("The users of acme would be new ones.")
        case .subjectsChanged: .trustRequired
        case .trustRequired: .settingInFile("signIn.anonymous")
        case .settingInFile: nil
        }
    }
}

extension WireError {
    /// Errors that are no ``BrokerError``.
    static let samples: [(name: String, error: WireError)] = [
        ("field", .field("/idToken", "must be string")), ("malformed JSON", .malformedJSON("It ends early.")),
        ("bad request", .badRequest("Exactly one Host header is expected.")), ("missing API key", .missingAPIKey),
        ("unknown API key", .unknownAPIKey), ("not found", .notFound), ("body too large", .bodyTooLarge(64 << 10)),
        ("not implemented", .notImplemented("deleteAttribute PROVIDER")),
        ("method not allowed", .methodNotAllowed("PUT", allowed: ["GET", "POST"])),
        ("invalid credentials", .invalidCredentials), ("missing credentials", .missingCredentials),
        ("insufficient permission", .insufficientPermission(AdminScope.readUsers.requirement)),
    ]
}
