import ProviderKit

/// Records of users with whatever may be wrong with them, in ids and subjects that often meet.
struct RandomRecords {
    private static let huge = JSONNumber(1e300).map(JSONValue.number) ?? .null

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func isReplacing() -> Bool { Bool.random(using: &random) }

    mutating func record() -> JSONObject {
        var record = JSONObject()
        for name in [
            "localId", "localId", "localId", "email", "emailVerified", "displayName", "photoUrl", "customAttributes",
            "createdAt", "lastLoginAt", "validSince", "disabled", "customAuth", "initialEmail", "lastRefreshAt",
            "tenantId", "providerUserInfo", "broker",
        ] where Int.random(in: 0..<3, using: &random) > 0 {
            record[name] = value(of: name)
        }
        return record
    }

    private mutating func value(of name: String) -> JSONValue {
        guard Int.random(in: 0..<12, using: &random) > 0 else { return oddity() }
        return switch name {
        case "localId": id()
        case "email", "initialEmail": email()
        case "emailVerified", "disabled", "customAuth": .bool(Bool.random(using: &random))
        case "customAttributes": claims()
        case "createdAt", "lastLoginAt", "validSince": number()
        case "lastRefreshAt": pick(["2026-01-01T00:00:00Z", "9999-99-99T00:00:00Z", "0000-01-01T00:00:00Z"])
        case "providerUserInfo": .array((0..<Int.random(in: 0...2, using: &random)).map { _ in entry() })
        case "broker": own()
        default: text()
        }
    }

    private mutating func id() -> JSONValue {
        pick([
            "a", "b", "c", "everything", "bare", "merged-away", "", "\u{202E}x",
            .string(String(repeating: "i", count: 129)),
            .string("id-\(Int.random(in: 0..<40, using: &random))"),
        ])
    }

    private mutating func email() -> JSONValue {
        pick(["all@example.com", "ALL@example.com", "no address", "x@y", "e\u{301}@example.com", "a@example.com"])
    }

    private mutating func text() -> JSONValue {
        pick(["Ann", "\u{202E}nnA", "𝒳😀e\u{301}", "\n\t", .string(String(repeating: "é", count: 5000))])
    }

    private mutating func number() -> JSONValue {
        pick(["1600000000000", 5, -1, "0", "9223372036854775807", "-9223372036854775808", Self.huge, "soon"])
    }

    private mutating func claims() -> JSONValue {
        pick([
            #"{"role":"admin"}"#, #"{"sub":"x"}"#, "[]", "no json", #"{"a":"\u0000"}"#, #"{"a":1,"a":2}"#,
            .string(#"{"a":""# + String(repeating: "x", count: 2000) + #""}"#),
        ])
    }

    private mutating func entry() -> JSONValue {
        var entry: JSONObject = [
            "providerId": pick(["github.com", "GitHub.com", "password", "nobody.com", ""]),
            "rawId": pick(["4711", "4712", "1", "2", "3", "null", "", "-1", "a b", 7]),
        ]
        if Bool.random(using: &random) { entry["email"] = email() }
        if Bool.random(using: &random) { entry["displayName"] = text() }
        if Bool.random(using: &random) {
            entry["broker"] = [
                "issuer": pick(["", "https://evil.example"]), "profile": claims(), "linkedAt": number(),
                "removalAt": number(), "consentRevokedAt": number(), "mailDisabled": .bool(Bool.random(using: &random)),
                "aliases": [["issuer": "https://evil.example", "subject": "4711"], ["issuer": "x"]],
            ]
        }
        return .object(entry)
    }

    private mutating func own() -> JSONValue {
        let aliases = (0..<Int.random(in: 0...3, using: &random)).map { _ in id() }
        return ["aliases": .array(aliases), "emailAssertedBy": text(), "emailAssertedAt": number()]
    }

    private mutating func pick(_ values: [JSONValue]) -> JSONValue { values.randomElement(using: &random) ?? .null }

    private mutating func oddity() -> JSONValue { pick([nil, [], [:], true, Self.huge, [[:]], "", [["a": "b"]]]) }
}
