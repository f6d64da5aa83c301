import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass: merged, anonymous and unreachable users")
struct OnePassProfileTests {
    /// What userinfo answers instead of the truth.
    private func identity(saying claims: JSONObject) async throws -> ExternalIdentity? {
        var identity: ExternalIdentity?
        try await OnePassFixture.running(options: ["allowAnonymous": true]) { fixture in
            let ada = try fixture.person("ada")
            var said: JSONObject = ["sub": .string(ada.subject)]
            for (name, value) in claims { said[name] = value }
            let text = JSONValue.object(said).serialized()
            fixture.onePass.fail(.userinfo, with: .status(200, body: text, contentType: "application/json"))
            identity = try await fixture.signIn(ada)
            #expect(identity?.subject == ada.subject)
        }
        return identity
    }

    @Test(arguments: OnePassSimulator.LinkedSubjects.allCases, [false, true])
    func `merged accounts are understood in every shape`(
        shape: OnePassSimulator.LinkedSubjects, isNumeric: Bool
    ) async throws {
        try await OnePassFixture.running { fixture in
            let (ada, ben, cleo) = (try fixture.person("ada"), try fixture.person("ben"), try fixture.person("cleo"))
            fixture.onePass.behaviour.linkedSubjects = shape
            fixture.onePass.behaviour.writesNumericSubjects = isNumeric
            let before = try await fixture.signIn(cleo)
            for person in [ben, cleo] { try await fixture.onePass.merge(person, into: ada) }
            let after = try await fixture.signIn(cleo)

            #expect(before.merge == nil && before.subject == cleo.subject)
            // The application met the user as `cleo`: that subject stays.
            #expect(after.subject == cleo.subject)
            let listed = shape == .absent ? [] : [ben.subject]
            #expect(after.merge == .init(survivor: ada.subject, absorbed: listed))
        }
    }

    @Test func `the survivor is not one of the absorbed, and no subject is repeated`() async throws {
        let identity = try await identity(saying: [
            "canonical_sub": "900",
            "linked_subs": ["900", 901, "901", ["sub": 901], ["sub": "902"], nil, true, "", ["other": 1], []],
        ])
        #expect(identity?.merge == .init(survivor: "900", absorbed: ["901", "902"]))
    }

    @Test(arguments: OnePassSimulator.MergeTrigger.allCases)
    func `a merge is proven unless it rests on an address`(trigger: OnePassSimulator.MergeTrigger) async throws {
        try await OnePassFixture.running { fixture in
            let (ada, ben, cleo) = (try fixture.person("ada"), try fixture.person("ben"), try fixture.person("cleo"))
            _ = try await fixture.signIn(cleo)
            for person in [ben, cleo] { try await fixture.onePass.merge(person, into: ada, via: trigger) }

            let merge = try #require(try await fixture.signIn(cleo).merge)

            #expect(Set(merge.proven) == (trigger == .emailMatch ? [] : [ben.subject, cleo.subject]))
        }
    }

    @Test(arguments: [JSONValue.null, true, "t4_guess", "T3_OTP", "t3_otp2", "t3", []])
    func `a merge for an unknown reason is not proven`(reason: JSONValue) async throws {
        let identity = try await identity(saying: ["linked_subs": [["sub": "901", "merged_via": reason], "902"]])
        #expect(identity?.merge?.absorbed == ["901", "902"] && identity?.merge?.proven == [])
    }

    @Test func `an account that is canonical and names another is refused`() async throws {
        await #expect(throws: ProviderError.self) {
            try await identity(saying: ["canonical_sub": "900", "is_canonical": true])
        }
        #expect(try await identity(saying: ["canonical_sub": "900", "is_canonical": false])?.merge?.survivor == "900")
    }

    @Test func `an account that began without a known user says so`() async throws {
        #expect(try await identity(saying: ["previously_anonymous": true])?.wasAnonymous == true)
        #expect(try await identity(saying: ["anonymous": false])?.wasAnonymous == false)
    }

    @Test func `a picture is where userinfo has it`() async throws {
        let picture = "https://1pass.example/a.png"
        #expect(try await identity(saying: ["picture": .string(picture)])?.pictureURL == picture)
    }

    @Test(arguments: [JSONValue.null, [], "901", ["sub": "901"]])
    func `no list is no merge`(linked: JSONValue) async throws {
        #expect(try await identity(saying: ["linked_subs": linked])?.merge == nil)
    }

    @Test func `userinfo of another user is refused`() async throws {
        try await OnePassFixture.running { fixture in
            for subject in ["1", "", "null", "[]"] {
                let text = #"{"sub":\#(subject.isEmpty ? #""""# : subject)}"#
                fixture.onePass.clearFaults()
                fixture.onePass.fail(.userinfo, with: .status(200, body: text, contentType: "application/json"))
                let token = fixture.onePass.accessToken(
                    for: try fixture.person("ada"), application: fixture.application)
                let error = await fixture.failure(.accessToken(token))
                #expect(error?.fault == (subject == "1" ? .credential : .upstream))
            }
        }
    }

    @Test func `an anonymous account is refused unless the operator allows it`() async throws {
        try await OnePassFixture.running { fixture in
            let token = fixture.onePass.accessToken(for: try fixture.nobody, application: fixture.application)
            let error = await fixture.failure(.accessToken(token))
            #expect(error?.fault == .credential && error?.reason.contains("allowAnonymous") == true)
        }
        try await OnePassFixture.running(options: ["allowAnonymous": true]) { fixture in
            let person = try fixture.nobody
            let before = try await fixture.signIn(person)
            fixture.onePass.update(personID: person.id) { $0.isAnonymous = false }
            let after = try await fixture.signIn(person)

            #expect(before.isAnonymous && !after.isAnonymous)
            #expect(before.subject == after.subject)
            #expect(after.profile["previously_anonymous"] == true)
        }
    }

    @Test(arguments: [JSONValue.string("false"), 0, []])
    func `an unclear value means anonymous`(says: JSONValue) async throws {
        #expect(try await identity(saying: ["anonymous": says])?.isAnonymous == true)
    }

    @Test func `a synthetic address is no address`() async throws {
        try await OnePassFixture.running { fixture in
            let ben = try await fixture.signIn(fixture.person("ben"))
            #expect(ben.email == nil)
        }
        for address in ["apple+1@1Pass.Internal", "anon+0@1PASS.INTERNAL"] {
            let claims: JSONObject = ["email": .string(address), "email_verified": true]
            let identity = try await identity(saying: claims)
            #expect(identity?.email == nil && identity?.profile["email"] == .string(address))
        }
    }

    @Test(arguments: [
        (JSONValue.bool(true), true), (false, false), (.null, false), ("true", false), (1, false),
    ])
    func `an address is verified only where 1Pass says so`(says: JSONValue, isVerified: Bool) async throws {
        let identity = try await identity(saying: ["email": "a@example.com", "email_verified": says])
        #expect(identity?.email == .init("a@example.com", isVerified: isVerified))
    }
}
