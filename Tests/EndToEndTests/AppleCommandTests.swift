import Crypto
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker apple key, exchange and revoke", .timeLimit(.minutes(20)))
struct AppleCommandTests {
    private static let file = "keys/AuthKey.p8"

    @Test func `an imported key is written for its owner only, and never printed`() async throws {
        try await Installation.runWithApple(keyFile: Self.file) { broker, apple in
            try broker.folder.write(apple.key.pem, to: "AuthKey_\(apple.key.keyID).p8")
            let imported = try await broker.document("apple", "key", "import", "AuthKey_\(apple.key.keyID).p8")
            let again = try await broker.command("apple", "key", "import", "-", input: apple.key.pem)
            let shown = try await broker.document("apple", "key", "show")
            let verified = try await broker.command("apple", "client-secret", "--verify")

            #expect(try broker.folder.permissions(of: Self.file) == 0o600)
            #expect(try broker.folder.text(of: Self.file).contains("PRIVATE KEY"))
            #expect(imported["configured"] == true && imported["keyId"]?.string == apple.key.keyID)
            #expect(shown["keyId"]?.string == apple.key.keyID && shown["teamId"]?.string == apple.teamID)
            #expect(shown["thumbprint"] == imported["thumbprint"])
            #expect(again.exitCode == 0 && again.output.contains("Already imported"), "\(again)")
            #expect(again.output.contains("downloaded once"))
            #expect(verified.exitCode == 0, "\(verified)")
            let secret = apple.key.pem.split(separator: "\n")[1]
            for text in [again.everything, verified.everything, imported.serialized(), shown.serialized()] {
                #expect(!text.contains(secret))
            }
        }
    }

    @Test func `a file that holds another key is replaced only when asked`() async throws {
        try await Installation.runWithApple(keyFile: Self.file) { broker, apple in
            let other = P256.Signing.PrivateKey().pemRepresentation
            _ = try await broker.command("apple", "key", "import", "-", input: other)
            let refused = try await broker.command("apple", "key", "import", "-", "--json", input: apple.key.pem)
            let kept = try broker.folder.text(of: Self.file)
            let replaced = try await broker.command(
                "apple", "key", "import", "-", "--replace", "--yes", input: apple.key.pem)

            #expect(refused.exitCode == 1 && refused.errorCode == "FILE_EXISTS", "\(refused)")
            #expect(kept.contains(other.split(separator: "\n")[1]))
            #expect(replaced.exitCode == 0, "\(replaced)")
            #expect(try broker.folder.permissions(of: Self.file) == 0o600)
            #expect(try broker.folder.names().filter { $0.contains("AuthKey") } == [])
        }
    }

    @Test func `a key with a new id gets a file of its own, and the settings are shown together`() async throws {
        try await Installation.runWithApple(keyFile: Self.file) { broker, apple in
            _ = try await broker.command("apple", "key", "import", "-", input: apple.key.pem)
            let next = apple.register(AppleSimulator.Key())
            try broker.folder.write(next.pem, to: "AuthKey_\(next.keyID).p8")
            let imported = try await broker.document("apple", "key", "import", "AuthKey_\(next.keyID).p8")
            let current = try await broker.document("apple", "key", "show")
            try broker.offer(
                apple,
                [
                    "keyId": .string(imported["settings"]?["keyId"]?.string ?? ""),
                    "privateKey": imported["settings"]?["privateKey"] ?? .null,
                ])
            let verified = try await broker.command("apple", "client-secret", "--verify")

            #expect(imported["configured"] == false)
            #expect(imported["settings"]?["privateKey"]?["file"]?.string == "keys/AuthKey_\(next.keyID).p8")
            #expect(current["keyId"]?.string == apple.key.keyID)
            #expect(verified.exitCode == 0 && verified.output.contains(next.keyID), "\(verified)")
        }
    }

    @Test(arguments: WrongFile.all)
    func `a file that is no P-256 private key is refused, and nothing is written`(file: WrongFile) async throws {
        try await Installation.runWithApple(keyFile: Self.file) { broker, _ in
            let result = try await broker.command("apple", "key", "import", "-", "--json", input: file.text)

            #expect(result.exitCode == 64 && result.errorCode == "INVALID_KEY", "\(result)")
            #expect(result.errors.contains(file.says), "\(result)")
            #expect(!FileManager.default.fileExists(atPath: broker.folder.file(Self.file)))
        }
    }

    @Test func `a code is exchanged once, and its refresh token revoked for the client that has it`() async throws {
        try await Installation.runWithApple { broker, simulator in
            let ada = try #require(simulator.person(givenName: "Ada"))
            let app = simulator.nativeApplication
            let native = simulator.nativeCredential(for: ada, application: app, rawNonce: "raw")
            let client = ["--client", app.clientID]
            func apple(_ arguments: [String], _ input: String) async throws -> CommandResult {
                try await .broker(["apple"] + arguments + ["--json"] + client, input: input, in: broker.folder)
            }
            let answer = try await apple(["exchange", "--output", "refresh.txt"], native.authorizationCode)
            let used = try await apple(["exchange"], native.authorizationCode)
            let token = try broker.folder.text(of: "refresh.txt").trimmingCharacters(in: .newlines)
            let foreign = try await broker.command("apple", "revoke", "--yes", "--json", input: token)
            let isLive = simulator.isLive(token: token)
            let revoked = try await apple(["revoke", "--yes"], token)

            let document = try JSONValue(parsing: answer.output)
            #expect(document["subject"]?.string?.isEmpty == false && document["clientId"]?.string == app.clientID)
            #expect(document["refreshToken"] == "•••" && document["accessToken"] == "•••", "\(answer)")
            #expect(try broker.folder.permissions(of: "refresh.txt") == 0o600)
            #expect(used.exitCode == 1 && used.errors.contains("invalid_grant"), "\(used)")
            #expect(foreign.exitCode == 1 && foreign.errorCode == "TOKEN_NOT_VALID" && isLive, "\(foreign)")
            #expect(revoked.exitCode == 0 && !simulator.isLive(token: token), "\(revoked)")
            for result in [answer, used, foreign, revoked] {
                #expect(!result.everything.contains(token))
                #expect(!result.everything.contains(native.authorizationCode))
            }
        }
    }
}

/// A file that an operator may take for the key.
struct WrongFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let says: String

    static let all = [
        WrongFile(
            testDescription: "a key on another curve", text: P384.Signing.PrivateKey().pemRepresentation,
            says: "another curve"),
        WrongFile(
            testDescription: "an RSA key",
            text: "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----", says: "RSA key"),
        WrongFile(
            testDescription: "the public key", text: P256.Signing.PrivateKey().publicKey.pemRepresentation,
            says: "public key"),
        WrongFile(
            testDescription: "a certificate", text: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
            says: "certificate"),
        WrongFile(
            testDescription: "an encrypted key",
            text: "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----",
            says: "encrypted"),
        WrongFile(
            testDescription: "a damaged key",
            text: P256.Signing.PrivateKey().pemRepresentation.replacing("M", with: "N"), says: "damaged"),
        WrongFile(testDescription: "a provisioning profile", text: "MIIDXTCCAkWgAwIBAgIJ", says: "BEGIN PRIVATE KEY"),
    ]
}
