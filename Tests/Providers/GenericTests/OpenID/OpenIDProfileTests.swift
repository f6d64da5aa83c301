import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oidc: the profile")
struct OpenIDProfileTests {
    @Test func `userinfo of another user is refused`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.userinfoOverride = ["sub": "somebody-else", "email": "victim@example.com"]
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .credential && error?.step == .readProfile)
        }
    }

    @Test(arguments: ["null", "[]", #"{"email":"a@example.com"}"#, #"{"sub":5}"#, #"{"sub":null}"#])
    func `userinfo without a subject is no answer`(body: String) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.userinfoOverride = try JSONValue(parsing: body)
            let error = await failure { try await fixture.oidc().verify(fixture.code()) }
            #expect(error?.fault == .upstream)
        }
    }

    @Test func `userinfo is left alone where the entry says so or discovery has none`() async throws {
        try await GenericFixture.run { fixture in
            _ = try await fixture.oidc(["userinfo": false]).verify(fixture.code())
            fixture.issuer.discoveryOverride = try Self.discovery(of: fixture, without: "userinfo_endpoint")
            _ = try await fixture.oidc().verify(fixture.code())
            #expect(fixture.issuer.hits(.userinfo) == 0)

            let error = await failure { try await fixture.oidc(["userinfo": true]).verify(fixture.code()) }
            #expect(error?.fault == .configuration)
        }
    }

    @Test(arguments: [
        // What userinfo says, what the ID token says, what counts.
        (#"{"email":"new@example.com"}"#, #"{"email":"old@example.com","email_verified":true}"#, false),
        (#"{"email":"a@example.com"}"#, #"{"email":"a@example.com","email_verified":true}"#, true),
        (
            #"{"email":"a@example.com","email_verified":false}"#,
            #"{"email":"a@example.com","email_verified":true}"#, false
        ),
        (#"{"email":"a@example.com","email_verified":"true"}"#, "{}", false),
        (
            #"{"email":"a@example.com","email_verified":"true"}"#,
            #"{"email":"a@example.com","email_verified":true}"#, false
        ),
        (#"{"email":"a@example.com","email_verified":"yes"}"#, "{}", false),
        (#"{"email":"a@example.com","email_verified":1}"#, "{}", false),
        (#"{"email":"a@example.com"}"#, #"{"email_verified":true}"#, false),
        ("{}", #"{"email":"a@example.com","email_verified":true}"#, true),
    ])
    func `a verification applies only to its own address`(
        userinfo: String, token: String, isVerified: Bool
    ) async throws {
        try await GenericFixture.run { fixture in
            var userinfo = try #require(try JSONValue(parsing: userinfo).object)
            userinfo["sub"] = .string(fixture.ada.subject)
            let claims = try #require(try JSONValue(parsing: token).object)
            fixture.issuer.update(subject: fixture.ada.subject) { person in
                person.claims = claims
                person.userinfo = .object(userinfo)
            }
            let email = try await fixture.oidc().verify(fixture.code()).email
            #expect(email?.isVerified == isVerified)
            #expect(email?.address == userinfo["email"]?.string ?? claims["email"]?.string)
        }
    }

    @Test(arguments: [
        ("true", true), ("True", false), ("false", false), ("1", false), ("tru", false), ("truely", false),
    ])
    func `the text true verifies an address where the entry says so`(text: String, isVerified: Bool) async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) {
                $0.claims = ["email": "a@example.com", "email_verified": .string(text)]
            }
            let strict = try await fixture.oidc().verify(fixture.code())
            let lenient = try await fixture.oidc(["textBooleans": true]).verify(fixture.code())

            #expect(strict.email == .init("a@example.com", isVerified: false))
            #expect(lenient.email == .init("a@example.com", isVerified: isVerified))
        }
    }

    @Test func `claims are found where the entry points`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) { person in
                person.claims = [
                    "upn": "ada@corp.example", "confirmed": [true, true], "names": ["", "Ada of Corp"],
                    "email": "other@example.com", "email_verified": true, "first": "Ada", "last": "Example",
                    "photo": "https://id.example/a.png", "nick": "ada",
                ]
            }
            let identity = try await fixture.oidc([
                "claims": [
                    "email": "/upn", "emailVerified": ["/confirmed/0", "/confirmed/1"],
                    "displayName": ["/names/0", "/names/1"], "givenName": "/first", "familyName": "/last",
                    "pictureUrl": "/photo", "screenName": "/nick",
                ]
            ]).verify(fixture.code())

            #expect(identity.email == .init("ada@corp.example", isVerified: true))
            #expect(identity.displayName == "Ada of Corp" && identity.subject == fixture.ada.subject)
            #expect(identity.givenName == "Ada" && identity.familyName == "Example")
            #expect(identity.pictureURL == "https://id.example/a.png" && identity.screenName == "ada")
        }
    }

    @Test func `a mapped address does not inherit the outcome on the standard one`() async throws {
        try await GenericFixture.run { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) { $0.claims["mail"] = "victim@example.com" }
            let identity = try await fixture.oidc(["claims": ["email": "/mail"]]).verify(fixture.code())
            #expect(identity.email == .init("victim@example.com", isVerified: false))
        }
    }

    static func discovery(of fixture: GenericFixture, without member: String) throws -> JSONValue {
        let paths = [
            "authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/keys",
            "userinfo_endpoint": "/userinfo", "revocation_endpoint": "/revoke",
            "device_authorization_endpoint": "/device_authorization",
        ]
        var document: JSONObject = ["issuer": .string(fixture.issuer.url)]
        for (name, path) in paths where name != member { document[name] = .string(fixture.issuer.url + path) }
        return .object(document)
    }
}
