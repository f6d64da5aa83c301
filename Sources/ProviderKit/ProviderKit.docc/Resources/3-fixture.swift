import Acme
import ProviderKit
import ProviderKitTesting
import Testing

@Suite("Acme keeps the provider contract")
struct AcmeConformanceTests {
    static let url = "https://id.acme.example"
    static let secret = ProviderFixture.marked("client-secret")
    static let accessToken = ProviderFixture.marked("access-token")
    static let refreshToken = ProviderFixture.marked("refresh-token")

    static let suite = ConformanceSuite(
        ProviderFixture(
            .acme, id: "acme.example",
            options: ["clientId": "wiki", "clientSecret": .string(secret), "url": .string(url)]
        ) { _ in
            ProviderScript(
                endpoints: [tokenEndpoint, profile(isConfirmed: true)],
                signIns: [
                    HonestSignIn(
                        Credential(
                            .authorizationCode(
                                .init(
                                    code: ProviderFixture.marked("code"), redirectURI: "https://wiki.example/back",
                                    verifier: ProviderFixture.marked("verifier")))),
                        identity: ExternalIdentity(
                            subject: "4711", email: .init("ada@acme.example", isVerified: true), displayName: "Ada"))
                ],
                unverified: [
                    ScriptVariation("it is not confirmed", signIn: 0, answering: [profile(isConfirmed: false)]),
                    ScriptVariation("nothing says so", signIn: 0, answering: [profile(isConfirmed: nil)]),
                ],
                grant: UpstreamGrant(clientID: "wiki", accessToken: accessToken, refreshToken: refreshToken))
        })

    @Test(arguments: suite.checks)
    func `keeps the provider contract`(check: ConformanceCheck) async {
        #expect(await Self.suite.outcome(of: check).failure == nil)
    }

    @Test func grade() async { print(await Self.suite.grade()) }

    /// What the provider's token endpoint answers.
    static let tokenEndpoint = ScriptedEndpoint(
        .post, url + "/oauth/token", receives: [.clientSecret, .personToken]
    ) { request in
        let isRefresh = request.formValue("grant_type") == "refresh_token"
        return .json([
            "access_token": .string(accessToken + (isRefresh ? "-renewed" : "")), "token_type": "Bearer",
            "refresh_token": .string(refreshToken + "-renewed"), "expires_in": 3600,
        ])
    }

    /// What the provider tells of the user.
    static func profile(isConfirmed: Bool?) -> ScriptedEndpoint {
        var user: JSONObject = ["number": 4711, "name": "Ada", "mail": "ada@acme.example"]
        user["mail_confirmed"] = isConfirmed.map(JSONValue.bool)
        return ScriptedEndpoint(.get, url + "/api/me", receives: [.personToken], .json(.object(user)))
    }
}
