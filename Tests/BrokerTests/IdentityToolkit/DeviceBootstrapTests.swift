import Broker
import BrokerStore
import Crypto
import Foundation
import NIOHTTP1
import OnePass
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Devices that sign in through the broker")
struct DeviceBootstrapTests {
    private static let path = "/v1/broker/devices:bootstrap"

    /// A broker whose 1Pass signs devices in at `endpoint`.
    private static func run(
        _ endpoint: String?, _ test: (TestBroker, OnePassSimulator) async throws -> Void
    ) async throws {
        try await TestProviders.run(
            entries: TestProviders.signsDevicesIn(at: endpoint)
        ) { broker, providers in try await test(broker, providers.onePass) }
    }

    private static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Data(text.utf8))) }

    /// What the store calls the device that the tests introduce.
    private static func deviceHash(at onePass: OnePassSimulator) -> [UInt8] {
        hash("\(onePass.url)\n6f1d0f52-device-one")
    }

    private static func introduce(
        _ broker: TestBroker, device: String = "6f1d0f52-device-one", _ changes: JSONObject = [:]
    ) async throws -> Answer {
        var body: JSONObject = ["providerId": "1pass.dev", "deviceId": .string(device), "platform": "ios"]
        for (name, value) in changes { body[name] = value.isNull ? Optional.none : value }
        return try await broker.post(path, .object(body))
    }

    @Test(arguments: ["devices", "anonymousBootstrap"])
    func `a device gets an anonymous user and a secret once, and signs in with it`(endpoint: String) async throws {
        try await Self.run(endpoint) { broker, onePass in
            let first = try await Self.introduce(broker)
            let secret = try #require(first["deviceSecret"]?.string, "\(first)")
            let again = try await Self.introduce(broker, ["deviceSecret": .string(secret)])
            let refreshed = try await broker.refresh(try #require(again["refreshToken"]?.string))

            #expect(first["isNewUser"] == true && first["providerId"] == "1pass.dev")
            #expect(secret.utf8.count == 43)
            #expect(again["localId"] == first["localId"] && again["isNewUser"] == nil && again["deviceSecret"] == nil)
            #expect(refreshed.status == 200)
            #expect(onePass.people().filter(\.isAnonymous).count == 2, "one of the examples, and the device's")
        }
    }

    @Test func `a missing secret, a wrong one and an unknown device have the same answer`() async throws {
        try await Self.run("anonymousBootstrap") { broker, onePass in
            _ = try await Self.introduce(broker)
            let hits = onePass.hits(.anonymousBootstrap)
            let answers = [
                try await Self.introduce(broker),
                try await Self.introduce(broker, ["deviceSecret": "wrong"]),
                try await Self.introduce(broker, device: "6f1d0f52-device-two", ["deviceSecret": "wrong"]),
            ]

            for answer in answers {
                #expect(answer.status == 401 && answer.code == "INVALID_DEVICE_SECRET", "\(answer)")
                #expect(answer.body == answers[0].body)
            }
            #expect(
                onePass.hits(.anonymousBootstrap) == hits, "the provider was asked about a device without its secret")
        }
    }

    @Test func `the store has neither secret in clear`() async throws {
        try await Self.run("devices") { broker, onePass in
            let first = try await Self.introduce(broker)
            let secret = try #require(first["deviceSecret"]?.string)
            let row = try #require(
                try await broker.core.store.read {
                    try $0.providerDevice(Self.deviceHash(at: onePass), at: "1pass.dev")
                })
            let upstream = try #require(onePass.deviceSecret(of: "6f1d0f52-device-one"))
            let stored = String(decoding: (row.sealedSecret ?? []) + (row.secretHash ?? []), as: UTF8.self)

            #expect(row.secretHash == Self.hash(secret))
            #expect(row.sealedSecret != nil && !stored.contains(upstream) && !stored.contains(secret))
            #expect(!first.text.contains(upstream) && !first.text.contains("logi_pak_"))
        }
    }

    @Test func `a secret that 1Pass does not accept any more is dropped, and the device begins anew`() async throws {
        try await Self.run("anonymousBootstrap") { broker, onePass in
            let first = try await Self.introduce(broker)
            let secret: JSONObject = ["deviceSecret": first["deviceSecret"] ?? .null]
            onePass.forgetDevice("6f1d0f52-device-one")
            let before = onePass.hits(.anonymousBootstrap)
            let second = try await Self.introduce(broker, secret)
            let retries = onePass.hits(.anonymousBootstrap) - before
            let third = try await Self.introduce(broker, secret)

            #expect(retries == 2, "with the secret, then once without it")
            #expect(second.status == 200 && second["isNewUser"] == true && second["localId"] != first["localId"])
            #expect(third["localId"] == second["localId"])
        }
    }

    @Test func `an endpoint that takes no device without its secret ends the device`() async throws {
        try await Self.run("devices") { broker, onePass in
            let first = try await Self.introduce(broker)
            onePass.replaceDeviceSecret(of: "6f1d0f52-device-one")
            let refused = try await Self.introduce(broker, ["deviceSecret": first["deviceSecret"] ?? .null])
            let row = try await broker.core.store.read {
                try $0.providerDevice(Self.deviceHash(at: onePass), at: "1pass.dev")
            }

            #expect(refused.status == 401 && refused.code == "INVALID_DEVICE_SECRET", "\(refused)")
            #expect(row == nil)
        }
    }

    @Test func `a signed-in user's device is theirs, and no other user's`() async throws {
        try await Self.run("deviceKeys") { broker, onePass in
            let (ada, ben) = (try #require(onePass.person(named: "ada")), try #require(onePass.person(named: "ben")))
            func token(_ person: OnePassSimulator.Person) -> JSONValue {
                .string(onePass.accessToken(for: person, application: onePass.defaultApplication))
            }
            let first = try await Self.introduce(broker, ["accessToken": token(ada)])
            let again = try await Self.introduce(
                broker, ["accessToken": token(ada), "deviceSecret": first["deviceSecret"] ?? .null])
            let foreign = try await Self.introduce(
                broker, ["accessToken": token(ben), "deviceSecret": first["deviceSecret"] ?? .null])
            let without = try await Self.introduce(broker, device: "6f1d0f52-device-two")

            #expect(first["email"]?.string == ada.email?.address && first["deviceSecret"]?.string != nil, "\(first)")
            #expect(again["localId"] == first["localId"])
            #expect(foreign.code == "DEVICE_CLAIMED_BY_OTHER_USER", "\(foreign)")
            #expect(without.code == "INVALID_IDP_RESPONSE", "\(without)")
        }
    }

    @Test func `a device is introduced ten times an hour, here and at 1Pass`() async throws {
        try await Self.run("anonymousBootstrap") { broker, onePass in
            onePass.fail(.anonymousBootstrap, with: .rateLimited(status: 429, retryAfter: 1800))
            let upstream = try await Self.introduce(broker, device: "6f1d0f52-device-two")
            onePass.clearFaults()
            let first = try await Self.introduce(broker)
            for _ in 1...9 { _ = try await Self.introduce(broker) }
            let eleventh = try await Self.introduce(broker)
            let ownSecret = try await Self.introduce(broker, ["deviceSecret": first["deviceSecret"] ?? .null])
            broker.clock.advance(seconds: 4500)
            let later = try await Self.introduce(broker)

            #expect(upstream.code == "TOO_MANY_ATTEMPTS_TRY_LATER", "\(upstream)")
            #expect(upstream.headers.first(name: "retry-after") == "1800")
            #expect(
                eleventh.code == "TOO_MANY_ATTEMPTS_TRY_LATER" && eleventh.headers.first(name: "retry-after") != nil)
            #expect(ownSecret.status == 200, "others used up the attempts of a device with its secret")
            #expect(later.code == "INVALID_DEVICE_SECRET")
        }
    }

    @Test func `two requests introduce a device once`() async throws {
        try await Self.run("anonymousBootstrap") { broker, onePass in
            let gate = SimulatorGate()
            onePass.fail(.anonymousBootstrap, with: .hold(at: gate))
            async let first = Self.introduce(broker)
            await gate.arrivals(1)
            let second = try await Self.introduce(broker)
            onePass.clearFaults()
            gate.open()
            let answer = try await first

            #expect(second.code == "TOO_MANY_ATTEMPTS_TRY_LATER" && second.headers.first(name: "retry-after") == "5")
            #expect(answer["deviceSecret"]?.string != nil, "\(answer)")
        }
    }

    @Test func `a failed introduction leaves nothing, and the device can be introduced again`() async throws {
        try await Self.run("anonymousBootstrap") { broker, onePass in
            onePass.fail(.anonymousBootstrap, with: .status(503))
            let failed = try await Self.introduce(broker)
            onePass.clearFaults()
            let answer = try await Self.introduce(broker)

            #expect(failed.code == "INVALID_IDP_RESPONSE", "\(failed)")
            #expect(answer.status == 200 && answer["deviceSecret"]?.string != nil, "\(answer)")
        }
    }

    @Test func `an entry that signs no devices in says so, and so does a request without a device`() async throws {
        try await Self.run(nil) { broker, _ in
            let closed = try await Self.introduce(broker)
            let other = try await Self.introduce(broker, ["providerId": "github.com"])
            let short = try await Self.introduce(broker, device: "short")
            let none = try await Self.introduce(broker, ["platform": .null])

            #expect(closed.code == "OPERATION_NOT_ALLOWED" && other.code == "OPERATION_NOT_ALLOWED")
            #expect(short.code == "INVALID_DEVICE" && none.code == "INVALID_DEVICE")
        }
    }

    @Test func `a session that a device begins with its secret is no recent login`() async throws {
        try await Self.run("devices") { broker, _ in
            let first = try await Self.introduce(broker)
            broker.clock.advance(seconds: 600)
            let again = try await Self.introduce(broker, ["deviceSecret": first["deviceSecret"] ?? .null])
            let deletion = try await broker.post("/v1/accounts:delete", ["idToken": again["idToken"] ?? .null])

            #expect(try broker.claims(of: again)["auth_time"] == broker.claims(of: first)["auth_time"])
            #expect(deletion.code == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(deletion)")
        }
    }

    @Test func `the claim of a broker that was killed ends within a minute`() async throws {
        try await Self.run("anonymousBootstrap") { broker, onePass in
            let hash = Self.deviceHash(at: onePass)
            let now = Timestamp(broker.clock.now)
            try await broker.core.store.write(at: now) { transaction in
                _ = try transaction.claim(
                    ProviderDevice(
                        key: transaction.nextKey(), provider: "1pass.dev", deviceHash: hash,
                        claim: "killed", claimedUntil: now.advanced(by: .seconds(60)), createdAt: now))
            }
            let early = try await Self.introduce(broker)
            broker.clock.advance(seconds: 60)
            let late = try await Self.introduce(broker)

            #expect(early.code == "TOO_MANY_ATTEMPTS_TRY_LATER", "\(early)")
            #expect(late.status == 200 && late["deviceSecret"]?.string != nil, "\(late)")
        }
    }

    @Test func `a deleted user's device is unknown`() async throws {
        try await Self.run("anonymousBootstrap") { broker, _ in
            let first = try await Self.introduce(broker)
            let deleted = try await broker.post(
                "/v1/accounts:delete", ["idToken": first["idToken"] ?? .null])
            let after = try await Self.introduce(broker, ["deviceSecret": first["deviceSecret"] ?? .null])

            #expect(deleted.status == 200, "\(deleted)")
            #expect(after.status == 401 && after.code == "INVALID_DEVICE_SECRET", "\(after)")
        }
    }
}
