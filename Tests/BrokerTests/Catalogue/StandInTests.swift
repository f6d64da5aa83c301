import ProviderKit
import ProviderKitTesting
import Testing

@testable import Broker

/// A stand-in that takes anything would prove nothing.
@Suite("a stand-in refuses what its documentation does not describe")
struct StandInTests {
    /// Discord's page: Basic or the form, a bearer token. Its quirks name the first.
    private static let name = "discord"

    @Test(
        arguments: [
            ["tokenEndpointAuthMethod": "client_secret_post"],
            ["authorizationUrl": "https://discord.com/authorize"], ["tokenUrl": "https://discord.com/oauth2/token"],
            ["userinfoUrl": "https://discord.com/api/users/me"], ["clientId": "another"], ["clientSecret": "another"],
        ] as [JSONObject])
    func `an entry that differs signs no user in`(change: JSONObject) async throws {
        let listed = try #require(ProviderCatalogue.embedded.provider(named: Self.name))
        let standIn = try StandIn(try ProviderQuirks(of: Self.name))

        await #expect(throws: (any Error).self, "\(change)") {
            try await CatalogueSignInTests.signIn(listed, changing: change, at: standIn)
        }
    }

    @Test func `a code without its verifier, and a token in another place, are refused`() async throws {
        let standIn = try StandIn(try ProviderQuirks(of: Self.name))
        let token = try #require(standIn.quirks.token.answer["access_token"]?.string)
        let url = try #require(standIn.quirks.userinfo?.url)
        let requests = [
            UpstreamRequest(.post, standIn.quirks.token.url, at: .redeem).sending(form: [("code", StandIn.code)]),
            UpstreamRequest(.post, url, at: .fetchProfile).bearer(token),
            UpstreamRequest(.get, url + "?access_token=" + token, at: .fetchProfile),
            UpstreamRequest(.get, url, at: .fetchProfile).header("Authorization", "OAuth \(token)"),
            UpstreamRequest(.get, url, at: .fetchProfile).bearer("another"),
        ]

        for request in requests {
            #expect(try await standIn.send(request).status == 400, "\(request.method) \(request.url)")
        }
        #expect(try await standIn.send(UpstreamRequest(.get, url, at: .fetchProfile).bearer(token)).status == 200)
        #expect(standIn.refusals.count == requests.count)
    }
}
