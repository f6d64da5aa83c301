import BrokerStore
import Foundation
import JOSE
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

/// What becomes of CR and LF, by which a request to a provider could become two.
@Suite("line breaks in what goes to a provider")
struct LineBreakTests {
    private static let smuggled = "\r\nX-Smuggled: yes\r\n\r\nGET /smuggled HTTP/1.1"

    /// Whether any request has a header that came with a credential.
    private static func isSmuggled(_ requests: [RecordedRequest]) -> Bool {
        requests.contains { $0.header("X-Smuggled") != nil || $0.path.contains("smuggled") }
    }

    @Test func `a code with line breaks is not sent, and one with form characters is one field`() async throws {
        try await TestProviders.runHosted { broker, providers in
            let person = try providers.person(at: "github.com", email: "ann@example.com")
            func callback(code: String) async throws -> TestBrowser.Page {
                let browser = TestBrowser(broker)
                let consent = try await browser.follow("GitHub", on: try await browser.visit("/sign-in"))
                let url = try await browser.answer(on: consent, person)
                let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
                let fields = try #require(FormEncoding.decode(parts[1].utf8))
                let changed = fields.map { ($0.name, $0.name == "code" ? code : $0.value) }
                return try await browser.open(
                    parts[0] + "?" + FormEncoding.encode(changed.map { (name: $0.0, value: $0.1) }))
            }
            let hits = broker.simulator.hits(.accessToken)

            _ = try await callback(code: "c" + Self.smuggled)
            let afterBreaks = broker.simulator.hits(.accessToken)
            _ = try await callback(code: "c&client_id=evil;%0d%0a+=?#")

            #expect(afterBreaks == hits)
            let request = try #require(broker.simulator.requests(.accessToken).last)
            let fields = try #require(FormEncoding.decode(request.body))
            #expect(fields.filter { $0.name == "code" }.map(\.value) == ["c&client_id=evil;%0d%0a+=?#"])
            #expect(fields.count { $0.name == "client_id" } <= 1 && request.query.isEmpty)
        }
    }

    @Test func `a provider's refresh token with line breaks goes back form-encoded or not at all`() async throws {
        try await TestProviders.run { broker, providers in
            let gitLab = providers.gitLab
            let access = gitLab.accessToken(for: gitLab.people()[0], application: gitLab.defaultApplication)
            let body: JSONValue = [
                "access_token": .string(access), "token_type": "Bearer", "expires_in": 7200, "scope": "read_user",
                "created_at": .integer(Timestamp(broker.clock.now).seconds),
                "refresh_token": .string("r" + Self.smuggled),
            ]
            gitLab.fail(
                .token,
                with: .response(
                    status: 200, headers: ["Content-Type": "application/json"], body: Array(body.serialized().utf8)),
                times: 1)
            let answer = try await broker.signInWithCode(gitLab.people()[0], at: gitLab)
            let localID = try answer.string("localId")
            broker.clock.advance(seconds: 7200)
            let hits = gitLab.hits(.token)

            _ = try await TokenBackend(of: broker).read(localID, at: broker)

            let requests = gitLab.requests(.token).suffix(gitLab.hits(.token) - hits)
            #expect(!Self.isSmuggled(gitLab.requests(.token)))
            for request in requests {
                #expect(!request.body.contains(UInt8(ascii: "\n")) && !request.body.contains(UInt8(ascii: "\r")))
                let fields = try #require(FormEncoding.decode(request.body))
                #expect(fields.first { $0.name == "refresh_token" }?.value == "r" + Self.smuggled)
            }
            #expect(!requests.isEmpty)
        }
    }

    @Test func `a key id with line breaks is looked for in the key set and sent nowhere`() async throws {
        try await TestProviders.run { broker, providers in
            let apple = providers.apple
            let nonce = RandomText.alphanumeric(32)
            let native = apple.nativeCredential(
                for: apple.people()[0], application: apple.nativeApplication, rawNonce: nonce)
            let parts = native.idToken.split(separator: ".").map(String.init)
            let header: JSONValue = ["alg": "RS256", "kid": .string("k" + Self.smuggled)]
            let token = [Base64URL.encode(Array(header.serialized().utf8)), parts[1], parts[2]].joined(separator: ".")

            let answer = try await broker.signIn(
                postBody: [("id_token", token), ("nonce", nonce), ("providerId", "apple.com")])

            #expect(answer.code == "INVALID_IDP_RESPONSE", "\(answer.text)")
            let requests = apple.requests(.keys) + apple.requests(.discovery)
            #expect(!Self.isSmuggled(requests) && requests.allSatisfy { $0.query.isEmpty && $0.body.isEmpty })
        }
    }
}
