import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple: grants, options and the configuration check")
struct AppleGrantTests {
    static func grant(_ apple: AppleSimulator, _ application: AppleSimulator.Application) throws -> UpstreamGrant {
        UpstreamGrant(
            clientID: application.clientID, accessToken: "a",
            refreshToken: apple.refreshToken(for: try apple.ada, application: application))
    }

    @Test func `a refresh checks that the user still uses the app, and keeps the refresh token`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any GrantRefresh)
            let grant = try Self.grant(apple, apple.nativeApplication)

            let fresh = try await provider.refresh(grant)
            apple.revokeGrant(of: try apple.ada, application: apple.nativeApplication)
            let error = await #expect(throws: ProviderError.self) { _ = try await provider.refresh(grant) }

            #expect(fresh.accessToken != grant.accessToken && fresh.refreshToken == grant.refreshToken)
            #expect(fresh.clientID == apple.nativeApplication.clientID)
            #expect(error?.fault == .credential)
        }
    }

    @Test func `a rate limit is an upstream fault`() async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.refreshesPerDay = 1
            let provider = try #require(try apple.provider() as? any GrantRefresh)
            let grant = try Self.grant(apple, apple.nativeApplication)

            _ = try await provider.refresh(grant)
            let error = await #expect(throws: ProviderError.self) { _ = try await provider.refresh(grant) }
            apple.clock.advance(by: .seconds(86_401))
            _ = try await provider.refresh(grant)

            #expect(error?.fault == .upstream)
        }
    }

    @Test func `a grant is withdrawn as the client it was issued to, by its refresh token`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any GrantRevocation)
            let grant = try Self.grant(apple, apple.nativeApplication)

            try await provider.revoke(grant)
            try await provider.revoke(grant)

            let form = try #require(apple.forms(.revoke).first)
            let token = try #require(grant.refreshToken)
            #expect(!apple.isLive(token: token))
            #expect(form["client_id"] == grant.clientID && form["token_type_hint"] == "refresh_token")
            #expect(apple.hits(.revoke) == 2)
            // Apple answers 200 to everything: a refusal of the refresh token is the proof.
            #expect(apple.forms(.token).map { $0["grant_type"] } == ["refresh_token", "refresh_token"])
        }
    }

    @Test func `without a refresh token the access token ends the grant`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any GrantRevocation)
            let client = apple.defaultApplication
            let access = apple.accessToken(for: try apple.ada, application: client)

            try await provider.revoke(UpstreamGrant(clientID: client.clientID, accessToken: access))

            #expect(!apple.isLive(token: access))
            #expect(apple.forms(.revoke).first?["token_type_hint"] == "access_token")
            // Nothing tells whether an access token is valid.
            #expect(apple.hits(.token) == 0)
        }
    }

    @Test func `a revocation that Apple only says it has done is tried again`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any GrantRevocation)
            let grant = try Self.grant(apple, apple.nativeApplication)

            apple.fail(.revoke, with: .status(200), times: 1)
            let ignored = await #expect(throws: ProviderError.self) { try await provider.revoke(grant) }
            apple.fail(.token, with: .status(503), times: 1)
            let unproven = await #expect(throws: ProviderError.self) { try await provider.revoke(grant) }
            try await provider.revoke(grant)
            // Apple has answered so for users who had withdrawn.
            let body = #"{"error":"invalid_request"}"#
            apple.fail(.token, with: .status(400, body: body, contentType: "application/json"), times: 1)
            try await provider.revoke(grant)

            #expect(ignored?.fault == .upstream && ignored?.reason.contains("still accepts") == true)
            #expect(unproven?.fault == .upstream && unproven?.step == .revoke)
        }
    }

    @Test func `a withdrawal Apple does not answer is tried again, one it refuses is the operator's`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any GrantRevocation)
            let grant = try Self.grant(apple, apple.nativeApplication)

            apple.fail(.revoke, with: .status(502), times: 1)
            let silent = await #expect(throws: ProviderError.self) { try await provider.revoke(grant) }
            apple.revoke(keyID: apple.key.keyID)
            let refused = await #expect(throws: ProviderError.self) { try await provider.revoke(grant) }

            #expect(silent?.fault == .upstream && refused?.fault == .configuration)
        }
    }

    @Test(
        arguments: [
            ("teamId", "ABC", "teamId"), ("teamId", "abcdefghij", "teamId"), ("keyId", "ABCDEFGHI\u{212A}", "keyId"),
            ("privateKey", "AuthKey_ABC.p8", "privateKey"), ("privateKey", "", "privateKey"),
            ("clientIds", ["com.example.app", ""], "clientIds"), ("servicesId", "", "clientIds"),
            ("url", "http://appleid.apple.com", "url"),
        ] as [(String, JSONValue, String)])
    func `a wrong option is refused with words`(option: String, value: JSONValue, name: String) async throws {
        try await AppleSimulator.running { apple in
            let error = #expect(throws: ProviderError.self) { _ = try apple.provider([option: value]) }

            #expect(error?.fault == .configuration)
            #expect(error?.reason.contains("options.\(name)") == true)
        }
    }

    @Test func `a former team is another one`() async throws {
        try await AppleSimulator.running { apple in
            let error = #expect(throws: ProviderError.self) {
                _ = try apple.provider(["formerTeamIds": ["FORMERTEAM", .string(apple.teamID)]])
            }
            #expect(error?.fault == .configuration && error?.reason.contains("formerTeamIds") == true)
        }
    }

    @Test func `a client is needed`() async throws {
        try await AppleSimulator.running { apple in
            let error = #expect(throws: ProviderError.self) {
                _ = try apple.provider(["clientIds": nil, "servicesId": nil])
            }
            #expect(error?.fault == .configuration)
        }
    }

    @Test func `a key of another kind is refused`() async throws {
        let rsa = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----"
        try await AppleSimulator.running { apple in
            let error = #expect(throws: ProviderError.self) { _ = try apple.provider(["privateKey": .string(rsa)]) }
            #expect(error?.reason.contains(".p8") == true)
        }
    }

    @Test func `a configuration Apple knows has no findings`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any ConfigurationCheck)

            #expect(await provider.checkConfiguration() == [])
            #expect(
                Set(apple.forms(.token).compactMap { $0["client_id"] }) == [
                    apple.nativeApplication.clientID, apple.defaultApplication.clientID,
                ])
        }
    }

    @Test func `each client Apple does not know is a finding of its own`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(
                try apple.provider(["clientIds": [.string(apple.nativeApplication.clientID), "com.example.typo"]])
                    as? any ConfigurationCheck)

            let findings = await provider.checkConfiguration()

            #expect(findings.map(\.code) == ["apple-client-refused"])
            #expect(findings.first?.text.contains("com.example.typo") == true)
        }
    }

    @Test(arguments: [("teamId", "ZZZZZZZZZZ"), ("keyId", "ZZZZZZZZZZ"), ("privateKey", "other")])
    func `a wrong team, key id or key is found for every client`(option: String, value: String) async throws {
        try await AppleSimulator.running { apple in
            let changed = option == "privateKey" ? AppleSimulator.Key().pem : value
            let provider = try #require(try apple.provider([option: .string(changed)]) as? any ConfigurationCheck)

            let findings = await provider.checkConfiguration()

            #expect(findings.map(\.code) == ["apple-client-refused", "apple-client-refused"])
            for finding in findings {
                #expect(finding.text.contains("public key") && !finding.text.contains(apple.key.pem))
                #expect(finding.fix.contains("keyId") && finding.fix.contains("clock"))
            }
        }
    }

    @Test func `a key that cannot sign is a finding`() async throws {
        try await AppleSimulator.running { apple in
            let tokens = SilentTokens(upstream: AppleUpstream(simulator: apple.url))
            let provider = try #require(try apple.provider(tokens: tokens) as? any ConfigurationCheck)

            let findings = await provider.checkConfiguration()

            #expect(Set(findings.map(\.code)) == ["apple-key-unusable"] && apple.hits(.token) == 0)
        }
    }

    @Test func `keys that cannot be had are a finding before any client is tried`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any ConfigurationCheck)
            apple.fail(.keys, with: .status(500))

            #expect(await provider.checkConfiguration().map(\.code) == ["keys-unavailable"])
            #expect(apple.hits(.token) == 0)
        }
    }

    @Test func `an Apple that does not answer is a finding`() async throws {
        try await AppleSimulator.running { apple in
            let provider = try #require(try apple.provider() as? any ConfigurationCheck)
            apple.fail(.token, with: .status(503))

            #expect(Set(await provider.checkConfiguration().map(\.code)) == ["provider-unavailable"])
        }
    }
}
