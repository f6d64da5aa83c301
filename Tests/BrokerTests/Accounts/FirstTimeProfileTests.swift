import Broker
import Foundation
import Generic
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The first-time profile that a client sends beside an ID token")
struct FirstTimeProfileTests {
    @Test func `it gives no entry an address that its options do not name`() async throws {
        let issuer = try await OpenIDSimulator.start(.init(clock: .stopped(at: TestClock().now)))
        let entry: JSONValue = [
            "id": "oidc.example", "use": "oidc", "allowInsecureLoopback": true, "trustEmail": true,
            "options": [
                "issuer": .string(issuer.url), "clientId": .string(issuer.defaultApplication.clientID),
                "clientSecret": .string(issuer.defaultApplication.clientSecret ?? ""), "claims": ["email": "/upn"],
            ],
        ]
        try await TestBroker.run(plugins: [.oidc], entries: { _ in [entry] }) { broker in
            let person = issuer.people()[0]
            issuer.update(subject: person.subject) {
                $0.claims = ["email": "victim@example.com", "email_verified": "true"]
            }
            let token = issuer.idToken(for: issuer.people()[0], application: issuer.defaultApplication)

            let answer = try await broker.signIn(postBody: [
                ("id_token", token), ("providerId", "oidc.example"),
                ("user", #"{"name":{"firstName":"Ann","lastName":"Other"},"email":"victim@example.com"}"#),
            ])

            #expect(answer.status == 200 && answer["email"] == nil, "\(answer.text)")
            #expect(try await broker.record(answer)["email"] == nil)
        }
        await issuer.stop()
    }
}
