import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple: users of an app that goes to another team")
struct AppleMigrationTests {
    private static let recipient = "RECIPIENT1"

    /// A simulator in which another team has a key, the file about both teams, and the plugin of the former team.
    private struct Transfer {
        let apple: AppleSimulator
        let key: AppleSimulator.Key
        var provider: any IdentityProvider

        var app: String { apple.nativeApplication.clientID }

        /// The client of a migration; `changes` replace members of the teams by their names, `null` takes one away.
        func migrator(
            from: JSONObject = [:], to: JSONObject = [:], reusingTheSourceToken reuses: Bool? = nil
        ) throws -> any SubjectMigrator {
            func team(_ id: String, _ key: AppleSimulator.Key, _ changes: JSONObject) -> JSONValue {
                var team: JSONObject = [
                    "teamId": .string(id), "keyId": .string(key.keyID), "privateKey": .string(key.pem),
                    "clientId": .string(app),
                ]
                for (name, value) in changes { team[name] = value.isNull ? .none : .some(value) }
                return .object(team)
            }
            var file: JSONObject = [
                "from": team(apple.teamID, apple.key, from), "to": team(AppleMigrationTests.recipient, key, to),
            ]
            file["reuseSourceToken"] = reuses.map(JSONValue.bool)
            let provider = try #require(provider as? any SubjectMigration)
            return try provider.migrator(options: .object(file), decoder: JSONValueDecoder())
        }

        func transferSubject(of person: AppleSimulator.Person, _ migrator: any SubjectMigrator) async throws -> String {
            let subject = apple.subject(of: person, for: apple.nativeApplication)
            let answer = try await migrator.transferSubject(of: subject, migrator.authorize(.source))
            guard case .migrated(let found) = answer else { throw Refused() }
            return found
        }
    }

    private struct Refused: Error {}

    private static func run(
        _ changes: JSONObject = [:], _ test: (Transfer) async throws -> Void
    ) async throws {
        try await AppleSimulator.running { apple in
            let key = apple.register(AppleSimulator.Key(teamID: recipient))
            for person in apple.people() {
                _ = apple.nativeCredential(for: person, application: apple.nativeApplication)
            }
            try await test(Transfer(apple: apple, key: key, provider: try apple.provider(changes)))
        }
    }

    @Test func `each team asks about the user at hand, as its own client, and gets that user's subjects`() async throws
    {
        try await Self.run { transfer in
            let (apple, migrator) = (transfer.apple, try transfer.migrator())
            var transferSubjects: [String] = []
            for person in apple.people() {
                let old = apple.subject(of: person, for: apple.nativeApplication)
                transferSubjects.append(try await transfer.transferSubject(of: person, migrator))
                let form = try #require(apple.forms(.migration).last)
                #expect(form["sub"] == old && form["target"] == Self.recipient && form["client_id"] == transfer.app)
            }
            #expect(Set(transferSubjects).count == apple.people().count)

            apple.transfer(apple.nativeApplication, to: Self.recipient)
            let authorization = try await migrator.authorize(.target)
            for (person, transferSubject) in zip(apple.people(), transferSubjects) {
                guard case .migrated(let identity) = try await migrator.exchange(transferSubject, authorization) else {
                    throw Refused()
                }
                #expect(identity.subject == apple.subject(of: person, for: apple.nativeApplication))
                #expect(identity.profile["sub"]?.string == identity.subject)
            }
            apple.fail(.migration, with: .status(200, body: #"{"sub":""}"#, contentType: "application/json"), times: 1)
            let empty = await #expect(throws: ProviderError.self) {
                try await migrator.exchange(transferSubjects[0], authorization)
            }
            #expect(empty?.fault == .upstream)
            #expect(authorization.side == .target && authorization.expiresAt > apple.clock.now)
        }
    }

    @Test(arguments: [true, false])
    func `the new team uses the former team's access token where the file says so`(reuses: Bool) async throws {
        try await Self.run { transfer in
            let (apple, migrator) = (transfer.apple, try transfer.migrator(reusingTheSourceToken: reuses))
            let subject = try await transfer.transferSubject(of: try apple.ada, migrator)
            apple.transfer(apple.nativeApplication, to: Self.recipient)
            apple.behaviour.acceptsForeignMigrationToken = true

            let authorization = try await migrator.authorize(.target)
            let secret = try #require(apple.forms(.token).last?["client_secret"]).split(separator: ".")[1]
            let padded = String(secret) + String(repeating: "=", count: (4 - secret.count % 4) % 4)
            let text = padded.replacing("-", with: "+").replacing("_", with: "/")
            let claims = try JSONValue(parsing: Array(try #require(Data(base64Encoded: text))))

            #expect(claims["iss"]?.string == (reuses ? apple.teamID : Self.recipient))
            guard case .migrated = try await migrator.exchange(subject, authorization) else { throw Refused() }
        }
    }

    @Test func `a user without a subject to translate is refused with Apple's reason`() async throws {
        try await Self.run { transfer in
            let (apple, migrator) = (transfer.apple, try transfer.migrator())
            apple.revokeGrant(of: try apple.ada, application: apple.nativeApplication)
            let subject = apple.subject(of: try apple.ada, for: apple.nativeApplication)
            let source = try await migrator.transferSubject(of: subject, migrator.authorize(.source))
            apple.transfer(apple.nativeApplication, to: Self.recipient)
            let target = try await migrator.exchange("001234.r0.0000", migrator.authorize(.target))

            guard case .refused("invalid-request") = source, case .refused("invalid-request") = target else {
                throw Refused()
            }
        }
    }

    @Test func `a client that Apple refuses is the operator's, an outage and a rate limit are Apple's`() async throws {
        try await Self.run { transfer in
            let (apple, migrator) = (transfer.apple, try transfer.migrator())
            let source = try await migrator.authorize(.source)
            let early = MigrationAuthorization(
                side: .target, accessToken: source.accessToken, expiresAt: source.expiresAt)

            let tooEarly = await #expect(throws: ProviderError.self) {
                try await migrator.exchange("001234.r1.1", early)
            }
            let unknown = await #expect(throws: ProviderError.self) { try await migrator.authorize(.target) }
            #expect(tooEarly?.fault == .configuration && tooEarly?.reason.contains("invalid_client") == true)
            #expect(tooEarly?.reason.contains(transfer.app) == true)
            #expect(unknown?.fault == .configuration && unknown?.reason.hasSuffix("invalid_client") == true)
            for status in [429, 503] {
                apple.fail(.token, with: .status(status), times: 1)
                apple.fail(.migration, with: .status(status), times: 1)
                let atToken = await #expect(throws: ProviderError.self) { try await migrator.authorize(.source) }
                let atUser = await #expect(throws: ProviderError.self) {
                    try await migrator.transferSubject(of: "001234.a.1", source)
                }
                #expect(atToken?.fault == .upstream && atUser?.fault == .upstream)
            }
        }
    }

    @Test func `the sides are those with a key, and each has the namespace of its team`() async throws {
        try await Self.run(["formerTeamIds": ["FORMERTEAM"]]) { transfer in
            let none: JSONObject = ["keyId": .null, "privateKey": .null, "clientId": .null]
            let (both, former) = (try transfer.migrator(), try transfer.migrator(to: none))
            let new = try transfer.migrator(from: none)

            #expect(both.sides == [.source, .target] && former.sides == [.source] && new.sides == [.target])
            #expect(both.sourceInstance == "\(transfer.apple.url)/\(transfer.apple.teamID)")
            #expect(both.targetInstance == "\(transfer.apple.url)/\(Self.recipient)")
            #expect(both.sourceInstance == transfer.provider.instance && both.window == 60 * 86_400)
            let migration = try #require(transfer.provider as? any SubjectMigration)
            #expect(migration.formerInstances == ["\(transfer.apple.url)/FORMERTEAM"])
            let missing = await #expect(throws: ProviderError.self) { try await new.authorize(.source) }
            #expect(missing?.fault == .configuration)
        }
    }

    @Test(
        arguments: [
            ([:], ["teamId": "SAME"], nil, "name the same team"),
            (
                ["keyId": .null, "privateKey": .null, "clientId": .null],
                ["keyId": .null, "privateKey": .null, "clientId": .null], nil, "one team at least"
            ),
            (["keyId": .null, "privateKey": .null, "clientId": .null], [:], true, "reuseSourceToken"),
            (["teamId": "short"], [:], nil, "from.teamId"), ([:], ["teamId": "lowercase1"], nil, "to.teamId"),
            (["keyId": "short"], [:], nil, "from.keyId"), (["privateKey": "no key"], [:], nil, "from.privateKey"),
            ([:], ["clientId": ""], nil, "to.clientId"), ([:], ["clientId": .null], nil, "to.keyId, privateKey"),
        ] as [(JSONObject, JSONObject, Bool?, String)])
    func `a file that is wrong is refused with its place`(
        from: JSONObject, to: JSONObject, reuses: Bool?, words: String
    ) async throws {
        try await Self.run { transfer in
            var to = to
            if to["teamId"] == "SAME" { to["teamId"] = .string(transfer.apple.teamID) }
            let error = #expect(throws: ProviderError.self) {
                try transfer.migrator(from: from, to: to, reusingTheSourceToken: reuses)
            }
            #expect(error?.fault == .configuration && error?.reason.contains(words) == true, "\(error?.reason ?? "")")
        }
    }
}

extension AppleMigrationTests {
    private static func codes(_ migrator: any SubjectMigrator, _ side: MigrationSide) async -> [String] {
        await migrator.check(side).map(\.code)
    }

    @Test func `a check tells a transfer that is not complete from a client that no team has`() async throws {
        try await Self.run { transfer in
            let (apple, migrator) = (transfer.apple, try transfer.migrator())
            let stranger: JSONObject = ["clientId": "com.example.stranger"]

            #expect(await Self.codes(migrator, .source) == [])
            #expect(await Self.codes(migrator, .target) == ["apple-app-not-transferred"])
            #expect(try await Self.codes(transfer.migrator(to: stranger), .target) == ["apple-client-refused"])
            #expect(try await Self.codes(transfer.migrator(from: stranger), .source) == ["apple-client-refused"])
            let alone = try transfer.migrator(from: ["keyId": .null, "privateKey": .null, "clientId": .null])
            #expect(await Self.codes(alone, .target) == ["apple-client-refused"])
            #expect(await Self.codes(alone, .source) == ["apple-team-incomplete"])
            apple.transfer(apple.nativeApplication, to: Self.recipient)
            #expect(await Self.codes(migrator, .target) == [])
        }
    }

    @Test func `a check finds a client of the entry, and one of the file, that is another team's`() async throws {
        try await AppleSimulator.running { apple in
            let key = apple.register(AppleSimulator.Key(teamID: Self.recipient))
            let foreign = apple.register(
                AppleSimulator.Application(clientID: "com.example.other", kind: .native, teamID: Self.recipient))
            let clients: JSONValue = [.string(apple.nativeApplication.clientID), .string(foreign.clientID)]
            let transfer = Transfer(apple: apple, key: key, provider: try apple.provider(["clientIds": clients]))

            let findings = await try transfer.migrator().check(.source)
            let file = await Self.codes(try transfer.migrator(from: ["clientId": .string(foreign.clientID)]), .source)

            #expect(findings.map(\.code) == ["apple-client-in-other-team"])
            #expect(findings.first?.text.contains(foreign.clientID) == true)
            #expect(findings.first?.text.contains(apple.nativeApplication.clientID) == false)
            #expect(file == ["apple-app-in-other-team"])
        }
    }

    @Test func `after the transfer, the new team's entry has no foreign clients`() async throws {
        try await Self.run { transfer in
            var transfer = transfer
            let other = transfer.apple.register(
                AppleSimulator.Application(clientID: "com.example.other", kind: .native, teamID: Self.recipient))
            transfer.provider = try transfer.apple.provider([
                "teamId": .string(Self.recipient), "keyId": .string(transfer.key.keyID),
                "privateKey": .string(transfer.key.pem), "clientIds": [.string(other.clientID)],
            ])

            #expect(try await Self.codes(transfer.migrator(), .source) == [])
        }
    }

    @Test func `a check that Apple does not answer says so`() async throws {
        try await Self.run { transfer in
            let other = transfer.apple.register(AppleSimulator.Application(kind: .native))
            var transfer = transfer
            let clients: JSONValue = [.string(transfer.app), .string(other.clientID)]
            transfer.provider = try transfer.apple.provider(["clientIds": clients])
            let migrator = try transfer.migrator()
            #expect(await Self.codes(migrator, .source) == [])
            transfer.apple.fail(.token, with: .status(503), times: 1)
            let own = await Self.codes(migrator, .target)

            transfer.apple.fail(.token, with: .closeConnection)
            let gone = await Self.codes(migrator, .source)

            #expect(own.count == 1 && own.first?.hasPrefix("apple-") == false, "\(own)")
            #expect(gone.count == 1 && gone.first?.hasPrefix("apple-") == false, "\(gone)")
        }
    }
}
