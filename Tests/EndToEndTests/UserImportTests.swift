import ProviderKit
import ProviderSimulators
import Testing

@Suite("broker users import and export", .timeLimit(.minutes(20)))
struct UserImportTests {
    private static func run(_ arguments: [String], _ broker: Installation) async throws -> CommandResult {
        try await .broker(["users", "import"] + arguments, in: broker.folder)
    }

    private static func report(_ broker: Installation) throws -> [JSONObject] {
        try broker.folder.text(of: "report.jsonl").split(separator: "\n").compactMap {
            try JSONValue(parsing: String($0)).object
        }
    }

    private static func exported(_ broker: Installation) async throws -> [String: JSONValue] {
        let result = try await broker.command("users", "export")
        #expect(result.exitCode == 0, "\(result)")
        let users = try result.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        return Dictionary(users.map { ($0["localId"]?.string ?? "", $0) }) { first, _ in first }
    }

    private static func subjects(_ user: JSONValue?) -> [String] {
        (user?["providerUserInfo"]?.array ?? []).map {
            "\($0["providerId"]?.string ?? "") \($0["rawId"]?.string ?? "")"
        }
    }

    @Test func `nothing is written while a decision is missing`() async throws {
        try await Installation.run { broker in
            try broker.folder.write(
                """
                {"users": [
                  {"localId": "a", "createdAt": "1600000000000",
                   "providerUserInfo": [{"providerId": "github.com", "rawId": "1"}]},
                  {"localId": "b", "email": "b@example.com", "passwordHash": "c2VjcmV0"},
                  {"localId": "c", "providerUserInfo": [{"providerId": "oidc.old", "rawId": "c"},
                                                        {"providerId": "phone", "rawId": "+49"}]}
                ]}
                """, to: "users.json")
            let file = ["users.json", "--format", "firebase", "--json"]

            let passwords = try await Self.run(file + ["--map", "oidc.old=none"], broker)
            let provider = try await Self.run(file + ["--passwords", "keep"], broker)
            let entry = try await Self.run(file + ["--passwords", "keep", "--map", "oidc.old=oidc.new"], broker)
            #expect(passwords.exitCode == 64 && passwords.errorCode == "NO_IDENTITY", "\(passwords)")
            #expect(passwords.output.contains("password") && !passwords.output.contains("c2VjcmV0"))
            #expect(provider.exitCode == 64 && provider.errorCode == "UNKNOWN_PROVIDER", "\(provider)")
            #expect(provider.output.contains("oidc.old=none"))
            #expect(entry.exitCode == 64 && entry.errorCode == "INVALID_MAP", "\(entry)")
            #expect(try await Self.exported(broker).isEmpty)

            let decided = file + ["--map", "oidc.old=github.com", "--passwords", "keep", "--output", "report.jsonl"]
            let dry = try await Self.run(decided + ["--dry-run"], broker)
            #expect(dry.exitCode == 0, "\(dry)")
            #expect(try JSONValue(parsing: dry.output)["created"] == 3)
            #expect(try await Self.exported(broker).isEmpty)
            let done = try await Self.run(decided, broker)
            let again = try await Self.run(decided, broker)

            let summary = try JSONValue(parsing: done.output)
            #expect(done.exitCode == 0 && summary["created"] == 3 && summary["withoutIdentity"] == 1, "\(done)")
            #expect(summary["identities"] == ["github.com": 2])
            #expect(try JSONValue(parsing: again.output)["unchanged"] == 3)
            let users = try await Self.exported(broker)
            #expect(Self.subjects(users["c"]) == ["github.com c"])
            #expect(users["b"]?["email"] == "b@example.com")
            #expect(try broker.folder.permissions(of: "report.jsonl") == 0o600)
            let report = try Self.report(broker)
            #expect(report.contains { $0["localId"] == "b" && $0["dropped"] == ["passwordHash"] }, "\(report)")
        }
    }

    @Test func `at a terminal the progress is one line, which the result replaces`() async throws {
        try await Installation.run { broker in
            try broker.folder.write(
                """
                {"localId":"one","providerUserInfo":[{"providerId":"github.com","rawId":"77"}]}
                {"localId":"two","providerUserInfo":[{"providerId":"github.com","rawId":"78"}]}
                """, to: "users.jsonl")
            let arguments = ["users", "import", "users.jsonl", "--format", "jsonl"]

            try await BrokerProcess.run(atTerminal: arguments, in: broker.folder) { process, _ in
                let exitCode = try await process.exitCode()

                #expect(exitCode == 0, "\(process.everything)")
                // What returns to the beginning of the line is a line of the log.
                let screen = process.output.text
                #expect(
                    screen.contains("\u{1B}[2Kimporting: 2 of 2 users\n\u{1B}[2KImport finished."), "\(screen)")
            }
            let piped = try await Self.run(["users.jsonl", "--format", "jsonl"], broker)
            #expect(piped.exitCode == 0 && piped.errors.isEmpty, "\(piped)")
        }
    }

    @Test func `conflicts are refused one by one, named in the report, and exit with 1`() async throws {
        try await Installation.run { broker in
            let linked = try await broker.command(
                "link", "--provider", "github", "--json", input: try broker.accessToken("ada"))
            let ada = try #require(try JSONValue(parsing: linked.output)["user"]?["localId"]?.string)
            let subject = String(try broker.person("ada").id)
            try broker.folder.write(
                """
                {"localId":"thief","providerUserInfo":[{"providerId":"github.com","rawId":"\(subject)"}]}
                {"localId":"new","providerUserInfo":[{"providerId":"github.com","rawId":"77"}],"shoeSize":43}

                {"localId":"twin","email":"ada@example.com","providerUserInfo":[{"providerId":"github.com","rawId":"78"}]}
                """, to: "users.jsonl")

            let result = try await Self.run(
                ["users.jsonl", "--format", "jsonl", "--report", "report.jsonl", "--json"], broker)

            #expect(result.exitCode == 1, "\(result)")
            let summary = try JSONValue(parsing: result.output)
            #expect(summary["created"] == 1 && summary["refused"] == 2)
            #expect(summary["refusals"] == ["EMAIL_EXISTS": 1, "IDENTITY_EXISTS": 1])
            #expect(result.errors.contains("thief"))
            let report = try Self.report(broker)
            #expect(report.map { $0["localId"]?.string } == ["thief", "new", "twin"])
            #expect(report[0]["conflictsWith"]?.string == ada && report[1]["dropped"] == ["shoeSize"])
            #expect(Self.subjects(try await Self.exported(broker)[ada]) == ["github.com \(subject)"])
        }
    }

    @Test func `users of Supabase keep ids, times and identities, as JSON and as CSV`() async throws {
        try await Installation.run { broker in
            try broker.folder.write(
                """
                [{"id":"8f3b","email":"S@example.com","email_confirmed_at":"2024-01-02T03:04:05.678901+00:00",
                  "encrypted_password":"","phone":"","created_at":"2024-01-02T03:04:05.678901+00:00",
                  "last_sign_in_at":"2024-02-02T00:00:00+02:00","banned_until":null,
                  "user_metadata":{"full_name":"Su","avatar_url":"https://example.com/s.png","plan":"pro"},
                  "app_metadata":{"provider":"github"},
                  "identities":[{"id":"f00d","provider_id":"501","provider":"github",
                    "identity_data":{"sub":"501","user_name":"su","email":"s@example.com"}},
                   {"id":"beef","provider":"email","identity_data":{"sub":"8f3b"}}]}]
                """, to: "users.json")
            try broker.folder.write(
                #"""
                id,email,encrypted_password,created_at,note,raw_user_meta_data,identities
                9a1c,,x,2024-01-02 03:04:05.5+00,"two
                lines","{""name"":""Tom, \""T\""""}","[{""provider"":""github"",""id"":""502"",""identity_data"":{}}]"
                """#, to: "users.csv")

            let json = try await Self.run(["users.json", "--format", "supabase", "--json"], broker)
            let csv = try await Self.run(["users.csv", "--format", "supabase", "--json"], broker)

            #expect(json.exitCode == 0 && csv.exitCode == 0, "\(json) \(csv)")
            let dropped = try JSONValue(parsing: json.output)["droppedFields"]
            #expect(dropped == ["app_metadata": 1, "user_metadata.plan": 1])
            let users = try await Self.exported(broker)
            let su = users["8f3b"]
            #expect(su?["email"] == "s@example.com" && su?["emailVerified"] == true && su?["displayName"] == "Su")
            #expect(su?["createdAt"] == "1704164645678" && su?["lastLoginAt"] == "1706824800000")
            #expect(Self.subjects(su) == ["github.com 501"])
            #expect(Self.subjects(users["9a1c"]) == ["github.com 502"])
            #expect(users["9a1c"]?["createdAt"] == "1704164645500" && users["9a1c"]?["displayName"] == "Tom, \"T\"")
            #expect(try JSONValue(parsing: csv.output)["droppedFields"]?["note"] == 1)
        }
    }

    @Test func `users of Auth0 keep ids and subjects, connections are mapped`() async throws {
        try await Installation.run { broker in
            try broker.addSecondProvider()
            let entries = try JSONValue(parsing: try broker.folder.text(of: "plugins.json"))["providers"]?.array
            let second = try #require(entries?.last?["id"]?.string)
            try broker.folder.write(
                """
                {"user_id":"github|601","email":"x@example.com","email_verified":true,"blocked":true,"picture":"https://example.com/x.png","identities":[{"user_id":601,"provider":"github","connection":"github","isSocial":true}],"app_metadata":{"a":1}}
                {"user_id":"oidc|corp|sub-1","created_at":"2024-01-02T03:04:05.000Z","identities":[{"user_id":"corp|sub-1","provider":"oidc","connection":"corp"}]}
                {"user_id":"auth0|5f","email":"pw@example.com","identities":[{"user_id":"5f","provider":"auth0","connection":"Username-Password-Authentication"}]}
                {"user_id":"github|602","picture":"/avatars/602.png"}

                """, to: "users.ndjson")

            let result = try await Self.run(
                [
                    "users.ndjson", "--format", "auth0", "--map", "corp=\(second)", "--passwords", "skip", "--json",
                ], broker)

            #expect(result.exitCode == 0, "\(result)")
            let summary = try JSONValue(parsing: result.output)
            #expect(summary["created"] == 3 && summary["skipped"] == 1)
            #expect(summary["droppedFields"] == ["app_metadata": 1, "photoUrl": 1], "a picture costs no user")
            let users = try await Self.exported(broker)
            #expect(Self.subjects(users["github|601"]) == ["github.com 601"])
            #expect(users["github|601"]?["disabled"] == true)
            #expect(Self.subjects(users["oidc|corp|sub-1"]) == ["\(second) sub-1"])
            #expect(Self.subjects(users["github|602"]) == ["github.com 602"])
            #expect(users["auth0|5f"] == nil)
        }
    }

    @Test func `a CSV file names identities in columns of their own`() async throws {
        try await Installation.run { broker in
            try broker.folder.write(
                "\u{FEFF}localId,email,createdAt,displayName,identity:gh,score\r\n"
                    + "a,a@example.com,2024-01-02T03:04:05Z,\"Ann \"\"A\"\", B\",701,5\r\nb,b@example.com,,,,\r\n",
                to: "users.csv")

            let result = try await Self.run(
                ["users.csv", "--format", "csv", "--map", "gh=github.com", "--passwords", "keep", "--json"], broker)
            try broker.folder.write("localId,email\na\n", to: "short.csv")
            let short = try await Self.run(["short.csv", "--format", "csv", "--passwords", "keep", "--json"], broker)

            #expect(result.exitCode == 0, "\(result)")
            #expect(try JSONValue(parsing: result.output)["droppedFields"] == ["score": 1])
            let users = try await Self.exported(broker)
            #expect(users["a"]?["displayName"] == "Ann \"A\", B" && users["a"]?["createdAt"] == "1704164645000")
            #expect(Self.subjects(users["a"]) == ["github.com 701"])
            #expect(users["b"]?["email"] == "b@example.com")
            #expect(short.exitCode == 64 && short.errorCode == "INVALID_FILE", "\(short)")
            for field in ["a\u{0}b", "\"a\u{0}\""] {
                try broker.folder.write("localId,displayName\nc,\(field)\n", to: "nul.csv")
                let nul = try await Self.run(["nul.csv", "--format", "csv", "--passwords", "keep", "--json"], broker)
                #expect(nul.exitCode == 64 && nul.output.contains("line 2 has U+0000"), "\(nul)")
            }
            #expect(try await Self.exported(broker)["c"] == nil)
        }
    }

    @Test func `a damaged file imports nothing`() async throws {
        try await Installation.run { broker in
            for text in ["{\"users\":[{\"localId\":\"a\"}", "[{\"localId\":\"a\"},]", "{\"localId\":\"a\"}\n{", "[{}]"]
            {
                try broker.folder.write(text, to: "users.json")
                let result = try await Self.run(
                    ["users.json", "--format", "firebase", "--passwords", "keep", "--json"], broker)
                #expect(result.exitCode == 64 && result.errorCode == "INVALID_FILE", "\(text) \(result)")
            }
            #expect(try await Self.exported(broker).isEmpty)
        }
    }

    @Test func `both work at a remote broker, and Firebase's format comes back`() async throws {
        try await Installation.run { broker in
            try await broker.serve { _, client in
                let ada = try await broker.session(of: "ada", at: client).localID
                let created = try await broker.document(
                    "admin", "token", "create", "--name", "Import", "--scope", "users:read", "--scope", "users:write")
                let environment = ["BROKER_ADMIN_TOKEN": try #require(created["token"]?.string)]
                let remote = ["--server", client.url]
                let users = (0..<1200).map { number in
                    #"{"localId":"r\#(number)","providerUserInfo":[{"providerId":"github.com","rawId":"9\#(number)"}]}"#
                }
                try broker.folder.write(users.joined(separator: "\n"), to: "users.jsonl")

                let imported = try await CommandResult.broker(
                    ["users", "import", "users.jsonl", "--format", "jsonl", "--json"] + remote,
                    environment: environment, in: broker.folder)
                let exported = try await CommandResult.broker(
                    ["users", "export", "--format", "firebase", "--output", "users.json", "--json"] + remote,
                    environment: environment, in: broker.folder)
                let second = try await CommandResult.broker(
                    ["users", "export", "--output", "users.json"] + remote, environment: environment,
                    in: broker.folder)

                #expect(imported.exitCode == 0, "\(imported)")
                #expect(try JSONValue(parsing: imported.output)["created"] == 1200)
                #expect(exported.exitCode == 0 && exported.output.contains("1201"), "\(exported)")
                #expect(second.exitCode == 1, "an existing file is never replaced")
                let document = try JSONValue(parsing: try broker.folder.text(of: "users.json"))
                let found = document["users"]?.array?.first { $0["localId"]?.string == ada }
                #expect(document["users"]?.array?.count == 1201)
                #expect(found?["lastSignedInAt"]?.string != nil && found?["broker"] == nil)
                let back = try await Self.run(["users.json", "--format", "firebase", "--json"], broker)
                #expect(try JSONValue(parsing: back.output)["unchanged"] == 1201, "\(back)")
            }
        }
    }
}
