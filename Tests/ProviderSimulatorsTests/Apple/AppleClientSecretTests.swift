import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple simulator: client secrets")
struct AppleClientSecretTests {
    static let now = Int64(Date.epoch.timeIntervalSince1970)

    static func refusal(_ apple: AppleSimulator, secret: String) async throws -> AppleSimulator.ClientRefusal? {
        let answer = try await apple.redeem(try apple.code(), secret: secret)
        #expect(answer.status == 400)
        // Apple does not say why.
        #expect(answer.text == #"{"error":"invalid_client"}"#)
        return apple.clientRefusals.last
    }

    @Test(
        arguments: [
            (["iss": "ZZZZZZZZZZ"], .wrongIssuer), (["iss": nil], .wrongIssuer),
            (["aud": "https://appleid.apple.com/"], .wrongAudience), (["aud": "https://example.com"], .wrongAudience),
            (["aud": ["https://appleid.apple.com"]], .wrongAudience), (["sub": "com.example.other"], .wrongSubject),
            (["exp": .integer(now)], .expired), (["exp": nil], .expired), (["iat": .integer(now + 61)], .notYetValid),
            (["iat": nil], .notYetValid), (["exp": .integer(now + 15_777_001)], .livesTooLong),
            (["iat": .integer(now - 15_777_000), "exp": .integer(now + 1)], .livesTooLong),
        ] as [(JSONObject, AppleSimulator.ClientRefusal)])
    func `a wrong claim refuses the client`(
        claims: JSONObject, expected: AppleSimulator.ClientRefusal
    ) async throws {
        try await AppleSimulator.running { apple in
            let secret = try apple.secret(claims: claims)

            #expect(try await Self.refusal(apple, secret: secret) == expected)
        }
    }

    @Test func `half a year is not too long, and the simulator's own address is an audience`() async throws {
        try await AppleSimulator.running { apple in
            let long = try apple.secret(claims: ["exp": .integer(Self.now + 15_777_000)])
            let own = try apple.secret(claims: ["aud": .string(apple.url)])

            #expect(try await apple.redeem(try apple.code(), secret: long).status == 200)
            #expect(try await apple.redeem(try apple.code(), secret: own).status == 200)
        }
    }

    @Test func `only registered, living keys sign`() async throws {
        try await AppleSimulator.running { apple in
            let stranger = AppleSimulator.Key(teamID: apple.teamID)
            let impostor = AppleSimulator.Key(keyID: apple.key.keyID, teamID: apple.teamID)
            let second = apple.register(AppleSimulator.Key())

            let unknown = try await Self.refusal(apple, secret: try apple.secret(key: stranger))
            let forged = try await Self.refusal(apple, secret: try apple.secret(key: impostor))
            let rotated = try await apple.redeem(try apple.code(), secret: try apple.secret(key: second))
            apple.revoke(keyID: apple.key.keyID)
            let revoked = try await Self.refusal(apple, secret: try apple.secret())

            #expect(unknown == .unknownKey && forged == .wrongSignature && revoked == .revokedKey)
            #expect(rotated.status == 200)
        }
    }

    @Test func `a key of another team or another group does not speak for the client`() async throws {
        try await AppleSimulator.running { apple in
            let other = apple.register(AppleSimulator.Key(teamID: "OTHERTEAM1"))
            let grouped = apple.register(AppleSimulator.Key(primaryAppID: "com.example.primary"))
            let member = apple.register(
                AppleSimulator.Application(primaryAppID: "com.example.primary"))

            let otherTeam = try await Self.refusal(apple, secret: try apple.secret(key: other))
            let otherGroup = try await Self.refusal(apple, secret: try apple.secret(key: grouped))
            let code = apple.authorizationCode(for: try apple.ada, application: member)
            let fitting = try await apple.redeem(
                code, as: member, secret: try apple.secret(for: member, key: grouped))

            #expect(otherTeam == .otherTeamsClient && otherGroup == .otherGroupsClient)
            #expect(fitting.status == 200)
        }
    }

    @Test func `what is no signed token of the right kind is refused`() async throws {
        try await AppleSimulator.running { apple in
            let header = Base64URL.encode(Array(#"{"alg":"none","kid":"\#(apple.key.keyID)"}"#.utf8))
            let good = try apple.secret().split(separator: ".")
            let other = try apple.secret(claims: ["jti": "other"]).split(separator: ".")
            let cases: [(String, AppleSimulator.ClientRefusal)] = [
                ("secret", .notAToken), ("\(header).\(good[1]).", .wrongAlgorithm),
                ("\(good[0]).\(good[1]).\(other[2])", .wrongSignature),
            ]
            for (secret, expected) in cases {
                #expect(try await Self.refusal(apple, secret: secret) == expected)
            }
            let missing = try await WebClient.post(
                apple.url + "/auth/token",
                ["client_id": apple.defaultApplication.clientID, "grant_type": "authorization_code", "code": "c"])
            #expect(try missing.string("error") == "invalid_client")
            #expect(apple.clientRefusals.last == .noSecret)
        }
    }

    @Test func `an unknown client is refused`() async throws {
        try await AppleSimulator.running { apple in
            let unknown = AppleSimulator.Application(clientID: "com.example.unknown", teamID: apple.teamID)

            let answer = try await apple.redeem(try apple.code(), as: unknown)

            #expect(try answer.string("error") == "invalid_client")
            #expect(apple.clientRefusals.last == .unknownClient)
        }
    }

    @Test func `a key may be registered by its public half, as PEM or as a JSON Web Key`() async throws {
        try await AppleSimulator.running { apple in
            let (one, two) = (AppleSimulator.Key(teamID: apple.teamID), AppleSimulator.Key(teamID: apple.teamID))
            let pem = try P256.Signing.PrivateKey(pemRepresentation: one.pem).publicKey.pemRepresentation
            let jwk = try ClientAssertion.Key(pem: Secret(two.pem), keyID: nil, algorithm: .es256).publicJWK()

            try apple.register(publicKeyPEM: pem, keyID: one.keyID)
            try apple.register(publicJWK: jwk, keyID: two.keyID)

            for key in [one, two] {
                let answer = try await apple.redeem(try apple.code(), secret: try apple.secret(key: key))
                #expect(answer.status == 200)
            }
            #expect(throws: AppleSimulator.UnusableKey.self) {
                try apple.register(publicKeyPEM: "no key", keyID: "ABCDEFGHIJ")
            }
            #expect(throws: AppleSimulator.UnusableKey.self) {
                try apple.register(publicJWK: ["kty": "oct"], keyID: "ABCDEFGHIJ")
            }
        }
    }
}
