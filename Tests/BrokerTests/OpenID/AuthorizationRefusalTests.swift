import Testing

@testable import Broker

@Suite("What an app is told about a sign-in that failed")
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
        (.unknownProvider("x"), .serverError),
    ])
    func `what is no refusal is told apart`(_ error: BrokerError, _ code: OAuthError.Code) {
        #expect(OAuthError(error).code == code)
    }
}
