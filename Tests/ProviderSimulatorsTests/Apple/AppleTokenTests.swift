import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple simulator: tokens")
struct AppleTokenTests {
    @Test func `a code becomes tokens once`() async throws {
        try await AppleSimulator.running { apple in
            let code = try apple.code(nonce: "n")

            let answer = try await apple.redeem(code)
            let again = try await apple.redeem(code)

            #expect(
                Set(try answer.json.keys) == [
                    "access_token", "token_type", "expires_in", "refresh_token", "id_token",
                ])
            #expect(try answer.json["expires_in"] as? Int == 3600 && answer.string("token_type") == "Bearer")
            #expect(answer.header("content-type") == "application/json;charset=UTF-8")
            #expect(answer.header("cache-control") == "no-store" && answer.header("pragma") == "no-cache")
            #expect(try again.status == 400 && again.string("error") == "invalid_grant")
            #expect(try again.string("error_description") == "The code has already been used.")
        }
    }

    @Test func `a code lives five minutes`() async throws {
        try await AppleSimulator.running { apple in
            let (young, old) = (try apple.code(), try apple.code())
            apple.clock.advance(by: .seconds(299))
            let inTime = try await apple.redeem(young)
            apple.clock.advance(by: .seconds(1))
            let late = try await apple.redeem(old)

            #expect(inTime.status == 200)
            #expect(try late.string("error_description") == "The code has expired or has been revoked.")
        }
    }

    @Test func `a device's code goes without redirect URI, a web page's with its own`() async throws {
        try await AppleSimulator.running { apple in
            func native() throws -> String {
                apple.nativeCredential(for: try apple.ada, application: apple.nativeApplication).authorizationCode
            }
            let app = apple.nativeApplication

            let good = try await apple.redeem(try native(), as: app, redirectURI: nil)
            let tooMuch = try await apple.redeem(try native(), as: app)
            let missing = try await apple.redeem(try apple.code(), redirectURI: nil)
            let other = try await apple.redeem(try apple.code(), redirectURI: "https://example.com")

            #expect(good.status == 200)
            for answer in [tooMuch, missing, other] {
                #expect(try answer.string("error") == "invalid_grant")
                #expect(try answer.string("error_description").contains("redirect_uri"))
            }
        }
    }

    @Test func `a code belongs to its client`() async throws {
        try await AppleSimulator.running { apple in
            let code = try apple.code()

            let stolen = try await apple.redeem(code, as: apple.nativeApplication)
            let own = try await apple.redeem(code)

            #expect(
                try stolen.string("error_description")
                    == "client_id mismatch. The code was not issued to \(apple.nativeApplication.clientID).")
            #expect(own.status == 200)
        }
    }

    @Test func `an ID token has Apple's claims and is bound to what came with it`() async throws {
        try await AppleSimulator.running { apple in
            let answer = try await apple.redeem(try apple.code(nonce: "raw"))
            let token = try answer.string("id_token")
            let header = try CompactJWS(parsing: token).header
            let claims = try await apple.claims(of: token)

            let now = Int64(Date.epoch.timeIntervalSince1970)
            let hash = Array(SHA256.hash(data: Data(try answer.string("access_token").utf8)).prefix(16))
            #expect(header.algorithm == "RS256" && header.keyID?.utf8.count == 10 && header.type == nil)
            #expect(claims["iss"]?.string == apple.url)
            #expect(claims["aud"]?.string == apple.defaultApplication.clientID)
            #expect(claims["iat"]?.integer == now && claims["exp"]?.integer == now + 86_400)
            #expect(claims["nonce"] == "raw" && claims["nonce_supported"] == "true")
            #expect(claims["email"] == "ada@example.com" && claims["email_verified"] == "true")
            #expect(claims["at_hash"]?.string == Base64URL.encode(hash))
            #expect(claims["name"] == nil && claims["is_private_email"] == nil && claims["real_user_status"] == nil)
            #expect(claims["sub"]?.string?.wholeMatch(of: /00\d{4}\.[0-9a-f]{32}\.\d{4}/) != nil)
        }
    }

    @Test func `a subject is the same for all clients of a team and another for every other team`() async throws {
        try await AppleSimulator.running { apple in
            let foreign = apple.register(.init(kind: .native, teamID: "OTHERTEAM1"))
            func subject(_ application: AppleSimulator.Application) async throws -> JSONValue? {
                try await apple.claims(of: apple.idToken(for: try apple.ada, application: application))["sub"]
            }

            let web = try await subject(apple.defaultApplication)
            apple.revokeGrant(of: try apple.ada, application: apple.defaultApplication)

            #expect(try await subject(apple.nativeApplication) == web)
            #expect(try await subject(foreign) != web)
        }
    }

    @Test(
        arguments: [
            (AppleSimulator.BooleanStyle.string, "true", "true"), (.boolean, true, true), (.absent, nil, nil),
        ] as [(AppleSimulator.BooleanStyle, JSONValue?, JSONValue?)])
    func `truth is written in three ways`(
        style: AppleSimulator.BooleanStyle, verified: JSONValue?, isPrivate: JSONValue?
    ) async throws {
        try await AppleSimulator.running { apple in
            apple.behaviour.booleans = style
            let token = apple.idToken(for: try apple.person("Ben"), application: apple.nativeApplication)

            let claims = try await apple.claims(of: token)

            #expect(claims["email_verified"] == verified && claims["is_private_email"] == isPrivate)
            #expect(claims["nonce_supported"] == verified)
        }
    }

    @Test func `a managed account has no address, and an organisation`() async throws {
        try await AppleSimulator.running { apple in
            let cleo = try apple.person("Cleo")
            let credential = apple.nativeCredential(for: cleo, application: apple.nativeApplication)

            let claims = try await apple.claims(of: credential.idToken)

            #expect(claims["email"] == nil && claims["email_verified"] == nil && credential.email == nil)
            #expect(claims["org_id"] != nil)
        }
    }

    @Test func `a device's token repeats the hashed nonce, and has real_user_status the first time`() async throws {
        try await AppleSimulator.running { apple in
            func claims() async throws -> JSONObject {
                let credential = apple.nativeCredential(
                    for: try apple.ada, application: apple.nativeApplication, rawNonce: "abc")
                return try await apple.claims(of: credential.idToken)
            }
            let (first, second) = (try await claims(), try await claims())
            apple.behaviour.supportsNonce = false
            let third = try await claims()

            // The example of FIPS 180-4.
            #expect(first["nonce"] == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            #expect(first["real_user_status"] == 2 && second["real_user_status"] == nil)
            #expect(third["nonce"] == nil && third["nonce_supported"] == "false")
        }
    }

    @Test func `two issuers and forged tokens can be asked for`() async throws {
        try await AppleSimulator.running { apple in
            func issuer() async throws -> String? {
                try await apple.claims(of: apple.idToken(for: try apple.ada, application: apple.nativeApplication))[
                    "iss"]?.string
            }
            apple.behaviour.issuer = .appleID
            let appleID = try await issuer()
            apple.behaviour.issuer = .account
            let account = try await issuer()
            apple.forgery = .wrongIssuer
            let forged = try await issuer()
            apple.restoreTokens()
            apple.replaceClaim("iss", with: "x")
            let replaced = try await issuer()

            #expect(appleID == "https://appleid.apple.com" && account == "https://account.apple.com")
            #expect(forged == "https://account.apple.com.example" && replaced == "x")
        }
    }
}
