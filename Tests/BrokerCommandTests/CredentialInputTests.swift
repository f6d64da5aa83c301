import ArgumentParser
import Foundation
import ProviderKit
import Testing

@testable import BrokerCommand

@Suite("A credential in a file")
struct CredentialInputTests {
    /// What comes of a file with this text.
    private func read(_ text: String) throws -> Credential {
        let parent =
            ProcessInfo.processInfo.environment["TESTS_TMP"] ?? FileManager.default.temporaryDirectory.path
        let path = "\(parent)/credential-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try CredentialInput.read(path)
    }

    @Test(arguments: ["gho_abc", "gho_abc\n", "  gho_abc\r\n\n"])
    func `a bare token is an access token, whatever white space an editor left around it`(text: String) throws {
        let credential = try read(text)

        guard case .accessToken("gho_abc") = credential.proof else {
            Issue.record("\(credential.kind) instead of the access token")
            return
        }
    }

    @Test(arguments: [
        (#"{"accessToken":"a"}"#, Credential.Kind.accessToken),
        (#"{"idToken":"i"}"#, .idToken),
        (#"{"idToken":"i","nonce":"n","accessToken":"a"}"#, .idToken),
        (#"{"code":"c","redirectUri":"https://app.example/callback"}"#, .authorizationCode),
        (#" {"code":"c","redirectUri":"https://a.example/","codeVerifier":"v","idToken":"i"} "#, .idToken),
    ])
    func `JSON selects the kind, with the strongest one first`(text: String, kind: Credential.Kind) throws {
        #expect(try read(text).kind == kind)
    }

    @Test func `every field of a code reaches the credential`() throws {
        let credential = try read(
            #"{"code":"c","redirectUri":"https://app.example/callback","codeVerifier":"v","nonce":"n"}"#)

        guard case .authorizationCode(let code) = credential.proof else {
            Issue.record("\(credential.kind) instead of a code")
            return
        }
        #expect(code.code == "c")
        #expect(code.redirectURI == "https://app.example/callback")
        #expect(code.verifier == "v")
        #expect(code.expectedNonce == "n")
    }

    @Test func `every field of an ID token reaches the credential`() throws {
        let credential = try read(
            #"{"idToken":"i","nonce":"n","accessToken":"a","code":"c","user":{"name":{"firstName":"A","lastName":"B"}}}"#
        )
        #expect(credential.firstTimeProfile == .init(givenName: "A", familyName: "B"))

        guard case .idToken(let token) = credential.proof else {
            Issue.record("\(credential.kind) instead of an ID token")
            return
        }
        #expect(token.token == "i")
        #expect(token.rawNonce == "n")
        #expect(token.accessToken == "a")
        #expect(token.authorizationCode == "c")
    }

    @Test(arguments: [
        "", " \n", "two tokens", "tök", "{", "{}", #"{"nonce":"n"}"#, #"{"code":"hidden-code"}"#,
        #"{"accessToken":["hidden-token"]}"#, #"{"accesToken":"hidden-token"}"#, #"{"accessToken":"hidden-token",}"#,
        #"{"accessToken":"hidden-token","accessToken":"hidden-token"}"#, #"{"accessToken":null}"#,
        #"{"hidden-token":true}"#, #"{"accessToken":"hidden-token"} x"#,
        String(repeating: "x", count: (64 << 10) + 1),
    ])
    func `what is no credential is refused as wrong usage, without repeating it`(text: String) throws {
        let failure = #expect(throws: CommandFailure.self) { try read(text) }

        #expect(failure?.code == "INVALID_CREDENTIAL")
        #expect(failure?.exitCode == .validationFailure)
        #expect(failure?.message.contains("hidden") == false)
    }

    @Test func `the largest credential that is taken has 64 KiB`() throws {
        let token = String(repeating: "x", count: 64 << 10)

        guard case .accessToken(token) = try read(token).proof else {
            Issue.record("the token did not come through")
            return
        }
    }

    @Test func `a file that is not there is refused`() {
        let failure = #expect(throws: CommandFailure.self) {
            try CredentialInput.read("/nonexistent/\(UUID().uuidString)")
        }

        #expect(failure?.code == "INVALID_CREDENTIAL")
    }
}
