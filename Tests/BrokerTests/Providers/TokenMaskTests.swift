import ProviderKit
import Testing

@testable import Broker

@Suite("hiding tokens in what is shown")
struct TokenMaskTests {
    private static let mask = TokenMask(
        hiding: ["opaque-value", "short"], showing: ["001234.0123456789abcdef0123456789abcdef.0815"])

    @Test func `secrets are hidden by the names of their places`() {
        let answer: JSONValue = [
            "access_token": "a", "refreshToken": "b", "id_token": 7, "client_secret": ["c", "d"],
            "token_type": "Bearer", "expires_in": 3600, "authed_user": ["access_token": "e"], "session_key": "f",
            "scope": "read",
        ]

        let shown = Self.mask.masking(answer)

        #expect(shown["access_token"] == "(hidden: 1 bytes)" && shown["refreshToken"] == "(hidden: 1 bytes)")
        #expect(shown["id_token"] == "(hidden: 1 bytes)" && shown["session_key"] == "(hidden: 1 bytes)")
        #expect(shown["client_secret"] == ["(hidden: 1 bytes)", "(hidden: 1 bytes)"])
        #expect(shown["authed_user"]?["access_token"] == "(hidden: 1 bytes)")
        #expect(shown["token_type"] == "Bearer" && shown["expires_in"] == 3600 && shown["scope"] == "read")
    }

    @Test(arguments: [
        "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "gho_16C7e42F292c6912E7710c838347Ae178B4a",
        "glpat-abcdef123456789", "xoxp-1234567890-abc", "ya29.a0AfH6SMBx", "0123456789abcdef0123456789abcdef",
        "Qm9zcyBzYXlzIG5vIHRvIHRva2VucyAx", "dGhpcy1pcy1h_bG9uZy10b2tlbi0x-Mg",
    ])
    func `tokens are hidden by their shapes, wherever they are`(token: String) {
        for document in [["value": .string(token)], ["list": [.string("at \(token).")]]] as [JSONValue] {
            #expect(!Self.mask.masking(document).serialized().contains(token))
        }
        #expect(!Self.mask.masking("<p>Hello \(token)</p>").contains(token))
        #expect(!Self.mask.masking(url: "https://id.example/me?q=\(token)").contains(token))
    }

    @Test(arguments: [
        "ada@example.com", "Ada Lovelace", "4711", "108176814655102938476", "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "https://lh3.googleusercontent.com/photo.jpg", "https://avatars2.githubusercontent.com/u/583231?v=4",
        "2026-11-26T19:40:00.000Z", "urn:ietf:params:oauth:grant-type:device_code", "",
    ])
    func `what is no token stays`(text: String) {
        #expect(Self.mask.masking(.string(text)) == .string(text))
    }

    @Test func `a known secret is hidden in longer texts, and a known identifier is shown`() {
        #expect(Self.mask.masking("error: opaque-value is used") == "error: (hidden: 12 bytes) is used")
        let subject = "001234.0123456789abcdef0123456789abcdef.0815"
        #expect(Self.mask.masking(subject) == subject)
        #expect(TokenMask(hiding: [subject], showing: [subject]).masking(subject) != subject)
    }

    @Test func `the query of a URL and an authorization response have secrets at their places`() {
        let url = Self.mask.masking(url: "https://graph.example/me?fields=id&access_token=EAB")
        #expect(url == "https://graph.example/me?fields=id&access_token=(hidden: 3 bytes)")
        let form = Self.mask.masking(pairs: [("code", "abc"), ("state", "s"), ("error", "access_denied")])
        #expect(form.map(\.value) == ["(hidden: 3 bytes)", "(hidden: 1 bytes)", "access_denied"])
    }
}
