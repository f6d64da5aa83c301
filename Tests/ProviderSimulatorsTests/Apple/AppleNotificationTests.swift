import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

@Suite("Apple simulator: notifications")
struct AppleNotificationTests {
    /// The events in a notification, decoded as often as they were encoded.
    static func events(_ apple: AppleSimulator, _ notification: AppleSimulator.Notification) async throws -> JSONValue {
        let claims = try await apple.claims(of: notification.payload)
        return try JSONValue(parsing: try #require(claims["events"]?.string))
    }

    @Test(arguments: AppleSimulator.Event.allCases)
    func `an event is a text in a signed token, with its time in milliseconds`(
        event: AppleSimulator.Event
    ) async throws {
        try await AppleSimulator.running { apple in
            let notification = apple.notification(
                event, about: try apple.ada, application: apple.nativeApplication)

            let claims = try await apple.claims(of: notification.payload)
            let events = try await Self.events(apple, notification)

            let now = Int64(Date.epoch.timeIntervalSince1970)
            #expect(claims["iss"]?.string == apple.url && claims["jti"]?.string == notification.id)
            #expect(claims["aud"]?.string == apple.nativeApplication.clientID)
            #expect(claims["exp"]?.integer == now + 86_400)
            #expect(events["type"]?.string == event.rawValue && events["event_time"]?.integer == now * 1000)
            #expect(events["sub"]?.string == apple.subject(of: try apple.ada, for: apple.nativeApplication))
            let isAboutEmail = [.emailEnabled, .emailDisabled].contains(event)
            #expect((events["email"] != nil) == isAboutEmail && (events["is_private_email"] != nil) == isAboutEmail)
        }
    }

    @Test func `both spellings of a deleted account are known`() {
        #expect(AppleSimulator.Event.accountDelete.rawValue == "account-delete")
        #expect(AppleSimulator.Event.accountDeleted.rawValue == "account-deleted")
    }

    @Test func `a notification can be late, forged, for another audience, or encoded once`() async throws {
        try await AppleSimulator.running { apple in
            func notification(_ options: AppleSimulator.NotificationOptions) throws -> AppleSimulator.Notification {
                apple.notification(
                    .consentRevoked, about: try apple.ada, application: apple.nativeApplication, options)
            }
            let late = try notification(.init(time: .epoch.addingTimeInterval(-60)))
            let foreign = try notification(.init(audience: "com.example.other"))
            let plain = try notification(.init(encodesEventsTwice: false))
            let forged = try notification(.init(forgery: .brokenSignature))

            let time = try await Self.events(apple, late)["event_time"]?.integer
            #expect(time == Int64(Date.epoch.timeIntervalSince1970 - 60) * 1000)
            #expect(try await apple.claims(of: foreign.payload)["aud"] == "com.example.other")
            #expect(try await apple.claims(of: plain.payload)["events"]?["type"] == "consent-revoked")
            await #expect(throws: JOSEError.self) { _ = try await apple.claims(of: forged.payload) }
        }
    }

    @Test func `a notification is posted as JSON, a duplicate with the same name`() async throws {
        try await AppleSimulator.running { apple in
            try await AppleSimulator.running { listener in
                let notification = apple.notification(
                    .accountDelete, about: try apple.ada, application: apple.nativeApplication)

                let first = await apple.send(notification, to: listener.url + "/auth/revoke")
                let second = await apple.send(notification, to: listener.url + "/auth/revoke")
                let nobody = await apple.send(notification, to: "https://example.invalid/")

                let requests = listener.requests(.revoke)
                // The listener is no server for notifications and says so.
                #expect(first == 400 && second == 400 && nobody == nil)
                #expect(requests.count == 2 && requests[0].text == requests[1].text)
                #expect(requests[0].header("content-type") == "application/json")
                let body = try JSONValue(parsing: requests[0].body)
                #expect(body == ["payload": .string(notification.payload)])
            }
        }
    }
}
