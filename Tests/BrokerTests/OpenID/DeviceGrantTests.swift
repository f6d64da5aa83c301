import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import Testing

@Suite("a device without a browser")
struct DeviceGrantTests {
    @Test func `shows a code, waits, and is signed in as the user who enters it`() async throws {
        try await TestBroker.runHosted { broker in
            let app = try await OAuthApp(at: broker, .native, redirectURIs: [])
            let started = try await app.post(
                "/oauth/device_authorization", [("scope", "openid email offline_access")])
            let code = try started.string("user_code")
            #expect(started["verification_uri"] == "http://127.0.0.1/device" && started["expires_in"] == 600)
            #expect(started["verification_uri_complete"]?.string == "http://127.0.0.1/device?user_code=\(code)")
            #expect(started["interval"] == 5 && code.contains(/^[B-Z]{4}-[B-Z]{4}$/))
            let device = try await TestDevice(of: app, scope: "openid email offline_access")
            #expect(try await device.poll().oauthError == "authorization_pending")

            let done = try await device.approve(in: TestBrowser(broker), as: broker.account("ada"))

            #expect(done.status == 200 && done.html.contains("Your device is signed in"), "\(done.html)")
            let answer = try await device.poll()
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer["refresh_token"]?.string?.hasPrefix("ort1_") == true)
            let claims = try await broker.openIDClaims(answer.string("id_token"), type: "JWT")
            let user = try await broker.signedInUser("ada")
            #expect(claims["sub"]?.string == user.localID && claims["email"] == "ada@example.com")
            #expect(claims["amr"] == ["fed"] && claims["auth_time"]?.integer == Timestamp(broker.clock.now).seconds)
            #expect(try await app.refresh(answer.string("refresh_token")).status == 200)
            #expect(try await broker.auditEvents(of: user.localID).contains("device.approved"))
        }
    }

    @Test func `discovery names the endpoint and the grant`() async throws {
        try await TestBroker.runHosted { broker in
            let document = try await broker.get("/.well-known/openid-configuration")

            #expect(
                document["device_authorization_endpoint"]?.string == "http://127.0.0.1/oauth/device_authorization")
            #expect(document["grant_types_supported"]?.array?.contains(.string(TestDevice.grantType)) == true)
        }
    }

    @Test func `a device that polls too often receives slow_down, and five seconds more once an interval`() async throws
    {
        try await TestBroker.runHosted { broker in
            let device = try await TestDevice(at: broker)
            func poll(after seconds: TimeInterval) async throws -> String? {
                broker.clock.advance(seconds: seconds)
                return try await device.poll().oauthError
            }

            #expect(try await poll(after: 0) == "authorization_pending", "the first poll is never too early")
            #expect(try await poll(after: 5) == "authorization_pending")
            #expect(try await poll(after: 4.5) == "authorization_pending", "networks are not that punctual")
            #expect(try await poll(after: 2) == "slow_down")
            #expect(try await poll(after: 5) == "slow_down", "ten seconds now")
            #expect(try await poll(after: 5) == "authorization_pending", "ten seconds after the first early poll")
            #expect(try await poll(after: 5) == "slow_down")
            #expect(try await poll(after: 10) == "slow_down", "fifteen now")
            #expect(try await poll(after: 5) == "authorization_pending")
        }
    }

    @Test func `of twenty polls at once one gets the tokens`() async throws {
        try await TestBroker.runHosted { broker in
            let device = try await TestDevice(at: broker)
            _ = try await device.approve(in: TestBrowser(broker), as: broker.account("ada"))

            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await device.poll() } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }

            #expect(answers.filter { $0.status == 200 }.count == 1)
            #expect(answers.filter { $0.oauthError == "invalid_grant" }.count == 19)
            let user = try await broker.signedInUser("ada")
            let sessions = try await broker.core.store.read { try $0.sessions(of: user.key) }
            #expect(sessions.filter { $0.family == .oauth }.count == 1)
        }
    }

    @Test func `a denied device and a device with an expired code receive no tokens`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            let first = try await TestDevice(at: broker)
            _ = try await first.approve(in: browser, as: broker.account("ada"))
            let (denied, late) = (try await TestDevice(at: broker), try await TestDevice(at: broker))

            let page = try await browser.submit(
                "/device", on: try await denied.open(in: browser), ["decision": "deny"])
            #expect(page.html.contains("You denied the request"))
            #expect(try await denied.poll().oauthError == "access_denied")

            let question = try await late.open(in: browser)
            broker.clock.advance(seconds: 601)
            #expect(try await late.poll().oauthError == "expired_token")
            let tooLate = try await browser.submit("/device", on: question, ["decision": "allow"])
            #expect(tooLate.html.contains("expired or was already used"), "\(tooLate.html)")
            #expect(try await late.poll().oauthError == "expired_token")
        }
    }

    @Test func `a code is its client's alone`() async throws {
        try await TestBroker.runHosted { broker in
            let device = try await TestDevice(at: broker)
            _ = try await device.approve(in: TestBrowser(broker), as: broker.account("ada"))
            let thief = try await OAuthApp(at: broker, .native, redirectURIs: [])

            #expect(try await device.poll(as: thief).oauthError == "invalid_grant")
            #expect(try await device.poll().status == 200)
        }
    }

    @Test func `a confidential client shows its secret first, and a scope has to be named`() async throws {
        try await TestBroker.runHosted { broker in
            let app = try await OAuthApp(at: broker)
            let impostor = OAuthApp(broker: broker, client: app.client, secret: nil)

            let unproven = try await impostor.post("/oauth/device_authorization", [("scope", "openid")])
            let aimless = try await app.post("/oauth/device_authorization", [("scope", "everything")])
            let proven = try await app.post("/oauth/device_authorization", [("scope", "openid")])

            #expect(unproven.status == 401 && unproven.oauthError == "invalid_client")
            #expect(aimless.status == 400 && aimless.oauthError == "invalid_scope")
            #expect(proven.status == 200)
            #expect(proven.headers.first(name: "Cache-Control") == "no-store")
        }
    }

    @Test func `an app in a browser is sent to the authorization endpoint`() async throws {
        try await TestBroker.runHosted { broker in
            let app = try await OAuthApp(at: broker, .public)

            let answer = try await app.post("/oauth/device_authorization", [("scope", "openid")])

            #expect(answer.status == 400 && answer.oauthError == "unauthorized_client", "\(answer.text)")
        }
    }

    @Test func `an approval dies with the session it was given in, and with the user's sessions`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            let (signedOut, everywhere) = (try await TestDevice(at: broker), try await TestDevice(at: broker))
            _ = try await signedOut.approve(in: browser, as: broker.account("ada"))
            let user = try await broker.signedInUser("ada")
            let sessions = try await broker.core.store.read { try $0.sessions(of: user.key) }
            for session in sessions where session.family == .web {
                _ = try await broker.core.sessions.revokeSession(session.id, origin: Origin(.admin))
            }
            #expect(try await signedOut.poll().oauthError == "access_denied")

            _ = try await everywhere.approve(in: TestBrowser(broker), as: broker.account("ada"))
            _ = try await broker.core.accounts.disableUser(localID: user.localID, origin: Origin(.admin))
            #expect(try await everywhere.poll().oauthError == "access_denied")
        }
    }

    @Test func `signing out at the pages ends the device's session`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            let device = try await TestDevice(at: broker)
            _ = try await device.approve(in: browser, as: broker.account("ada"))
            let tokens = try await device.poll()
            #expect(try await broker.userInfo(tokens.string("access_token")).status == 200)

            _ = try await browser.submit("sign-out", on: try await browser.visit("/account"))

            #expect(try await broker.userInfo(tokens.string("access_token")).status == 401)
        }
    }
}
