import Crypto
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Apple simulator: pages and control interface")
struct ApplePagesTests {
    @Test func `the consent page says what it is and offers everybody`() async throws {
        try await AppleSimulator.running { apple in
            let page = try await WebClient.get(apple.authorizeURL(apple.webRequest()))

            #expect(page.text.contains("This is a simulator.") && !page.text.contains("<script"))
            for person in apple.people() { #expect(page.text.contains(#"name="person" value="\#(person.id)""#)) }
            #expect(page.text.contains("Hide my e-mail"))
            #expect(page.header("content-security-policy")?.contains("default-src 'none'") == true)
        }
    }

    @Test func `the pages escape the names of users and web sites`() async throws {
        let hostile = #"<script>alert("1")</script>'&"#
        let target = #"https://app.example/"><script>"#
        let application = AppleSimulator.Application(returnURLs: [target], name: hostile)
        try await AppleSimulator.running(.init(clock: .stopped(at: .epoch), application: application)) { apple in
            let eve = apple.add(.init(givenName: hostile, familyName: hostile, email: hostile))
            let request: KeyValuePairs = [
                "client_id": application.clientID, "redirect_uri": target, "response_type": "code",
                "response_mode": "form_post", "scope": "name email", "state": hostile,
            ]

            let consent = try await WebClient.get(apple.authorizeURL(request))
            let status = try await WebClient.get(apple.url + "/")
            let posted = try await apple.decide(as: eve, request: request)

            for page in [consent, status] { #expect(!page.text.contains("<script")) }
            #expect(posted.text.matches(of: /<script/).count == 1)
            #expect(posted.hiddenFields["state"] == hostile)
            let policy = try #require(posted.header("content-security-policy"))
            let script = try #require(posted.text.firstMatch(of: /<script>([^<]*)<\/script>/)?.output.1)
            let digest = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
            #expect(policy.contains("script-src 'sha256-\(digest)'"))
        }
    }

    @Test func `the front page lists users and registrations, and no private key`() async throws {
        try await AppleSimulator.running { apple in
            let page = try await WebClient.get(apple.url + "/")

            #expect(page.text.contains("ada@example.com") && page.text.contains("managed account without address"))
            #expect(page.text.contains(apple.defaultApplication.clientID) && page.text.contains(apple.key.keyID))
            #expect(!page.text.contains("PRIVATE KEY"))
        }
    }

    @Test func `users have pictures, and other paths have nothing`() async throws {
        try await AppleSimulator.running { apple in
            let picture = try await WebClient.get(apple.url + "/avatars/" + (try apple.ada.id))
            let nothing = try await WebClient.get(apple.url + "/auth/userinfo")

            #expect(picture.status == 200 && picture.header("content-type") == "image/svg+xml")
            #expect(nothing.status == 404)
        }
    }

    @Test func `curl gets codes, credentials and notifications without a browser`() async throws {
        try await AppleSimulator.running { apple in
            let control = apple.url + "/_simulator/"

            let code = try await WebClient.json("POST", control + "authorization-codes", #"{"givenName":"ada"}"#)
            let native = try await WebClient.json(
                "POST", control + "native-credentials", #"{"givenName":"Ben","rawNonce":"n"}"#)
            let notification = try await WebClient.json(
                "POST", control + "notifications", #"{"event":"consent-revoked","givenName":"Ben"}"#)
            let revocation = try await WebClient.json("POST", control + "revocations", #"{"givenName":"Ben"}"#)

            #expect(
                try await apple.redeem(try code.string("code"), redirectURI: try code.string("redirectUri")).status
                    == 200)
            let claims = try await apple.claims(of: try native.string("idToken"))
            #expect(claims["nonce"]?.string == AppleSimulator.hashed("n"))
            #expect(try native.string("givenName") == "Ben")
            #expect(try await apple.claims(of: try notification.string("payload"))["events"] != nil)
            #expect(revocation.status == 204)
            let again = apple.nativeCredential(for: try apple.person("Ben"), application: apple.nativeApplication)
            #expect(again.givenName == "Ben")
        }
    }

    @Test func `curl can add users, clients and keys`() async throws {
        try await AppleSimulator.running { apple in
            let control = apple.url + "/_simulator/"
            let key = AppleSimulator.Key(teamID: apple.teamID)
            let pem = try P256.Signing.PrivateKey(pemRepresentation: key.pem).publicKey.pemRepresentation

            _ = try await WebClient.json(
                "POST", control + "people", #"{"givenName":"Eve","email":"eve@example.com","hidesEmail":true}"#)
            let application = try await WebClient.json(
                "POST", control + "applications", #"{"clientId":"com.example.new","kind":"native"}"#)
            let registered = try await WebClient.json(
                "POST", control + "keys",
                #"{"keyId":"\#(key.keyID)","publicKeyPem":"\#(pem.replacing("\n", with: "\\n"))"}"#)

            #expect(try apple.person("Eve").hidesEmail)
            #expect(try application.string("teamId") == apple.teamID)
            #expect(apple.applications().contains { $0.clientID == "com.example.new" && $0.kind == .native })
            #expect(registered.status == 204)
            let answer = try await apple.redeem(try apple.code(), secret: try apple.secret(key: key))
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [
        ("native-credentials", #"{"givenName":"Zed"}"#, 404),
        ("native-credentials", #"{"givenName":"Ada","clientId":"x"}"#, 404),
        ("applications", #"{"kind":"desktop"}"#, 400), ("keys", #"{"keyId":"k","publicKeyPem":"x"}"#, 400),
        ("notifications", #"{"event":"party","givenName":"Ada"}"#, 400), ("people", #"{"givenName":7}"#, 400),
    ])
    func `the control interface refuses what it does not understand`(
        call: String, body: String, status: Int
    ) async throws {
        try await AppleSimulator.running { apple in
            let answer = try await WebClient.json("POST", apple.url + "/_simulator/" + call, body)

            #expect(try answer.status == status && answer.string("error").isEmpty == false)
        }
    }

    @Test func `an updated user keeps the subject`() async throws {
        try await AppleSimulator.running { apple in
            let ada = try apple.ada
            apple.update(personID: ada.id) { $0.email = "ada@new.example.com" }

            let claims = try await apple.claims(of: apple.idToken(for: ada, application: apple.nativeApplication))

            #expect(claims["email"] == "ada@new.example.com")
            #expect(claims["sub"]?.string == apple.subject(of: ada, for: apple.nativeApplication))
            #expect(apple.update(personID: "nobody") { $0.email = nil } == nil)
        }
    }
}
