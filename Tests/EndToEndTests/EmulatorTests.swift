import Foundation
import JOSE
import ProviderKit
import Testing

@Suite("broker demo --emulator", .timeLimit(.minutes(20)))
struct EmulatorTests {
    /// What firebase-admin writes with FIREBASE_AUTH_EMULATOR_HOST.
    private static func unsigned(_ claims: JSONObject) -> String {
        Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8) + "." + Base64URL.encode(claims.serialized().utf8) + "."
    }

    private static func parts(of token: String) throws -> (header: JSONValue, claims: JSONValue, signature: Substring) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        return (
            try JSONValue(parsing: try #require(Base64URL.decode(String(parts[0])))),
            try JSONValue(parsing: try #require(Base64URL.decode(String(parts[1])))), parts[2]
        )
    }

    @Test func `ID tokens have no algorithm and an empty signature, also after a refresh`() async throws {
        try await EmulatorApp.run { emulator in
            let session = try await emulator.signIn(customToken: #"{"uid":"ada","claims":{"role":"x"}}"#)
            let form = "grant_type=refresh_token&refresh_token=\(try #require(session["refreshToken"]?.string))"
            let refreshed = try await emulator.root.send(
                "POST", "/securetoken.googleapis.com/v1/token?key=other",
                headers: [("Content-Type", "application/x-www-form-urlencoded")], body: form)

            for token in [session["idToken"], refreshed.body["id_token"], refreshed.body["access_token"]] {
                let (header, claims, signature) = try Self.parts(of: try #require(token?.string, "\(refreshed)"))
                #expect(header == ["alg": "none", "typ": "JWT"] && signature.isEmpty)
                #expect(claims["aud"] == "demo-app" && claims["iss"] == "https://securetoken.google.com/demo-app")
                #expect(claims["sub"] == "ada" && claims["role"] == "x")
            }
            #expect(refreshed.body["project_id"] == "12345")
        }
    }

    @Test func `an unsigned custom token signs in, and its unsigned ID token is accepted`() async throws {
        try await EmulatorApp.run { emulator in
            let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
            let session = try await emulator.signIn(
                customToken: Self.unsigned(["uid": "ada", "aud": .string(audience)]))
            let found = try await emulator.lookup(try #require(session["idToken"]?.string))

            #expect(found.body["users"]?.array?.first?["localId"] == "ada", "\(found)")
        }
    }

    @Test(arguments: ["github.com", "oidc.acme"], ["id_token", "access_token"])
    func `the claims of a credential are the identity, at any provider`(provider: String, name: String) async throws {
        try await EmulatorApp.run { emulator in
            let claims: JSONObject = ["sub": "7", "email": "ada@example.com", "email_verified": true, "name": "Ada"]
            for credential in [claims.serialized(), Self.unsigned(claims)] {
                let body = FormEncoding.encode([(name: name, value: credential), (name: "providerId", value: provider)])
                let answer = try await emulator.client.post(
                    "/v1/accounts:signInWithIdp",
                    [
                        "requestUri": "http://localhost", "postBody": .string("&" + body), "returnSecureToken": true,
                    ])
                #expect(answer.status == 200 && answer.body["providerId"]?.string == provider, "\(answer)")
                #expect(answer.body["email"] == "ada@example.com" && answer.body["displayName"] == "Ada")
            }
            let refused = try await emulator.client.post(
                "/v1/accounts:signInWithIdp",
                ["requestUri": "http://localhost", "postBody": .string("id_token=x&providerId=\(provider)")])
            #expect(refused.errorCode == "INVALID_IDP_RESPONSE", "\(refused)")
        }
    }

    @Test func `every page says what it is`() async throws {
        try await EmulatorApp.run { emulator in
            for path in ["/sign-in", "/device", "/emulator/auth/handler"] {
                let page = try await emulator.root.get(path)
                #expect(page.text.contains("tests on this machine only"), "\(path): \(page)")
            }
        }
    }

    @Test func `the maintenance endpoints answer, and accounts are gone afterwards`() async throws {
        try await EmulatorApp.run { emulator in
            let token = try #require(try await emulator.signIn(customToken: #"{"uid":"ada"}"#)["idToken"]?.string)
            let export = try await emulator.client.send(
                "GET", "/v1/projects/demo-app/accounts:batchGet?maxResults=-1",
                headers: [("Authorization", "Bearer owner")])
            let deleted = try await emulator.root.send("DELETE", "/emulator/v1/projects/demo-app/accounts")
            let codes = try await emulator.root.get("/emulator/v1/projects/demo-app/oobCodes")
            let tenants = try await emulator.client.send(
                "GET", "/v2/projects/demo-app/tenants", headers: [("Authorization", "Bearer owner")])

            #expect(export.body["users"]?.array?.count == 1, "\(export)")
            #expect(deleted.status == 200 && deleted.body == [:] && codes.body == ["oobCodes": []])
            #expect(tenants.body == ["tenants": []])
            #expect(try await emulator.lookup(token).errorCode == "USER_NOT_FOUND")
            #expect(try await emulator.root.get("/").body["authEmulator"]?["ready"] == true)
        }
    }

    @Test func `projects have users of their own`() async throws {
        try await EmulatorApp.run { emulator in
            _ = try await emulator.signIn(customToken: #"{"uid":"ada"}"#)
            let other = try await emulator.client.send(
                "GET", "/v1/projects/other-app/accounts:batchGet?maxResults=-1",
                headers: [("Authorization", "Bearer ya29.any")])

            #expect(other.status == 200 && other.body["users"] == [], "\(other)")
        }
    }

    @Test(arguments: [("X-Forwarded-For", "192.0.2.1"), ("Via", "1.1 proxy"), ("Host", "id.example")])
    func `a request of another host or through a proxy is refused`(name: String, value: String) async throws {
        try await EmulatorApp.run { emulator in
            let answer = try await emulator.root.send("GET", "/", headers: [(name, value)])
            #expect(answer.status == 403 && answer.text.contains("this machine only"), "\(answer)")
        }
    }
}
