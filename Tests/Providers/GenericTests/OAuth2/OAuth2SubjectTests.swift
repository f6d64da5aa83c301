import ProviderKit
import ProviderSimulators
import Testing

@testable import Generic

@Suite("oauth2: subjects and required claims")
struct OAuth2SubjectTests {
    /// Signs a user in whose userinfo says this.
    private static func identity(_ userinfo: String, _ options: String) async throws -> ExternalIdentity {
        let userinfo = try JSONValue(parsing: userinfo)
        let changes = try #require(try JSONValue(parsing: options).object)
        return try await GenericFixture.run(OAuth2SignInTests.options()) { fixture in
            fixture.issuer.update(subject: fixture.ada.subject) { $0.userinfo = userinfo }
            return try await fixture.oauth2(changes).verify(fixture.code())
        }
    }

    @Test(arguments: [
        (#"{"team":{"id":"T1"},"id":7}"#, "T1:7"), (#"{"team":{"id":1},"id":"7:a"}"#, "1:7:a"),
        (#"{"team":{"id":"T2"},"id":7}"#, "T2:7"),
    ])
    func `a subject of several parts has all of them`(userinfo: String, subject: String) async throws {
        let identity = try await Self.identity(userinfo, #"{"claims":{"subject":{"join":["/team/id","/id"]}}}"#)
        #expect(identity.subject == subject)
    }

    @Test(arguments: [
        #"{"team":{"id":"T1:7"},"id":"8"}"#, #"{"team":{"id":""},"id":"8"}"#, #"{"id":"8"}"#, #"{"team":{"id":"T1"}}"#,
        #"{"team":{"id":"T1"},"id":null}"#, #"{"team":{"id":"T1"},"id":"a@example.com"}"#,
        #"{"team":{"id":["T1"]},"id":"8"}"#, #"{"team":{"id":true},"id":"8"}"#,
    ])
    func `a part that is missing, ambiguous or an address signs no user in`(userinfo: String) async throws {
        let error = await failure {
            try await Self.identity(userinfo, #"{"claims":{"subject":{"join":["/team/id","/id"]}}}"#)
        }
        #expect(error?.step == .readProfile, "\(String(describing: error))")
    }

    @Test func `no two pairs of ids make one subject`() async throws {
        let parts = ["1", "1:", ":1", "1:1", ":", "1:1:1"]
        var subjects: [String] = []
        for first in parts {
            for second in parts {
                let userinfo: JSONValue = ["a": .string(first), "b": .string(second)]
                let identity = try? await Self.identity(
                    userinfo.serialized(), #"{"claims":{"subject":{"join":["/a","/b"]}}}"#)
                if let identity { subjects.append(identity.subject) }
            }
        }
        #expect(subjects.count == parts.count && Set(subjects).count == subjects.count)
    }

    @Test(arguments: [
        (#"{"union":"5","id":"6"}"#, "union:5"), (#"{"id":"5"}"#, "open:5"), (#"{"union":null,"id":5}"#, "open:5"),
    ])
    func `ids of two places are told apart by the name of their place`(userinfo: String, subject: String) async throws {
        let identity = try await Self.identity(
            userinfo, #"{"claims":{"subject":["/union","/id"]},"subjectNamespace":["union","open"]}"#)
        #expect(identity.subject == subject)
    }

    @Test func `ids of one namespace are taken as they are`() async throws {
        let identity = try await Self.identity(
            #"{"id":"5"}"#, #"{"claims":{"subject":["/sub","/id"]},"subjectNamespace":"shared"}"#)
        #expect(identity.subject == "5")
    }

    @Test(arguments: [
        #"{"ok":false,"team":{"id":"T1"},"id":"1"}"#, #"{"ok":true,"team":{"id":"T2"},"id":"1"}"#,
        #"{"ok":true,"id":"1"}"#, #"{"team":{"id":"T1"},"id":"1"}"#, #"{"ok":"true","team":{"id":"T1"},"id":"1"}"#,
        #"{"ok":1,"team":{"id":"T1"},"id":"1"}"#, #"{"ok":true,"team":{"id":"t1"},"id":"1"}"#,
        #"{"ok":true,"team":{"id":["T1"]},"id":"1"}"#, #"{"ok":true,"team":[{"id":"T1"}],"id":"1"}"#,
    ])
    func `a profile without the required values signs no user in`(userinfo: String) async throws {
        let error = await failure { try await Self.identity(userinfo, Self.required) }
        #expect(error?.fault == .credential && error?.step == .readProfile, "\(String(describing: error))")
        #expect(error?.reason.contains("T2") == false)
    }

    @Test func `a profile with the required values signs its user in`() async throws {
        let identity = try await Self.identity(#"{"ok":true,"team":{"id":"T1"},"id":"1"}"#, Self.required)
        #expect(identity.subject == "1")
    }

    private static let required = #"{"claims":{"subject":"/id"},"requiredClaims":{"/ok":true,"/team/id":"T1"}}"#

    @Test(arguments: [(true, true), (false, false)])
    func `an address without a verification counts where the entry trusts it`(trusts: Bool, isVerified: Bool)
        async throws
    {
        let identity = try await Self.identity(
            #"{"team":"T1","id":"1","email":"a@example.com"}"#,
            #"{"claims":{"subject":"/id","email":"/email"},"requiredClaims":{"/team":"T1"},"#
                + #""trustUnverifiedEmails":\#(trusts)}"#)
        #expect(identity.email == .init("a@example.com", isVerified: isVerified))
    }
}
