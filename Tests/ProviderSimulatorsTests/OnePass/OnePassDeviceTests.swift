import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass simulator: devices")
struct OnePassDeviceTests {
    private let clock = SimulatorClock.stopped(at: .epoch)

    private func startFlow(_ onePass: OnePassSimulator, _ scope: String = "openid email") async throws -> [String: Any]
    {
        try await WebClient.post(
            onePass.url + "/oauth/device_authorization",
            ["client_id": onePass.defaultApplication.clientID, "scope": scope]
        ).json
    }

    private func poll(_ onePass: OnePassSimulator, _ deviceCode: String) async throws -> WebClient.Answer {
        try await onePass.post(
            onePass.tokenURL, as: onePass.defaultApplication,
            ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": deviceCode])
    }

    @Test func `a device waits, is slowed down when hasty, and gets tokens`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let started = try await startFlow(onePass)
            let deviceCode = try #require(started["device_code"] as? String)
            let userCode = try #require(started["user_code"] as? String)
            let pending = try await poll(onePass, deviceCode)
            let hasty = try await poll(onePass, deviceCode)
            #expect(onePass.approveDevice(userCode: userCode, for: try onePass.named("ada")))
            clock.advance(by: 10)
            let done = try await poll(onePass, deviceCode).json
            let again = try await poll(onePass, deviceCode)

            #expect(started["interval"] as? Int == 5 && started["expires_in"] as? Int == 900)
            let page = try #require(started["verification_uri"] as? String)
            #expect(started["verification_uri_complete"] as? String == "\(page)?user_code=\(userCode)")
            #expect(pending.status == 400)
            #expect(try pending.json["error"] as? String == "authorization_pending")
            #expect(try hasty.json["error"] as? String == "slow_down")
            #expect(try claims(of: done["id_token"] as? String)["nonce"] == nil)
            #expect(done["scope"] as? String == "openid email")
            #expect(try again.json["error"] as? String == "invalid_grant")
        }
    }

    @Test func `a device is turned away, or comes too late`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let denied = try await startFlow(onePass)
            onePass.denyDevice(userCode: denied["user_code"] as? String ?? "")
            let late = try await startFlow(onePass)
            let refusal = try await poll(onePass, denied["device_code"] as? String ?? "")
            clock.advance(by: 900)
            let expiry = try await poll(onePass, late["device_code"] as? String ?? "")

            #expect(try refusal.json["error"] as? String == "access_denied")
            #expect(try expiry.json["error"] as? String == "expired_token")
        }
    }

    @Test func `the user approves a device on its page`() async throws {
        try await OnePassSimulator.running { onePass in
            let started = try await startFlow(onePass)
            let link = try #require(started["verification_uri_complete"] as? String)
            let userCode = try #require(started["user_code"] as? String)
            let entry = try await WebClient.get(link)
            let page = try #require(started["verification_uri"] as? String)
            let consent = try await WebClient.post(page, ["user_code": userCode])
            let done = try await WebClient.post(
                page,
                [
                    "user_code": userCode, "decision": "authorize", "person": "\(try onePass.named("ada").id)",
                    "scope": "openid",
                ])
            let tokens = try await poll(onePass, started["device_code"] as? String ?? "")

            #expect(entry.text.contains(#"value="\#(userCode)""#))
            #expect(consent.text.contains("Example application"))
            #expect(done.text.contains("Your device is connected."))
            #expect(try tokens.json["scope"] as? String == "openid")
        }
    }

    @Test(arguments: [
        ("/devices", "device_uuid", "platform"), ("/auth/anonymous_bootstrap", "device_id", "device_platform"),
    ])
    func `a device receives its secret once and authenticates with it later`(
        path: String, name: String, platform: String
    ) async throws {
        try await OnePassSimulator.running { onePass in
            func enter(_ secret: String? = nil) async throws -> WebClient.Answer {
                let extra = secret.map { #","device_secret":"\#($0)""# } ?? ""
                return try await onePass.api("POST", path, #"{"\#(name)":"d1","\#(platform)":"ios"\#(extra)}"#)
            }
            let first = try await enter().json
            let secret = try #require(first["device_secret"] as? String)
            let second = try await enter(secret)
            let wrong = try await enter("wrong")

            #expect((first["access_token"] as? String)?.hasPrefix("logi_pak_") == true)
            #expect(second.status == 200)
            #expect(try second.json["device_secret"] == nil)
            #expect(wrong.status == 401)
            #expect(try wrong.json["error"] as? String == "invalid_device_secret")
            #expect(onePass.people().filter { $0.isAnonymous }.count == 2)
        }
    }

    @Test func `a device without its secret is refused at one address and starts over at the other`() async throws {
        try await OnePassSimulator.running { onePass in
            let device = #"{"device_uuid":"d1","platform":"ios"}"#
            let bootstrap = #"{"device_id":"d2","device_platform":"macos"}"#
            _ = try await onePass.api("POST", "/devices", device)
            let first = try await onePass.api("POST", "/auth/anonymous_bootstrap", bootstrap).json
            let again = try await onePass.api("POST", "/auth/anonymous_bootstrap", bootstrap).json

            #expect(try await onePass.api("POST", "/devices", device).status == 401)
            let users = [first, again].map { ($0["user"] as? [String: Any])?["id"] as? Int64 }
            #expect(users[0] != nil && users[0] != users[1])
            #expect(again["device_secret"] is String)
        }
    }

    @Test func `a signed-in device exchanges its token, ten times an hour`() async throws {
        try await OnePassSimulator.running(.init(clock: clock)) { onePass in
            let (ada, ben) = (try onePass.named("ada"), try onePass.named("ben"))
            let token = onePass.accessToken(for: ada, application: onePass.defaultApplication)
            func exchange(_ token: String, _ secret: String = "") async throws -> WebClient.Answer {
                try await onePass.api(
                    "POST", "/me/device_keys/exchange", key: token,
                    #"{"device_uuid":"d1","platform":"ios"\#(secret)}"#)
            }
            let first = try await exchange(token).json
            let secret = #","device_secret":"\#(try #require(first["device_secret"] as? String))""#
            let foreign = try await exchange(
                onePass.accessToken(for: ben, application: onePass.defaultApplication), secret)
            for _ in 2...10 { #expect(try await exchange(token, secret).status == 200) }
            let eleventh = try await exchange(token, secret)
            let key = try #require(first["access_token"] as? String)

            #expect((first["device"] as? [String: Any])?["id"] is Int)
            #expect(foreign.status == 409)
            #expect(try foreign.json["error"] as? String == "device_claimed_by_other_user")
            #expect(eleventh.status == 429 && eleventh.header("retry-after") == "3600")
            #expect(try await exchange(key, secret).status == 401)
        }
    }

    @Test func `an application is disconnected with a personal key, once`() async throws {
        try await OnePassSimulator.running { onePass in
            let ada = try onePass.named("ada")
            let application = onePass.defaultApplication
            let tokens = onePass.tokens(for: ada, application: application)
            let path = "/me/connected_apps/\(application.clientID)"
            func disconnect(_ key: String) async throws -> Int {
                try await onePass.api("DELETE", path, key: key).status
            }

            #expect(try await disconnect(tokens.accessToken) == 401)
            #expect(try await disconnect(onePass.personalKey(for: ada, scopes: ["profile:basic"])) == 403)
            #expect(onePass.isLive(token: tokens.accessToken))
            #expect(try await disconnect(onePass.personalKey(for: ada)) == 204)
            #expect(!onePass.isLive(token: tokens.accessToken))
            #expect(try await onePass.refresh(tokens.refreshToken).status == 400)
            #expect(try await disconnect(onePass.personalKey(for: ada)) == 404)
            #expect(onePass.events(for: application).map(\.type) == [.consentRevoked, .userUnlinked])
        }
    }
}
