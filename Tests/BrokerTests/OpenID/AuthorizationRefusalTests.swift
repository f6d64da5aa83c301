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
        #expect(AuthorizationRefusal(error).code == .accessDenied)
    }

    @Test(arguments: [
        (BrokerError.userMismatch, AuthorizationRefusal.Code.loginRequired), (.tokenExpired, .loginRequired),
        (.invalidPendingToken, .loginRequired), (.recentLoginRequired, .loginRequired),
        (.providerUnavailable(retryAfter: 3), .temporarilyUnavailable), (.providerMisconfigured, .serverError),
        (.unknownProvider("x"), .serverError),
    ])
    func `what is no refusal is told apart`(_ error: BrokerError, _ code: AuthorizationRefusal.Code) {
        #expect(AuthorizationRefusal(error).code == code)
    }
}
