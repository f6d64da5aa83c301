import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker token inspect", .timeLimit(.minutes(20)))
struct TokenCommandTests {
    @Test func `a valid token is described but not printed, and after its session the reason is shown`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let session = try await broker.session(of: "ada", at: client)
                try broker.folder.write(session.idToken, to: "token.txt")

                let good = try await broker.command("token", "inspect", "--file", "token.txt", "--json")
                let text = try await broker.command("token", "inspect", input: session.idToken + "\n")
                _ = try await broker.document("sessions", "revoke", "--user", session.localID, "--all", "--yes")
                let over = try await broker.document("token", "inspect", input: session.idToken, exitCode: 1)

                let report = try JSONValue(parsing: good.output)
                #expect(good.exitCode == 0 && text.exitCode == 0, "\(good)\n\(text)")
                #expect(report["header"]?["alg"] == "ES256" && report["header"]?["kid"]?.string != nil)
                #expect(report["claims"]?["sub"]?.string == session.localID)
                #expect(report["signature"] == "ours" && report["session"] == "live" && report["counts"] == true)
                let signature = try #require(session.idToken.split(separator: ".").last)
                for result in [good, text] { #expect(!result.everything.contains(signature)) }
                #expect(over["signature"] == "ours" && over["session"] == "revoked" && over["counts"] == false)
                #expect(over["refusal"] == "TOKEN_EXPIRED")
            }
        }
    }

    @Test func `signatures of a revoked key, of an unknown key and forged ones have different results`() async throws {
        try await Installation.run(anonymousSignIn: true) { broker in
            try await broker.serve { _, client in
                let token = try IdentityToolkitApp.Session(try await client.signUp()).idToken
                let keyID = try #require(CompactJWS(parsing: token).header.keyID)
                let claims: JSONObject = ["sub": "mallory"]
                let forged = try TokenSigner(keyID: keyID, key: .generate(.es256)).token(claims: claims)
                let foreign = try TokenSigner(keyID: "another", key: .generate(.es256)).token(claims: claims)

                let reports = [
                    try await broker.document("token", "inspect", input: forged, exitCode: 1),
                    try await broker.document("token", "inspect", input: foreign, exitCode: 1),
                ]
                _ = try await broker.document("keys", "rotate", "--algorithm", "ES256", "--now", "--revoke", "--yes")
                let withdrawn = try await broker.document("token", "inspect", input: token, exitCode: 1)

                #expect(reports.map { $0["signature"] } == ["forged", "unknown-key"])
                #expect(withdrawn["signature"] == "withdrawn-key")
                for report in reports + [withdrawn] { #expect(report["refusal"] == "INVALID_ID_TOKEN") }
                #expect(reports.allSatisfy { $0["claims"]?["sub"] == "mallory" && $0["session"] == nil })
            }
        }
    }

    @Test(arguments: ["", "no token", "a.b.c"])
    func `what is no token is exit code 64`(input: String) async throws {
        try await Installation.run { broker in
            let result = try await broker.command("token", "inspect", "--json", input: input)

            #expect(result.exitCode == 64 && result.errorCode == "INVALID_TOKEN", "\(result)")
        }
    }
}
