import Foundation
import ProviderSimulators
import Testing

@Suite("GitHub simulator: device flow")
struct DeviceFlowTests {
    private let clock = SimulatorClock.stopped(at: .epoch)
    private let application = GitHubSimulator.Application(deviceFlowEnabled: true)

    private var options: GitHubSimulator.Options { .init(clock: clock, application: application) }

    private func start(_ github: GitHubSimulator, scope: String = "user:email") async throws -> WebClient.Answer {
        try await WebClient.post(
            github.url + "/login/device/code", ["client_id": application.clientID, "scope": scope])
    }

    private func poll(
        _ github: GitHubSimulator, _ deviceCode: String, as clientID: String? = nil
    ) async throws -> [String: Any] {
        let answer = try await WebClient.post(
            github.tokenURL,
            [
                "client_id": clientID ?? application.clientID, "device_code": deviceCode,
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
            ])
        #expect(answer.status == 200)
        return try answer.json
    }

    @Test func `the device gets its codes and where to go with them`() async throws {
        try await GitHubSimulator.running(options) { github in
            let json = try await start(github).json
            let form = try await WebClient.post(
                github.url + "/login/device/code", ["client_id": application.clientID], accept: nil)

            #expect((json["device_code"] as? String)?.count == 40)
            #expect((json["user_code"] as? String)?.wholeMatch(of: /[A-Z0-9]{4}-[A-Z0-9]{4}/) != nil)
            #expect(json["verification_uri"] as? String == github.url + "/login/device")
            #expect(json["expires_in"] as? Int == 900)
            #expect(json["interval"] as? Int == 5)
            #expect(json["verification_uri_complete"] == nil)
            #expect(form.form["interval"] == "5")
        }
    }

    @Test func `a device waits, is slowed down when hasty, and gets a token without secret`() async throws {
        try await GitHubSimulator.running(options) { github in
            let started = try await start(github).json
            let deviceCode = try #require(started["device_code"] as? String)
            let userCode = try #require(started["user_code"] as? String)

            let pending = try await poll(github, deviceCode)
            clock.advance(by: 4)
            let hasty = try await poll(github, deviceCode)
            #expect(github.approveDevice(userCode: userCode, for: try github.ada))
            clock.advance(by: 9)
            let stillHasty = try await poll(github, deviceCode)
            clock.advance(by: 15)
            let done = try await poll(github, deviceCode)
            let again = try await poll(github, deviceCode)

            #expect(pending["error"] as? String == "authorization_pending")
            #expect(hasty["error"] as? String == "slow_down")
            #expect(hasty["interval"] as? Int == 10)
            #expect(stillHasty["interval"] as? Int == 15)
            #expect(done["scope"] as? String == "user:email")
            #expect((done["access_token"] as? String)?.hasPrefix("gho_") == true)
            #expect(again["error"] as? String == "incorrect_device_code")
        }
    }

    @Test func `codes expire after a quarter of an hour`() async throws {
        try await GitHubSimulator.running(options) { github in
            let started = try await start(github).json

            clock.advance(by: 900)

            #expect(
                try await poll(github, started["device_code"] as? String ?? "")["error"] as? String == "expired_token")
            #expect(!github.approveDevice(userCode: started["user_code"] as? String ?? "", for: try github.ada))
        }
    }

    @Test func `what is wrong has its own error`() async throws {
        try await GitHubSimulator.running(options) { github in
            let disabled = github.register(.init())
            let started = try await start(github).json
            let deviceCode = try #require(started["device_code"] as? String)
            github.denyDevice(userCode: started["user_code"] as? String ?? "")

            let off = try await WebClient.post(github.url + "/login/device/code", ["client_id": disabled.clientID])
            let nobody = try await WebClient.post(github.url + "/login/device/code", ["client_id": "nobody"])
            let denied = try await poll(github, deviceCode)
            let unknown = try await poll(github, deviceCode, as: "nobody")

            #expect(off.status == 200)
            #expect(try off.json["error"] as? String == "device_flow_disabled")
            #expect(nobody.status == 404)
            #expect(denied["error"] as? String == "access_denied")
            #expect(unknown["error"] as? String == "incorrect_client_credentials")
            #expect(try await poll(github, "unknown")["error"] as? String == "incorrect_device_code")
        }
    }

    @Test(arguments: ["authorize", "cancel"])
    func `the user decides on the page`(decision: String) async throws {
        try await GitHubSimulator.running(options) { github in
            let started = try await start(github).json
            let userCode = try #require(started["user_code"] as? String)
            let page = github.url + "/login/device"

            let entry = try await WebClient.get(page)
            let wrong = try await WebClient.post(page, ["user_code": "AAAA-0000"])
            let consent = try await WebClient.post(page, ["user_code": userCode.lowercased()])
            let done = try await WebClient.post(
                page,
                [
                    "user_code": userCode, "person": "\(try github.ada.id)", "scope": "user:email",
                    "decision": decision,
                ])
            let polled = try await poll(github, started["device_code"] as? String ?? "")

            #expect(entry.text.contains("Code shown on your device"))
            #expect(wrong.status == 422)
            #expect(consent.text.contains(application.name))
            #expect(done.status == 200)
            #expect(polled["scope"] as? String == (decision == "authorize" ? "user:email" : nil))
            #expect(polled["error"] as? String == (decision == "authorize" ? nil : "access_denied"))
        }
    }

    @Test func `fifty codes an hour may be entered`() async throws {
        try await GitHubSimulator.running(options) { github in
            let userCode = try #require(try await start(github).json["user_code"] as? String)
            for _ in 0..<50 {
                _ = try await WebClient.post(github.url + "/login/device", ["user_code": userCode])
            }

            #expect(try await WebClient.post(github.url + "/login/device", ["user_code": userCode]).status == 429)
        }
    }

    @Test func `a GitHub App's device refreshes without secret`() async throws {
        let application = GitHubSimulator.Application(kind: .gitHubApp(), deviceFlowEnabled: true)
        try await GitHubSimulator.running(.init(application: application)) { github in
            let started = try await WebClient.post(
                github.url + "/login/device/code", ["client_id": application.clientID]
            ).json
            github.approveDevice(userCode: started["user_code"] as? String ?? "", for: try github.ada)
            let token = try await WebClient.post(
                github.tokenURL,
                [
                    "client_id": application.clientID, "device_code": started["device_code"] as? String ?? "",
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                ]
            ).json

            let refreshed = try await WebClient.post(
                github.tokenURL,
                [
                    "client_id": application.clientID, "grant_type": "refresh_token",
                    "refresh_token": token["refresh_token"] as? String ?? "",
                ]
            ).json

            #expect((refreshed["access_token"] as? String)?.hasPrefix("ghu_") == true)
        }
    }
}
