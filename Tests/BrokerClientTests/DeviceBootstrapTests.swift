import BrokerClient
import Foundation
import StrictJSON
import Testing

@Suite("The sign-in of a device", .timeLimit(.minutes(20)))
struct DeviceBootstrapTests {
    private static let service = StorageKey.deviceSecretService

    /// A broker that tells a new device its secret, and signs `user` in.
    private static func introduce(_ broker: StandInBroker, isAnonymous: Bool = true) {
        broker.answer { call in
            guard call.path == "/oauth/token", call.form["subject_token_type"]?.hasSuffix(":device") == true else {
                return nil
            }
            var claims: JSONObject = ["idp": "1pass.dev"]
            if isAnonymous { claims["broker"] = ["anonymous": true] }
            var tokens = try broker.tokens(claims: claims)
            if call.form["device_secret"] == nil {
                tokens["device_secret"] = .string("device-secret-\(call.form["subject_token"] ?? "")")
            }
            return .json(tokens)
        }
    }

    private static func refuse(_ broker: StandInBroker, _ text: String) {
        broker.answer { call in
            call.form["device_secret"] == nil ? nil : .refusal("invalid_grant", text)
        }
    }

    private static func introductions(_ broker: StandInBroker) -> [[String: String]] {
        broker.calls(of: "/oauth/token").map(\.form).filter { $0["subject_token_type"]?.hasSuffix(":device") == true }
    }

    @Test func `introduces it once, keeps the secret apart and proves it from then on`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker)

            let first = try await app.auth.bootstrapDevice()
            let second = try await TestApp(broker, storage: app.storage).auth.bootstrapDevice(accessToken: "p")

            #expect(first.session.isAnonymous && first.session.userID == second.session.userID)
            let forms = Self.introductions(broker)
            let id = try #require(forms[0]["subject_token"])
            #expect(UUID(uuidString: id) != nil && forms[1]["subject_token"] == id)
            #expect(forms[0]["provider"] == "1pass.dev" && forms[0]["platform"]?.isEmpty == false)
            #expect(forms[0]["device_secret"] == nil && forms[0]["access_token"] == nil)
            #expect(forms[1]["device_secret"] == "device-secret-\(id)" && forms[1]["access_token"] == "p")
            #expect(app.storage.text(of: Self.service)?.contains("device-secret-\(id)") == true)
            #expect(app.storage.text(of: StorageKey.sessionService)?.contains("device-secret") == false)
            #expect(try await app.auth.accessToken() == "access-1", "its tokens are those of any session")
        }
    }

    @Test func `is one for all callers`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker)

            let users = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<10 { group.addTask { try? await app.auth.bootstrapDevice().session.userID } }
                return await group.reduce(into: [String?]()) { $0.append($1) }
            }

            #expect(users == Array(repeating: "user-1", count: 10))
            #expect(Self.introductions(broker).count == 1)
        }
    }

    @Test func `begins no session whose secret could not be stored`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker)
            app.storage.fail(.save, with: .storageLocked)

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.bootstrapDevice() }

            #expect(thrown == .storageLocked)
            #expect(await app.auth.session == nil && app.storage.text == "")
            #expect(broker.calls(of: "/oauth/revoke").map { $0.form["token"] } == ["refresh-1"])
        }
    }

    @Test func `proves itself again when the broker has ended its session`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker)
            _ = try await app.auth.bootstrapDevice()
            broker.answer { call in
                call.form["grant_type"] == "refresh_token" ? .refusal("invalid_grant") : nil
            }
            let ended = await failure { () async throws(BrokerAuthError) in try await app.auth.refresh() }
            Self.introduce(broker)

            let again = try await app.auth.bootstrapDevice()

            #expect(ended == .signedOut && again.session.userID == "user-1")
            #expect(Self.introductions(broker).last?["device_secret"] != nil)
        }
    }

    @Test func `that the broker does not know any more is introduced anew where its user has an identity`() async throws
    {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker, isAnonymous: false)
            _ = try await app.auth.bootstrapDevice()
            Self.refuse(broker, "INVALID_DEVICE_SECRET : Introduce the device under a new deviceId.")

            _ = try await app.auth.bootstrapDevice()

            let forms = Self.introductions(broker)
            #expect(forms.count == 3 && forms[1]["device_secret"] != nil && forms[2]["device_secret"] == nil)
            #expect(forms[2]["subject_token"] != forms[0]["subject_token"])
        }
    }

    @Test func `that the broker does not know any more tells an anonymous user to sign in again`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker)
            _ = try await app.auth.bootstrapDevice()
            Self.refuse(broker, "INVALID_DEVICE_SECRET")

            let thrown = await failure { () async throws(BrokerAuthError) in try await app.auth.bootstrapDevice() }

            #expect(thrown == .invalidDeviceSecret)
            #expect(Self.introductions(broker).count == 2, "no other anonymous user takes the place of the first")
            #expect(app.storage.text(of: Self.service)?.contains("device-secret") == false)
            Self.introduce(broker)
            _ = try await app.auth.bootstrapDevice()
            #expect(Self.introductions(broker).last?["device_secret"] == nil)
        }
    }

    @Test func `is forgotten by a sign-out, whose user would come back otherwise`() async throws {
        try await StandInBroker.run { broker in
            let app = try TestApp(broker)
            Self.introduce(broker)
            _ = try await app.auth.bootstrapDevice()

            try await app.auth.signOut()

            #expect(app.storage.text(of: Self.service) == nil && app.storage.items.isEmpty)
        }
    }
}
