import Broker
import ProviderKit
import Testing

@testable import BrokerCommand

@Suite("what a tried sign-in prints")
struct TriedSignInTests {
    private static func answer(_ change: (inout JSONObject) -> Void = { _ in }) throws -> FinishTrial.Answer {
        var members: JSONObject = [
            "isWaiting": false, "callback": ["code": "(hidden: 40 bytes)", "hd": "acme.example"],
            "exchanges": [
                [
                    "step": "redeem", "request": "POST https://id.example/token", "status": 200,
                    "body": ["access_token": "(hidden: 9 bytes)", "token_type": "Bearer", "expires_in": 3600],
                ],
                [
                    "step": "fetchProfile", "request": "GET https://id.example/users/4711", "status": 200,
                    "body": ["id": 4711, "mail": "ada@acme.example", "confirmed": true, "boss": .null],
                ],
            ], "idTokens": [],
            "readings": [
                ["claim": "subject", "place": "userinfo /id", "value": "4711"],
                ["claim": "email", "place": "userinfo /email"],
            ],
            "identity": [
                "subject": "4711", "issuer": "https://id.example", "email": "ada@acme.example",
                "isEmailVerified": true, "doesEmailCount": false, "displayName": "Ada", "hasRefreshToken": false,
                "scopes": ["profile"],
            ],
        ]
        change(&members)
        return try JSONValueDecoder().decode(FinishTrial.Answer.self, from: .object(members))
    }

    @Test func `a terminal shows answers, selected values and the user`() throws {
        let text = TriedSignInText(id: "oauth2.acme", answer: try Self.answer()).text.description

        #expect(text.contains("GET https://id.example/users/4711 (fetchProfile): answered with status 200"))
        #expect(text.contains("userinfo /email") && text.contains("(nothing there)"))
        #expect(text.contains("ada@acme.example, verified by the provider, does not count: trustEmail is off"))
        #expect(text.contains("nothing was stored"))
    }

    @Test func `away from a terminal stand names and kinds`() throws {
        let shown = try Self.answer().withoutPersonalData()
        let text = try JSONValueEncoder().encode(shown).serialized()

        for personal in ["4711", "ada@", "Ada", "acme.example"] { #expect(!text.contains(personal), "\(text)") }
        #expect(shown.exchanges[0].body?["token_type"] == "Bearer" && shown.exchanges[0].body?["expires_in"] == 3600)
        #expect(shown.exchanges[0].body?["access_token"] == "(hidden: 9 bytes)")
        #expect(shown.exchanges[1].body == ["id": "(number)", "mail": "(text)", "confirmed": true, "boss": .null])
        #expect(shown.readings.map(\.value) == ["(text)", nil])
        #expect(shown.identity?.issuer == "https://id.example" && shown.identity?.isEmailVerified == true)
        #expect(shown.callback["code"] == "(hidden: 40 bytes)")
    }

    @Test func `a failure says at which step and whose turn it is`() throws {
        let answer = try Self.answer { members in
            members["identity"] = nil
            members["problem"] = ["fault": "configuration", "step": "redeem", "text": "our client was refused"]
        }
        let text = TriedSignInText(id: "oauth2.acme", answer: answer).text.description

        #expect(text.hasSuffix("see broker providers check oauth2.acme."))
        #expect(text.contains("✗ oauth2.acme would sign no user in: our client was refused [configuration at redeem]"))
        #expect(!text.contains("The user who"))
    }
}
