import Testing

@testable import Broker

@Suite("The error an app receives for a failed sign-in")
struct AuthorizationRefusalTests {
    @Test(arguments: [
        BrokerError.cancelledAtProvider, .userDisabled, .credentialRejected, .idTokenAlreadyUsed,
        .identityAlreadyLinked,
        .emailHeldByAnotherUser, .providerAlreadyLinked, .noAccount, .missingOrInvalidNonce,
    ])
    func `a refusal is access_denied`(_ error: BrokerError) {
        #expect(OAuthError(error).code == .accessDenied)
    }

    @Test(arguments: [
        (BrokerError.userMismatch, OAuthError.Code.loginRequired), (.tokenExpired, .loginRequired),
        (.invalidPendingToken, .loginRequired), (.recentLoginRequired, .loginRequired),
        (.providerUnavailable(retryAfter: 3), .temporarilyUnavailable), (.providerMisconfigured, .serverError),
        (.profileRefused, .serverError), (.profileIncomplete, .serverError),
        (.unknownProvider("x"), .serverError),
    ])
    func `another failure has its own error code`(_ error: BrokerError, _ code: OAuthError.Code) {
        #expect(OAuthError(error).code == code)
    }
}
