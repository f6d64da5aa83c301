import Foundation
import Generic
import ProviderKit
import ProviderSimulators
import Testing

@Suite("oidc: rules for ID tokens by flow")
struct OpenIDTokenRulesTests {
    @Test func `a code's ID token is for the client that redeemed the code, not for a further audience`() async throws {
        try await GenericFixture.run { fixture in
            let further = "native-app"
            let ours = JSONValue.string(fixture.application.clientID)
            let claims: [(aud: JSONValue, azp: JSONValue?, isTaken: Bool)] = [
                (.string(further), nil, false), ([.string(further)], .string(further), false),
                ([.string(further), ours], .string(further), false), ([.string(further), ours], ours, true),
            ]
            for (aud, azp, isTaken) in claims {
                fixture.issuer.replaceClaim("aud", with: aud)
                fixture.issuer.replaceClaim("azp", with: azp)
                let error = await failure {
                    try await fixture.oidc(["audiences": [.string(further)]]).verify(fixture.code())
                }
                #expect(error?.fault == (isTaken ? nil : .credential), "\(aud) \(String(describing: azp))")
            }
            fixture.issuer.tellTheTruth()
            let token = fixture.issuer.idToken(for: fixture.ada, application: .init(clientID: further))
            let native = try await fixture.oidc(["audiences": [.string(further)]])
                .verify(Credential(.idToken(.init(token: token))))
            #expect(native.subject == fixture.ada.subject)
        }
    }

    @Test func `a code's ID token with an unexpected nonce is refused`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.replaceClaim("nonce", with: "of-another-request")

            let error = await failure { try await fixture.oidc().verify(fixture.code()) }

            #expect(error?.fault == .nonce)
        }
    }

    @Test(arguments: [(590, true), (700, false)])
    func `a code's ID token is older than maximumAge at no time`(age: Int64, isTaken: Bool) async throws {
        try await GenericFixture.run { fixture in
            let now = Int64(GenericFixture.now.timeIntervalSince1970)
            fixture.issuer.replaceClaim("iat", with: .integer(now - age))
            let error = await failure { try await fixture.oidc(["maximumAge": 600]).verify(fixture.code()) }
            #expect((error == nil) == isTaken)
        }
    }

    @Test func `an error of the token endpoint in dialect says who has to act`() async throws {
        try await GenericFixture.run { fixture in
            let body = #"{"error":"code_expired"}"#
            fixture.issuer.fail(.token, with: .status(400, body: body, contentType: "application/json"))
            #expect(await failure { try await fixture.oidc().verify(fixture.code()) }?.fault == .credential)
        }
    }

    @Test func `a client's ID token older than an hour is refused unless maximumAge says otherwise`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.replaceClaim("exp", with: .integer(Int64(GenericFixture.now.timeIntervalSince1970) + 86_400))
            let token = fixture.issuer.idToken(for: fixture.ada, application: fixture.application)
            let credential = Credential(.idToken(.init(token: token)))
            fixture.issuer.clock.advance(by: 3661)

            let error = await failure { try await fixture.oidc().verify(credential) }

            #expect(error?.fault == .credential)
            #expect(await failure { try await fixture.oidc(["maximumAge": 7200]).verify(credential) } == nil)
        }
    }
}
