import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker keys", .timeLimit(.minutes(20)))
struct KeysCommandTests {
    @Test func `a scheduled rotation shows what will happen when, and a second one waits`() async throws {
        try await Installation.run { broker in
            let before = try await broker.document("keys", "list")
            let after = try await broker.document("keys", "rotate", "--algorithm", "ES256")
            let second = try await broker.command("keys", "rotate", "--algorithm", "ES256", "--json")
            let listed = try await broker.document("keys", "list")

            #expect(Set(before["keys"]?.array?.map { $0["state"]?.string } ?? []) == ["active"])
            #expect(Set(before["keys"]?.array?.map { $0["algorithm"]?.string } ?? []) == ["ES256", "RS256"])
            for family in ["identity-toolkit", "oidc"] {
                let pair = after["keys"]?.array?.filter { $0["algorithm"] == "ES256" && $0["family"]?.string == family }
                #expect(pair?.map { $0["state"] } == ["active", "next"], "\(family)")
            }
            let ours = after["keys"]?.array?.filter { $0["algorithm"] == "ES256" } ?? []
            #expect(ours.first?["retiresAt"] == ours.last?["activatesAt"])
            #expect(ours.first?["publishedUntil"]?.string != nil)
            #expect(second.exitCode == 1 && second.errorCode == "ROTATION_PENDING", "\(second)")
            #expect(listed == after)
        }
    }

    @Test func `one family's keys rotate alone`() async throws {
        try await Installation.run { broker in
            let after = try await broker.document("keys", "rotate", "--family", "oidc", "--now")
            let other = try await broker.document("keys", "list", "--family", "identity-toolkit")

            let states = after["keys"]?.array?.map { $0["state"]?.string ?? "" } ?? []
            #expect(states.sorted() == ["active", "active", "retired", "retired"])
            #expect(after["keys"]?.array?.allSatisfy { $0["family"] == "oidc" } == true)
            #expect(other["keys"]?.array?.map { $0["state"] } == ["active", "active"])
        }
    }

    @Test func `a running broker follows at once when it meets a key it does not know`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try await broker.serve { _, client in
                let session = try IdentityToolkitApp.Session(try await client.signUp())
                let rotated = try await broker.document(
                    "keys", "rotate", "--algorithm", "ES256", "--now", "--revoke", "--yes")
                let active = try #require(
                    rotated["keys"]?.array?.first { $0["algorithm"] == "ES256" && $0["state"] == "active" }?["keyId"])
                let unknown = try TokenSigner(keyID: randomText(), key: .generate(.es256)).token(claims: [:])

                #expect(try await client.lookup(unknown).errorCode == "INVALID_ID_TOKEN")

                let published = try await client.get("/my-app/.well-known/jwks.json").body["keys"]?.array
                #expect(published?.filter { $0["kty"] == "EC" }.map { $0["kid"] } == [active])
                #expect(try await client.lookup(session.idToken).errorCode == "INVALID_ID_TOKEN")
                let refreshed = try await client.refresh(session.refreshToken)
                let token = try #require(refreshed.body["id_token"]?.string, "\(refreshed)")
                #expect(try CompactJWS(parsing: token).header.keyID == active.string)
                #expect(try await client.lookup(token).status == 200)
            }
        }
    }

    @Test(arguments: [["--revoke"], ["--algorithm", "HS256"]])
    func `a rotation that makes no sense is wrong usage`(arguments: [String]) async throws {
        try await Installation.run { broker in
            let result = try await CommandResult.broker(["keys", "rotate"] + arguments, in: broker.folder)

            #expect(result.exitCode == 64, "\(result)")
        }
    }
}
