import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker users create, find, update and claims", .timeLimit(.minutes(20)))
struct UserChangesCommandTests {
    @Test func `a created user is found, and a sign-in with the same verified address leads to it`() async throws {
        try await Installation.run { broker in
            let created = try await broker.document(
                "users", "create", "--id", "emp-4711", "--email", "Ada@Example.com", "--email-verified",
                "--display-name", "Ada E.")
            let signedIn = try await broker.document(
                "link", "--provider", "github", "--user", "emp-4711", "--yes", input: broker.accessToken("ada"))
            let subject = String(try broker.person("ada").id)
            let byAddress = try await broker.document("users", "find", "--email", "ADA@example.com")
            let byIdentity = try await broker.document("users", "find", "--identity", "github.com:\(subject)")
            let both = try await broker.document(
                "users", "find", "--id", "emp-4711", "--id", "none", "--email", "x@y.z")
            let none = try await broker.command("users", "find", "--id", "none")

            #expect(created["localId"] == "emp-4711" && created["email"] == "ada@example.com")
            #expect(created["emailVerified"] == true && created["displayName"] == "Ada E.")
            #expect(signedIn["localId"] == "emp-4711", "\(signedIn)")
            for found in [byAddress, byIdentity, both] {
                #expect(found["users"]?.array?.map { $0["localId"] } == ["emp-4711"], "\(found)")
            }
            #expect(none.exitCode == 1 && none.output.contains("No users."), "\(none)")
        }
    }

    @Test func `what is not given stays, an empty text removes`() async throws {
        try await Installation.run { broker in
            _ = try await broker.document(
                "users", "create", "--id", "a", "--email", "a@example.com", "--display-name", "A")
            let verified = try await broker.document("users", "update", "a", "--email-verified")
            let moved = try await broker.document("users", "update", "a@example.com", "--email", "b@example.com")
            let bare = try await broker.document("users", "update", "a", "--email", "", "--display-name", "")
            let unchanged = try await broker.command("users", "update", "a")

            #expect(verified["emailVerified"] == true && verified["displayName"] == "A")
            #expect(moved["email"] == "b@example.com" && moved["emailVerified"] == false, "\(moved)")
            #expect(bare["email"] == nil && bare["displayName"] == nil, "\(bare)")
            #expect(unchanged.exitCode == 64, "\(unchanged)")
        }
    }

    @Test func `claims are shown, replaced and removed, and reach the next ID token`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID
                let set = try await broker.document("users", "claims", ada, "--set", #"{"role":"editor","level":2}"#)
                let shown = try await broker.document("users", "claims", "ada@example.com")
                let token = try await broker.session(of: "ada", at: client).idToken
                let inspected = try await CommandResult.broker(
                    ["token", "inspect", "--json"], input: token, in: broker.folder)
                let cleared = try await broker.document("users", "claims", ada, "--clear")
                let reserved = try await broker.command("users", "claims", ada, "--set", #"{"sub":"x"}"#, "--json")
                let text = try await broker.command("users", "claims", ada, "--set", "editor", "--json")

                #expect(set["claims"] == ["role": "editor", "level": 2] && shown == set)
                #expect(try JSONValue(parsing: inspected.output)["claims"]?["role"] == "editor", "\(inspected)")
                #expect(cleared["claims"] == [:])
                #expect(reserved.exitCode == 1 && reserved.errorCode == "FORBIDDEN_CLAIM", "\(reserved)")
                #expect(text.exitCode == 64 && text.errorCode == "INVALID_CLAIMS", "\(text)")
            }
        }
    }

    @Test func `what cannot be is refused, and nothing is written`() async throws {
        try await Installation.run { broker in
            _ = try await broker.document("users", "create", "--id", "a", "--email", "a@example.com")
            let refused: [([String], String)] = [
                (["users", "create", "--id", "a"], "DUPLICATE_LOCAL_ID"),
                (["users", "create", "--email", "A@example.com"], "EMAIL_EXISTS"),
                (["users", "create", "--email", "no address"], "INVALID_EMAIL"),
                (["users", "create", "--photo-url", "ftp://example.com/a.png"], "INVALID_PHOTO_URL"),
                (["users", "update", "nobody", "--email-verified"], "USER_NOT_FOUND"),
                (["users", "update", "a", "--email", "no address"], "INVALID_EMAIL"),
            ]

            for (command, code) in refused {
                let result = try await CommandResult.broker(command + ["--json"], in: broker.folder)
                #expect(result.errorCode == code, "\(command)\n\(result)")
            }
            let users = try await broker.document("users", "list")["users"]?.array
            #expect(users?.count == 1 && users?.first?["email"] == "a@example.com")
        }
    }
}
