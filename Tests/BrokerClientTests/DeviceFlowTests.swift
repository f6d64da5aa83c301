import BrokerClient
import Foundation
import StrictJSON
import Synchronization
import Testing

@Suite("The sign-in on another device", .timeLimit(.minutes(20)))
struct DeviceFlowTests {
    /// A broker that answers the polls in order, the last for all that follow.
    private static func run(
        _ polls: [StandInBroker.Reply?], _ body: (TestApp, DeviceAuthorization) async throws -> Void
    ) async throws {
        try await StandInBroker.run { broker in
            let clock = TestClock(advances: true)
            let app = try TestApp(broker, clock: clock)
            let rest = Mutex(polls)
            broker.answer { call in
                switch call.path {
                case "/oauth/device_authorization":
                    .json([
                        "device_code": "device-secret", "user_code": "ABCD-EFGH", "expires_in": 60, "interval": 5,
                        "verification_uri": "https://id.example/device",
                        "verification_uri_complete": "https://id.example/device?user_code=ABCD-EFGH",
                    ])
                case "/oauth/token":
                    try rest.withLock { $0.count > 1 ? $0.removeFirst() : $0.first ?? nil }
                        ?? .json(broker.tokens(at: clock.now))
                default: nil
                }
            }
            try await body(app, try await app.auth.beginDeviceSignIn())
        }
    }

    private static let pending = StandInBroker.Reply.refusal("authorization_pending")

    @Test func `polls at the interval, slower when told so, until the user has approved`() async throws {
        try await Self.run([Self.pending, .refusal("slow_down"), .init(status: 503, body: ""), nil]) { app, device in
            #expect(device.userCode == "ABCD-EFGH")
            #expect(device.verificationURL.absoluteString == "https://id.example/device")

            let result = try await app.auth.signIn(approvedOn: device)

            #expect(app.clock.slept == [.seconds(5), .seconds(5), .seconds(10), .seconds(15)])
            #expect(result.session.userID == "user-1")
            let form = try #require(app.broker.calls(of: "/oauth/token").first?.form)
            #expect(form["device_code"] == "device-secret" && form["client_id"] == "app")
            #expect(!"\(device) \(String(reflecting: device))".contains("secret"))
        }
    }

    @Test(arguments: [
        ("access_denied", BrokerAuthError.userCancelled), ("expired_token", .deviceCodeExpired),
        ("invalid_grant", .server(code: "invalid_grant", message: "")),
    ])
    func `the end of the code is a typed error`(code: String, error: BrokerAuthError) async throws {
        try await Self.run([.refusal(code)]) { app, device in
            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(approvedOn: device)
            }
            #expect(thrown == error)
        }
    }

    @Test func `a code that no user approves expires`() async throws {
        try await Self.run([Self.pending]) { app, device in
            let thrown = await failure { () async throws(BrokerAuthError) in
                try await app.auth.signIn(approvedOn: device)
            }
            #expect(thrown == .deviceCodeExpired && app.clock.slept.count == 12)
        }
    }
}
