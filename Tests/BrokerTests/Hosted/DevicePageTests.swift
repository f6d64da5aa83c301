import Broker
import BrokerStore
import Foundation
import ProviderKit
import Testing

@Suite("the page for devices")
struct DevicePageTests {
    @Test func `asks for the code, says when it is wrong, and keeps what was typed`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            let entry = try await browser.visit("/device")
            #expect(entry.status == 200 && entry.hasCodeEntry)

            for typed in ["BCDF-GHJK", "hello", "<script>alert(1)</script>"] {
                let wrong = try await browser.submit("/device", on: entry, ["user_code": typed])
                #expect(wrong.status == 400 && wrong.html.contains("This code is not known"), "\(wrong.html)")
                #expect(!wrong.html.contains("<script"))
            }
            let linked = try await browser.visit("/device?user_code=BCDF-GHJK")
            #expect(linked.html.contains("This code is not known") && linked.html.contains("BCDF-GHJK"))
        }
    }

    @Test func `a code that is typed in any way leads to the sign-in, and then to the question`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            let device = try await TestDevice(at: broker)
            let typed = device.userCode.lowercased().replacing("-", with: " ")

            let chooser = try await browser.submit(
                "/device", on: try await browser.visit("/device"), ["user_code": typed])
            let consent = try await browser.follow("GitHub", on: chooser)
            let question = try await browser.submit(on: consent, ["person": try broker.account("ada")])

            #expect(question.asksForDecision && question.html.contains(device.userCode), "\(question.html)")
            #expect(question.html.contains("Shop asks to sign in"), "the app is named")
            #expect(try await device.poll().oauthError == "authorization_pending", "nothing is decided by signing in")
        }
    }

    @Test func `a browser that is signed in is asked at once, and never decides by a link`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            _ = try await TestDevice(at: broker).approve(in: browser, as: broker.account("ada"))
            let device = try await TestDevice(at: broker)

            let question = try await device.open(in: browser)
            _ = try await browser.visit("/device?user_code=\(device.userCode)&decision=allow")

            #expect(question.asksForDecision && question.html.contains(device.userCode))
            #expect(try await device.poll().oauthError == "authorization_pending")
        }
    }

    @Test func `another site cannot decide, nor another browser, nor another session of the same one`() async throws {
        try await TestBroker.runHosted { broker in
            let (victim, attacker) = (TestBrowser(broker), TestBrowser(broker))
            _ = try await TestDevice(at: broker).approve(in: victim, as: broker.account("ada"))
            _ = try await TestDevice(at: broker).approve(in: attacker, as: broker.account("ben"))
            let device = try await TestDevice(at: broker)
            let theirs = try await device.open(in: attacker)
            let ours = try await device.open(in: victim)

            let foreign = try await victim.submit(
                "/device", on: ours, ["decision": "allow"], origin: "https://evil.example")
            let borrowed = try await victim.submit("/device", on: theirs, ["decision": "allow"])
            victim.cookies["broker-session"] = attacker.cookies["broker-session"]
            let swapped = try await victim.submit("/device", on: ours, ["decision": "allow"])

            #expect(foreign.status == 403 && borrowed.status == 400 && swapped.status == 400)
            #expect(try await device.poll().oauthError == "authorization_pending")
        }
    }

    @Test func `a decision is final, also for a second browser`() async throws {
        try await TestBroker.runHosted { broker in
            let (first, second) = (TestBrowser(broker), TestBrowser(broker))
            _ = try await TestDevice(at: broker).approve(in: first, as: broker.account("ada"))
            _ = try await TestDevice(at: broker).approve(in: second, as: broker.account("ben"))
            let device = try await TestDevice(at: broker)
            let (ours, theirs) = (try await device.open(in: first), try await device.open(in: second))

            _ = try await first.submit("/device", on: ours, ["decision": "deny"])
            let late = try await second.submit("/device", on: theirs, ["decision": "allow"])

            #expect(late.html.contains("expired or was already used"))
            #expect(try await device.poll().oauthError == "access_denied")
        }
    }

    @Test func `the page of a client that was removed meanwhile approves no device`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            let device = try await TestDevice(at: broker)
            _ = try await broker.core.openID.clients.remove(id: device.app.client.id, origin: Origin(.admin))

            #expect(try await device.open(in: browser).html.contains("expired or was already used"))
        }
    }

    @Test func `the page is in Korean for a browser that prefers Korean`() async throws {
        try await TestBroker.runHosted { broker in
            let browser = TestBrowser(broker)
            browser.language = "ko-KR"

            let page = try await browser.visit("/device")
            #expect(page.html.contains("기기 연결"))
        }
    }
}
