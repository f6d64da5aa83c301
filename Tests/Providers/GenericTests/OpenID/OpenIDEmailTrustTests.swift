import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: unverified addresses")
struct OpenIDEmailTrustTests {
    @Test(arguments: [true, false])
    func `an address without a verification counts where the entry trusts it`(trusts: Bool) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) {
                $0.claims["email"] = "ada@corp.example"
                $0.claims["email_verified"] = nil
            }
            let identity = try await fixture.oidc(["trustUnverifiedEmails": .bool(trusts)]).verify(
                fixture.code(nonce: "n"))
            #expect(identity.email == .init("ada@corp.example", isVerified: trusts))
        }
    }

    @Test(arguments: [
        ("https://id.example", #"{"hd":"corp.example"}"#, true), ("https://id.example", "{}", false),
        ("https://id.example", #"{"active":true}"#, false), ("https://id.example/{tid}/v2.0", #"{"tid":"t-1"}"#, true),
        ("https://id.example/{tid}/v2.0", #"{"hd":"corp.example"}"#, false),
    ])
    func `an entry is of one tenant where a claim of it is fixed`(
        issuer: String, requiredClaims: String, isOfOne: Bool
    ) throws {
        let provider = try GenericFixture.provider(
            .oidc,
            [
                "issuer": .string(issuer), "clientId": "c", "requiredClaims": try JSONValue(parsing: requiredClaims),
                "trustUnverifiedEmails": true,
            ], over: SimulatorUpstream())
        let trusting = try #require(provider as? any UnverifiedEmailTrust)
        #expect(trusting.trustsUnverifiedEmails && trusting.isOfOneTenant == isOfOne)
    }
}
