import BrokerAuthMiddleware
import Testing

@Suite("The kinds of tokens")
struct BrokerTokenKindTests {
    @Test("have no ID token of OpenID Connect, which is for the client alone")
    func kinds() {
        #expect(BrokerTokenKind.allCases == [.identityToolkitIDToken, .sessionCookie, .accessToken])
    }
}
