import BrokerClient
import Foundation
import Testing

@Suite("The configuration of a client")
struct BrokerConfigurationTests {
    @Test("requests the scopes that every part of the library needs unless the app says otherwise")
    func standardScopes() throws {
        let issuer = try #require(URL(string: "https://id.example.com"))
        let configuration = BrokerConfiguration(
            issuer: issuer, clientID: "app", redirectURI: "com.example.app:/callback")
        #expect(configuration.scopes == ["openid", "profile", "email", "offline_access", "account"])
    }
}
