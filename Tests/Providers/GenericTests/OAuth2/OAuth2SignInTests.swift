import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oauth2: sign-in")
struct OAuth2SignInTests {
    static func options(_ quirks: OpenIDSimulator.Options.Quirks = []) -> OpenIDSimulator.Options {
        .init(clock: .stopped(at: GenericFixture.now), mode: .oauth2, quirks: quirks)
    }

    /// Signs Ada in at a server whose userinfo says this.
    static func identity(_ userinfo: String, claims: String) async throws -> ExternalIdentity {
        try await GenericFixture.run(options()) { fixture in
            let userinfo = try JSONValue(parsing: userinfo)
            fixture.issuer.update(subject: fixture.ada.subject) { $0.userinfo = userinfo }
            return try await fixture.oauth2(["claims": try JSONValue(parsing: claims)]).verify(fixture.code())
        }
    }

    @Test func `a number is a subject, and what lies deeper is found`() async throws {
        let identity = try await Self.identity(
            #"""
            {"id":1234567890123,"kakao_account":{"email":"ada@example.com","is_email_valid":true,
            "is_email_verified":true,"profile":{"nickname":"Ada","profile_image_url":"https://k.example/a.png"}}}
            """#,
            claims: #"""
                {"subject":"/id","email":"/kakao_account/email",
                "emailVerified":["/kakao_account/is_email_valid","/kakao_account/is_email_verified"],
                "displayName":"/kakao_account/profile/nickname",
                "pictureUrl":"/kakao_account/profile/profile_image_url"}
                """#)

        #expect(identity.subject == "1234567890123" && identity.displayName == "Ada")
        #expect(identity.email == .init("ada@example.com", isVerified: true))
        #expect(identity.pictureURL == "https://k.example/a.png")
        #expect(identity.profile["kakao_account"]?["profile"]?["nickname"] == "Ada")
    }

    @Test(arguments: [
        (#""is_valid":true,"is_verified":false"#, false), (#""is_valid":true"#, false), (#""is_verified":true"#, false),
        (#""is_valid":1,"is_verified":1"#, false), (#""is_valid":true,"is_verified":"true""#, false),
        (#""is_valid":true,"is_verified":null"#, false),
    ])
    func `an address is verified when everything pointed at says so`(members: String, isVerified: Bool) async throws {
        let identity = try await Self.identity(
            #"{"id":"1","email":"a@example.com",\#(members)}"#,
            claims: #"{"subject":"/id","email":"/email","emailVerified":["/is_valid","/is_verified"]}"#)
        #expect(identity.email == .init("a@example.com", isVerified: isVerified))
    }

    @Test func `the text true verifies an address where the entry says so`() async throws {
        try await GenericFixture.run(Self.options()) { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) {
                $0.userinfo = ["id": "1", "email": "a@example.com", "ok": "true"]
            }
            let claims: JSONValue = ["subject": "/id", "email": "/email", "emailVerified": "/ok"]
            let identity = try await fixture.oauth2(["claims": claims, "textBooleans": true]).verify(fixture.code())
            #expect(identity.email == .init("a@example.com", isVerified: true))
        }
    }

    @Test(arguments: ["tru", "truely", "TRUE", "1"])
    func `another text verifies no address`(text: String) async throws {
        try await GenericFixture.run(Self.options()) { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) {
                $0.userinfo = ["id": "1", "email": "a@example.com", "ok": .string(text)]
            }
            let claims: JSONValue = ["subject": "/id", "email": "/email", "emailVerified": "/ok"]
            let identity = try await fixture.oauth2(["claims": claims, "textBooleans": true]).verify(fixture.code())
            #expect(identity.email == .init("a@example.com", isVerified: false))
        }
    }

    @Test func `given and family name, picture and screen name are where the entry points`() async throws {
        let identity = try await Self.identity(
            #"{"id":1,"first":"Ada","last":"Example","photo":"https://a.example/a.png","nick":"ada"}"#,
            claims: #"""
                {"subject":"/id","givenName":"/first","familyName":"/last","pictureUrl":"/photo","screenName":"/nick"}
                """#)

        #expect(identity.givenName == "Ada" && identity.familyName == "Example" && identity.screenName == "ada")
        #expect(identity.pictureURL == "https://a.example/a.png" && identity.email == nil)
    }

    @Test(arguments: ["ada@example.com", "acct:ada@example.com", "+15550100123"])
    func `a subject that is an address is refused under any name`(subject: String) async throws {
        let userinfo: JSONValue = ["uid": .string(subject)]
        let error = await failure { try await Self.identity(userinfo.serialized(), claims: #"{"subject":"/uid"}"#) }
        #expect(error?.fault == .configuration && error?.step == .readProfile, "\(String(describing: error))")
    }

    @Test(arguments: ["@handle", "a@", "+5", "+49-x", "1@"])
    func `a subject that only has a sign of an address is taken`(subject: String) async throws {
        let userinfo: JSONValue = ["uid": .string(subject)]
        let identity = try await Self.identity(userinfo.serialized(), claims: #"{"subject":"/uid"}"#)
        #expect(identity.subject == subject)
    }

    @Test(arguments: [
        ("Bearer", true), ("bearer", true), ("mac", false), ("DPoP", false), ("N_A", false), ("", false),
        ("\u{212A}earer", false),
    ])
    func `a token of another type than Bearer is not used`(type: String, isUsed: Bool) async throws {
        try await GenericFixture.run(Self.options()) { fixture in
            let token = fixture.issuer.accessToken(for: fixture.ada, application: fixture.application)
            let answer: JSONValue = ["access_token": .string(token), "token_type": .string(type)]
            fixture.issuer.fail(
                .token, with: .status(200, body: answer.serialized(), contentType: "application/json"))
            let provider = try fixture.oauth2(["claims": ["subject": "/sub"]])
            let error = await failure { try await provider.verify(fixture.code()) }

            #expect((error == nil) == isUsed, "\(String(describing: error))")
            #expect(isUsed || error?.fault == .upstream && error?.reason.contains("token_type") == true)
            #expect(isUsed || fixture.issuer.hits(.userinfo) == 0)
        }
    }

    @Test(
        arguments: [
            ("3600", 3600), (#""3600""#, 3600), ("0", 0), ("-5", 0), ("31536000", 31_536_000),
            ("31536001", 31_536_000), ("9223372036854775807", 31_536_000), (#""9223372036854775807""#, 31_536_000),
        ] as [(String, TimeInterval)])
    func `a lifetime is a year at most`(text: String, seconds: TimeInterval) async throws {
        try await GenericFixture.run(Self.options()) { fixture in
            let token = fixture.issuer.accessToken(for: fixture.ada, application: fixture.application)
            let answer = #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":\#(text)}"#
            fixture.issuer.fail(.token, with: .status(200, body: answer, contentType: "application/json"))
            let grant = try await fixture.oauth2(["claims": ["subject": "/sub"]]).verify(fixture.code()).grant

            #expect(grant?.expiresAt == GenericFixture.now.addingTimeInterval(seconds))
        }
    }

    @Test func `without a outcome an address is unverified, without an address there is none`() async throws {
        let claims = #"{"subject":"/response/id","email":"/response/email"}"#
        let with = try await Self.identity(#"{"response":{"id":"x","email":"a@example.com"}}"#, claims: claims)
        let without = try await Self.identity(#"{"response":{"id":"x","email":null}}"#, claims: claims)
        #expect(with.email == .init("a@example.com", isVerified: false) && without.email == nil)
    }

    @Test(arguments: [
        "{}", #"{"id":null}"#, #"{"id":""}"#, #"{"id":1.0}"#, #"{"id":1e3}"#, #"{"id":true}"#, #"{"id":{}}"#,
        #"{"id":["1"]}"#, #"{"ID":"1"}"#, "[]", "null", #"{"id":99999999999999999999}"#,
    ])
    func `what is no id never becomes a subject`(userinfo: String) async throws {
        let error = await failure { try await Self.identity(userinfo, claims: #"{"subject":"/id"}"#) }
        #expect(error?.fault == .upstream && error?.step == .readProfile, "\(String(describing: error))")
    }

    @Test func `an answer in dialect is understood`() async throws {
        try await GenericFixture.run(Self.options([.numbersAsText, .scopesAsList])) { fixture in
            let grant = try #require(
                try await fixture.oauth2(["claims": ["subject": "/sub"]]).verify(fixture.code(scopes: ["a", "b"])).grant
            )
            #expect(grant.scopes == ["a", "b"])
            #expect(grant.expiresAt == GenericFixture.now.addingTimeInterval(3600))
        }
    }

    @Test func `an error that comes with status 200 is an error`() async throws {
        try await GenericFixture.run(Self.options(.errorsWithStatus200)) { fixture in
            let provider = try fixture.oauth2(["claims": ["subject": "/sub"]])
            let code = fixture.code()
            _ = try await provider.verify(code)
            let replay = await failure { try await provider.verify(code) }
            let stranger = await failure {
                try await fixture.oauth2(["clientSecret": "wrong"]).verify(fixture.code())
            }
            #expect(replay?.fault == .credential && stranger?.fault == .configuration)
        }
    }

    @Test(arguments: [
        ("invalid_code", ProviderError.Fault.credential), ("bad_client_secret", .configuration),
        ("user_denied", .cancelled), ("never_heard_of", .upstream),
    ])
    func `common error codes say who has to act`(code: String, fault: ProviderError.Fault) async throws {
        try await GenericFixture.run(Self.options()) { fixture in
            fixture.issuer.fail(
                .token, with: .status(200, body: #"{"ok":false,"error":"\#(code)"}"#, contentType: "application/json"))
            let error = await failure { try await fixture.oauth2().verify(fixture.code()) }
            #expect(error?.fault == fault)
        }
    }

    @Test func `neither a bare access token nor an ID token is taken`() async throws {
        try await GenericFixture.run(Self.options()) { fixture in
            let token = fixture.issuer.accessToken(for: fixture.ada, application: fixture.application)
            let provider = try fixture.oauth2()
            for proof in [Credential.Proof.accessToken(token), .idToken(.init(token: "a.b.c"))] {
                let error = await failure { try await provider.verify(Credential(proof)) }
                #expect(error?.fault == .credential)
            }
            #expect(provider.accepts == [.authorizationCode] && fixture.isUntouched)
        }
    }

    @Test(arguments: [OpenIDSimulator.Endpoint.token, .userinfo])
    func `a redirect or an outage is not a sign-in`(endpoint: OpenIDSimulator.Endpoint) async throws {
        let forbidden = try await ForbiddenListener.start()
        let faults: [SimulatorFault] = [
            .redirect(to: forbidden.url), .status(500), .emptyBody, .htmlInsteadOfJSON, .garbage(),
            .hugeBody(bytes: 3 << 20), .closeConnection, .truncatedBody, .duplicateKeys,
        ]
        try await GenericFixture.run(Self.options()) { fixture in
            for fault in faults {
                fixture.issuer.fail(endpoint, with: fault, times: 1)
                let error = await failure {
                    try await fixture.oauth2(["claims": ["subject": "/sub"]]).verify(fixture.code())
                }
                #expect(error?.fault == .upstream, "\(fault): \(String(describing: error))")
            }
        }
        #expect(forbidden.hits == 0)
        await forbidden.stop()
    }
}
