import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker apple client-secret", .timeLimit(.minutes(20)))
struct AppleClientSecretTests {
    @Test func `the client secret of each client is accepted, and its signature not printed`() async throws {
        try await Installation.runWithApple { broker, apple in
            for clientID in [apple.defaultApplication.clientID, apple.nativeApplication.clientID] {
                let file = "secret-\(clientID).txt"
                let made = try await broker.document(
                    "apple", "client-secret", "--verify", "--client", clientID, "--output", file)
                let secret = try broker.folder.text(of: file).trimmingCharacters(in: .newlines)
                let read = try await broker.command("apple", "client-secret", "--verify", "--secret", file)

                #expect(made["accepted"] == true && made["findings"] == [])
                #expect(made["header"]?["kid"]?.string == apple.key.keyID && made["header"]?["alg"] == "ES256")
                #expect(made["claims"]?["iss"]?.string == apple.teamID)
                #expect(made["claims"]?["sub"]?.string == clientID && made["claims"]?["aud"]?.string == apple.url)
                #expect(read.exitCode == 0 && read.output.contains("✓ Apple accepts"), "\(read)")
                #expect(try broker.folder.permissions(of: file) == 0o600)
                let signature = try #require(secret.split(separator: ".").last)
                #expect(!read.everything.contains(signature) && !made.serialized().contains(signature))
            }
            #expect(apple.clientRefusals == [])
        }
    }

    @Test(arguments: InvalidClientCause.all)
    func `every cause of invalid_client is named`(cause: InvalidClientCause) async throws {
        try await Installation.runWithApple { broker, apple in
            try cause.arrange(broker, apple)
            var arguments = ["apple", "client-secret", "--verify", "--json"]
            let secret = try cause.secret(apple)
            if secret != nil { arguments += ["--secret", "-"] }
            let result = try await CommandResult.broker(arguments, input: secret ?? "", in: broker.folder)

            let document = try JSONValue(parsing: result.output)
            let codes = document["findings"]?.array?.map { $0["code"]?.string ?? "" }
            #expect(result.exitCode == 1, "\(result)")
            #expect(codes == [cause.code], "\(result)")
            #expect(document["accepted"] == false, "the simulator accepts it: \(result)")
            #expect(!apple.clientRefusals.isEmpty)
            #expect(document["findings"]?.array?.first?["fix"]?.string?.isEmpty == false)
            let key = apple.key.pem.split(separator: "\n")[1]
            #expect(!result.everything.contains(key))
            if let signature = secret?.split(separator: ".").last { #expect(!result.everything.contains(signature)) }
        }
    }

    @Test(arguments: ["", "a.b", "eyJhbGciOiJFUzI1NiJ9.e30"])
    func `a text that is no token is refused without asking Apple`(text: String) async throws {
        try await Installation.runWithApple { broker, apple in
            let result = try await broker.command(
                "apple", "client-secret", "--verify", "--secret", "-", "--json", input: text)

            #expect(result.exitCode == (text.isEmpty ? 64 : 1), "\(result)")
            #expect(["INVALID_TOKEN", "not-a-token"].contains(result.errorCode), "\(result)")
            #expect(apple.hits(.token) == 0)
        }
    }

    @Test func `an outage of Apple is no verdict on the key`() async throws {
        try await Installation.runWithApple { broker, apple in
            apple.fail(.token, with: .status(503))
            let document = try await broker.document("apple", "client-secret", "--verify", exitCode: 1)

            #expect(document["accepted"] == nil)
            #expect(document["findings"]?.array?.map { $0["code"] } == ["provider-unavailable"])
        }
    }
}

/// A reason for which Apple answers `invalid_client`.
struct InvalidClientCause: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The finding that explains it.
    let code: String
    /// Changes Apple or the entry.
    var arrange: @Sendable (Installation, AppleSimulator) throws -> Void = { _, _ in }
    /// The client secret to inspect; the broker makes one when it is absent.
    var secret: @Sendable (AppleSimulator) throws -> String? = { _ in nil }

    static let all =
        [
            names("key id and team id swapped in the client secret", "ids-swapped") {
                ($0.teamID, ["iss": .string($0.key.keyID)])
            },
            names("another key id", "wrong-key-id") { _ in ("AAAAAAAAAA", [:]) },
            names("another team", "wrong-team") { ($0.key.keyID, ["iss": "BBBBBBBBBB"]) },
            names("sub is another client", "wrong-client") { ($0.key.keyID, ["sub": "com.example.other"]) },
            names("aud with a slash", "audience-slash") { ($0.key.keyID, ["aud": .string($0.url + "/")]) },
            names("aud of another server", "wrong-audience") { ($0.key.keyID, ["aud": "https://apple.com"]) },
            names("aud as a list", "wrong-audience") { ($0.key.keyID, ["aud": [.string($0.url)]]) },
            names("expired", "expired") { ($0.key.keyID, ["iat": .integer(now - 900), "exp": .integer(now - 300)]) },
            names("made in the future", "issued-in-future") {
                ($0.key.keyID, ["iat": .integer(now + 600), "exp": .integer(now + 900)])
            },
            names("lives longer than half a year", "lives-too-long") {
                ($0.key.keyID, ["exp": .integer(now + 15_777_100)])
            },
            names("without exp", "times-missing") { ($0.key.keyID, ["exp": .null]) },
        ] + signatures + arrangements

    private static let signatures = [
        InvalidClientCause(
            testDescription: "DER in place of a raw signature", code: "signature-der",
            secret: { apple in
                let raw = try token(apple, keyID: apple.key.keyID, [:])
                let dot = try #require(raw.lastIndex(of: "."))
                let signature = try P256.Signing.PrivateKey(pemRepresentation: apple.key.pem)
                    .signature(for: SHA256.hash(data: Data(raw[..<dot].utf8)))
                return raw[...dot] + Base64URL.encode(Array(signature.derRepresentation))
            }),
        InvalidClientCause(
            testDescription: "signed with another key", code: "wrong-signature",
            secret: { apple in
                try token(apple, keyID: apple.key.keyID, [:], signedBy: .generate(.es256))
            }),
        InvalidClientCause(
            testDescription: "signed with RS256", code: "wrong-algorithm",
            secret: { apple in
                try token(apple, keyID: apple.key.keyID, [:], signedBy: .generate(.rs256))
            }),
    ]

    private static let arrangements = [
        InvalidClientCause(
            testDescription: "key id and team id swapped in the entry", code: "ids-swapped",
            arrange: { broker, apple in
                try broker.offer(apple, ["keyId": .string(apple.teamID), "teamId": .string(apple.key.keyID)])
            }),
        InvalidClientCause(
            testDescription: "a revoked key", code: "key-refused", arrange: { $1.revoke(keyID: $1.key.keyID) }),
        InvalidClientCause(
            testDescription: "a key of another App ID's group", code: "client-not-grouped",
            arrange: { broker, apple in
                let key = apple.register(AppleSimulator.Key(primaryAppID: apple.nativeApplication.clientID))
                try broker.offer(apple, ["keyId": .string(key.keyID), "privateKey": .string(key.pem)])
            }),
        InvalidClientCause(
            testDescription: "this host's clock is behind", code: "clock-skew",
            arrange: { $1.clock.advance(by: .seconds(600)) }),
        InvalidClientCause(
            testDescription: "this host's clock is ahead", code: "clock-skew",
            arrange: { $1.clock.advance(by: .seconds(-600)) }),
    ]

    /// A secret with other names or claims; `null` leaves a claim out.
    private static func names(
        _ name: String, _ code: String, _ change: @escaping @Sendable (AppleSimulator) -> (String, JSONObject)
    ) -> InvalidClientCause {
        InvalidClientCause(
            testDescription: name, code: code,
            secret: { apple in
                let (keyID, claims) = change(apple)
                return try token(apple, keyID: keyID, claims)
            })
    }

    private static func token(
        _ apple: AppleSimulator, keyID: String, _ changes: JSONObject, signedBy key: PrivateSigningKey? = nil
    ) throws -> String {
        var claims: JSONObject = [
            "iss": .string(apple.teamID), "sub": .string(apple.defaultApplication.clientID), "aud": .string(apple.url),
            "iat": .integer(now), "exp": .integer(now + 300),
        ]
        for (name, value) in changes { claims[name] = value.isNull ? Optional.none : value }
        let own = PrivateSigningKey.es256(try P256.Signing.PrivateKey(pemRepresentation: apple.key.pem))
        return try TokenSigner(keyID: keyID, key: key ?? own).token(claims: claims)
    }

    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }
}
