import Broker
import BrokerStore
import Foundation
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Devices by token exchange")
struct DeviceExchangeTests {
    private static let type = "urn:broker:oauth:token-type:device"
    private static let device = "6f1d0f52-device-one"

    private static func run(
        _ endpoint: String? = "anonymousBootstrap",
        _ test: (NativeApp, OnePassSimulator) async throws -> Void
    ) async throws {
        try await TestProviders.run(
            entries: TestProviders.signsDevicesIn(at: endpoint)
        ) { broker, providers in try await test(try await NativeApp(at: broker), providers.onePass) }
    }

    private static func introduce(
        _ native: NativeApp, secret: String? = nil, actor: Answer? = nil, _ changes: [String: String?] = [:]
    ) async throws -> Answer {
        let form: [String: String?] = [
            "subject_token": device, "subject_token_type": type, "provider": "1pass.dev", "platform": "ios",
            "device_secret": secret,
        ]
        return try await native.exchange([], actor: actor, form.merging(changes) { $1 })
    }

    @Test(arguments: ["devices", "anonymousBootstrap"])
    func `a device gets a user and a secret once, and signs in with it on both wires`(endpoint: String) async throws {
        try await Self.run(endpoint) { native, _ in
            let first = try await Self.introduce(native)
            let secret = try first.string("device_secret")
            native.broker.clock.advance(seconds: 600)
            let again = try await Self.introduce(native, secret: secret)
            let other = try await native.broker.post(
                "/v1/broker/devices:bootstrap",
                [
                    "providerId": "1pass.dev", "deviceId": .string(Self.device), "platform": "ios",
                    "deviceSecret": .string(secret),
                ])

            #expect(first.status == 200 && first["is_new_user"] == true && first["provider"] == "1pass.dev")
            #expect(again.status == 200 && again["is_new_user"] == false && again["device_secret"] == nil)
            let localID = try #require(try first.claims()["sub"]?.string)
            #expect(try again.claims()["sub"]?.string == localID && other["localId"]?.string == localID)
            #expect(try again.claims()["auth_time"] == first.claims()["auth_time"], "the secret is no login")
            #expect(try await native.app.refresh(again.string("refresh_token")).status == 200)
            #expect(try await native.broker.events(of: localID).count { $0 == "session.started" } == 2)
        }
    }

    @Test func `a missing secret and a wrong one have one answer, which asks no provider`() async throws {
        try await Self.run { native, onePass in
            _ = try await Self.introduce(native)
            let hits = onePass.hits(.anonymousBootstrap)

            let answers = [try await Self.introduce(native), try await Self.introduce(native, secret: "wrong")]

            for answer in answers {
                #expect(answer.oauthError == "invalid_grant" && answer.refusal == "INVALID_DEVICE_SECRET")
                #expect(answer.text == answers[0].text)
            }
            #expect(onePass.hits(.anonymousBootstrap) == hits)
        }
    }

    @Test(
        arguments: [
            (["subject_token": "short"], "INVALID_DEVICE"), (["platform": nil], "INVALID_DEVICE"),
            (["provider": "github.com"], "OPERATION_NOT_ALLOWED"), (["provider": "unknown"], "OPERATION_NOT_ALLOWED"),
        ] as [([String: String?], String)])
    func `has the codes of devices-bootstrap`(_ changes: [String: String?], _ code: String) async throws {
        try await Self.run { native, _ in
            let answer = try await Self.introduce(native, changes)
            #expect(answer.oauthError == "invalid_grant" && answer.refusal == code, "\(answer.text)")
        }
    }

    @Test func `is introduced so often only, and is told when to come again`() async throws {
        try await Self.run { native, onePass in
            onePass.fail(.anonymousBootstrap, with: .rateLimited(status: 429, retryAfter: 1800))
            let limited = try await Self.introduce(native)
            onePass.clearFaults()

            #expect(limited.status == 503 && limited.oauthError == "temporarily_unavailable", "\(limited.text)")
            #expect(limited.headers.first(name: "Retry-After") == "1800")
            #expect(try await Self.introduce(native).status == 200)
        }
    }

    @Test func `proves no signed-in user`() async throws {
        try await Self.run { native, _ in
            let first = try await Self.introduce(native)
            let answer = try await Self.introduce(native, secret: first.string("device_secret"), actor: first)
            #expect(answer.oauthError == "invalid_request", "\(answer.text)")
        }
    }

    @Test func `keeps its introduction when the operator removes the client meanwhile`() async throws {
        try await Self.run { native, onePass in
            let gate = SimulatorGate()
            onePass.fail(.anonymousBootstrap, with: .hold(at: gate))
            async let first = Self.introduce(native)
            await gate.arrivals(1)
            _ = try await native.broker.core.openID.clients.remove(id: native.app.client.id, origin: Origin(.admin))
            onePass.clearFaults()
            gate.open()
            let refused = try await first
            let other = try await NativeApp(at: native.broker)

            #expect(refused.oauthError == "invalid_client", "\(refused.text)")
            #expect(try await Self.introduce(other).status == 200)
        }
    }
}
