import Foundation
import ProviderSimulators
import Testing

@Suite("GitLab simulator: device flow")
struct GitLabDeviceTests {
    private static func start(_ gitlab: GitLabSimulator, scope: String = "openid read_user") async throws
        -> WebClient.Answer
    {
        try await WebClient.post(
            gitlab.url + "/oauth/authorize_device",
            [
                "client_id": gitlab.defaultApplication.clientID,
                "client_secret": gitlab.defaultApplication.clientSecret, "scope": scope,
            ])
    }

    private static func poll(_ gitlab: GitLabSimulator, _ deviceCode: String) async throws -> WebClient.Answer {
        try await gitlab.tokens([
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": deviceCode,
        ])
    }

    @Test func `a device shows eight characters and receives its tokens after the user consents`() async throws {
        try await GitLabSimulator.running(.init(pathPrefix: "/gitlab")) { gitlab in
            let started = try await Self.start(gitlab).json
            let (device, user) = (
                try #require(started["device_code"] as? String), try #require(started["user_code"] as? String)
            )
            #expect(user.wholeMatch(of: /[A-Z0-9]{8}/) != nil)
            #expect(started["verification_uri"] as? String == gitlab.url + "/oauth/device")
            #expect(started["verification_uri_complete"] as? String == gitlab.url + "/oauth/device?user_code=" + user)
            #expect(started["expires_in"] as? Int == 300 && started["interval"] as? Int == 5)
            #expect(try await Self.poll(gitlab, device).json["error"] as? String == "authorization_pending")

            let entry = try await WebClient.get(gitlab.url + "/oauth/device?user_code=" + user)
            #expect(entry.text.contains(#"value="\#(user)""#))
            let consent = try await WebClient.post(gitlab.url + "/oauth/device", ["user_code": user.lowercased()])
            #expect(consent.text.contains("Connect the device of Example application?"))
            let done = try await WebClient.post(
                gitlab.url + "/oauth/device",
                ["user_code": user, "person": String(try gitlab.ada.id), "decision": "authorize"])
            #expect(done.text.contains("Your device is connected."))
            gitlab.clock.advance(by: 6)
            let granted = try await Self.poll(gitlab, device)
            #expect(granted.status == 200)
            #expect(try granted.json["scope"] as? String == "openid read_user")
            #expect(try granted.json["id_token"] is String)
            #expect(try await Self.poll(gitlab, device).json["error"] as? String == "invalid_grant")
        }
    }

    @Test func `devices that poll too fast, too late or after a denial receive status 400`() async throws {
        try await GitLabSimulator.running { gitlab in
            let first = try await Self.start(gitlab).json
            let (device, user) = (first["device_code"] as? String ?? "", first["user_code"] as? String ?? "")
            _ = try await Self.poll(gitlab, device)
            let hasty = try await Self.poll(gitlab, device)
            #expect(hasty.status == 400)
            #expect(try hasty.json["error"] as? String == "slow_down")
            gitlab.denyDevice(userCode: user)
            gitlab.clock.advance(by: 20)
            #expect(try await Self.poll(gitlab, device).json["error"] as? String == "access_denied")

            let late = try await Self.start(gitlab).json["device_code"] as? String ?? ""
            gitlab.clock.advance(by: 301)
            #expect(try await Self.poll(gitlab, late).json["error"] as? String == "expired_token")
        }
    }

    @Test func `a device asks for registered scopes, and as a client that proves itself`() async throws {
        try await GitLabSimulator.running { gitlab in
            #expect(try await Self.start(gitlab, scope: "api").json["error"] as? String == "invalid_scope")
            let unproven = try await WebClient.post(
                gitlab.url + "/oauth/authorize_device",
                ["client_id": gitlab.defaultApplication.clientID, "scope": "openid"])
            #expect(unproven.status == 401)
        }
    }
}
