import ProviderKit
import ProviderKitTesting

/// The company's directory as a script.
enum ScriptedDirectory {
    static let url = "https://directory.example"
    static let person = "p-40817"
    static let secret = ProviderFixture.marked("client-secret")
    static let code = ProviderFixture.marked("code")
    static let accessToken = ProviderFixture.marked("access-token")

    static let fixture = ProviderFixture(
        .directory, id: "directory.example",
        options: [
            "clientId": "directory-client", "clientSecret": .string(secret), "url": .string(url),
            "organization": "acme",
        ]
    ) { _ in
        ProviderScript(
            endpoints: [token, account(), profile(), memberships(), addresses()],
            signIns: [
                HonestSignIn(
                    Credential(
                        .authorizationCode(
                            .init(
                                code: code, redirectURI: "https://app.example/back",
                                verifier: ProviderFixture.marked("verifier")))),
                    identity: ExternalIdentity(
                        subject: person, email: .init("ada@acme.example", isVerified: true), displayName: "Ada Adler",
                        givenName: "Ada", familyName: "Adler"))
            ],
            unverified: [
                ScriptVariation("the address is not confirmed", signIn: 0, answering: [addresses(status: "pending")]),
                ScriptVariation("another address is the primary one", signIn: 0, answering: [addresses(isOld: true)]),
            ],
            foreign: [
                ScriptVariation(
                    "the user is in another organization", signIn: 0, answering: [memberships(of: "other")]),
                ScriptVariation("the membership has ended", signIn: 0, answering: [memberships(isActive: false)]),
                ScriptVariation("the account is disabled", signIn: 0, answering: [account(state: "disabled")]),
            ],
            checksCodeVerifier: true)
    }

    private static let token = ScriptedEndpoint(
        .post, url + "/oauth/token", receives: [.clientSecret, .personToken],
        .json(["access_token": .string(accessToken), "token_type": "Bearer", "expires_in": 3600]))

    private static func account(state: JSONValue = "enabled") -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, url + "/v2/me", receives: [.personToken], .json(["person": .string(person), "state": state]))
    }

    private static func profile() -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, url + "/v2/people/" + person, receives: [.personToken],
            .json([
                "id": .string(person), "full_name": "Ada Adler", "given_name": "Ada", "family_name": "Adler",
            ]))
    }

    private static func memberships(of organization: String = "acme", isActive: Bool = true) -> ScriptedEndpoint {
        ScriptedEndpoint(
            .get, url + "/v2/people/\(person)/memberships", receives: [.personToken],
            .json([
                "items": [
                    ["organization": "former", "active": false],
                    ["organization": .string(organization), "active": .bool(isActive)],
                ]
            ]))
    }

    /// Two pages, of which the second has the primary address.
    private static func addresses(status: JSONValue = "confirmed", isOld: Bool = false) -> ScriptedEndpoint {
        ScriptedEndpoint(.get, url + "/v2/people/\(person)/addresses", receives: [.personToken]) { request in
            guard request.queryValue("cursor") == "page-2" else {
                return .json([
                    "items": [["value": "old@acme.example", "primary": .bool(isOld), "status": "pending"]],
                    "next": "page-2",
                ])
            }
            return .json([
                "items": [["value": "ada@acme.example", "primary": .bool(!isOld), "status": status]], "next": nil,
            ])
        }
    }
}
