import BrokerStore
import NIOHTTP1
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("guesses at devices and their secrets")
struct DeviceSecretGuessTests {
    private static func run(
        _ change: (inout Configuration) -> Void = { _ in }, _ test: (TestBroker, OnePassSimulator) async throws -> Void
    ) async throws {
        try await TestProviders.run(
            change,
            entries: TestProviders.signsDevicesIn(at: "anonymousBootstrap")
        ) { broker, providers in try await test(broker, providers.onePass) }
    }

    private static func introduce(
        _ broker: TestBroker, _ device: String, secret: String? = nil
    ) async throws -> Answer {
        var body: JSONObject = ["providerId": "1pass.dev", "deviceId": .string(device), "platform": "ios"]
        body["deviceSecret"] = secret.map(JSONValue.string)
        return try await broker.post("/v1/broker/devices:bootstrap", .object(body))
    }

    @Test func `an unknown device, a foreign secret and a wrong one have one answer and cost the same`() async throws {
        try await Self.run { broker, onePass in
            let known = "6f1d0f52-device-one"
            let secret = try await Self.introduce(broker, known).string("deviceSecret")
            let foreign = try await Self.introduce(broker, "6f1d0f52-device-two").string("deviceSecret")
            let hits = onePass.hits(.anonymousBootstrap)
            let wrong = RandomText.secret()
            var (answers, costs): ([Answer], [[Int]]) = ([], [])
            for (device, guess) in [
                ("6f1d0f52-device-six", wrong), (known, foreign), (known, wrong), (known, "w"), (known, secret + "A"),
                ("6f1d0f52-device-six", secret),
            ] {
                let before = broker.core.store.statistics
                answers.append(try await Self.introduce(broker, device, secret: guess))
                let after = broker.core.store.statistics
                costs.append([after.reads - before.reads, after.writes - before.writes])
            }

            func headers(_ answer: Answer) -> [String] {
                answer.headers.filter { !["date", "x-request-id"].contains($0.name.lowercased()) }
                    .map { "\($0.name): \($0.value)" }
            }
            for answer in answers {
                #expect(answer.status == 401 && answer.code == "INVALID_DEVICE_SECRET", "\(answer.text)")
                #expect(answer.text == answers[0].text && headers(answer) == headers(answers[0]))
            }
            #expect(costs.allSatisfy { $0 == costs[0] } && costs[0][1] == 0, "\(costs)")
            #expect(onePass.hits(.anonymousBootstrap) == hits, "the provider was asked")
            #expect(try await Self.introduce(broker, known, secret: secret).status == 200)
        }
    }

    @Test func `guesses are limited for each address, whatever devices they name`() async throws {
        try await Self.run { configuration in
            configuration.rateLimits.unprovenRequests = 20
        } _: { broker, onePass in
            let secret = try await Self.introduce(broker, "6f1d0f52-device-one").string("deviceSecret")
            var codes: [String?] = []
            for number in 0..<25 {
                codes.append(try await Self.introduce(broker, "6f1d0f52-guess-\(number)", secret: "guess").code)
            }

            #expect(codes.first == "INVALID_DEVICE_SECRET" && codes.last == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect((19...20).contains(codes.count { $0 == "INVALID_DEVICE_SECRET" }), "\(codes)")
            // A device with its secret behind that address goes on.
            #expect(try await Self.introduce(broker, "6f1d0f52-device-one", secret: secret).status == 200)
        }
    }

    @Test func `guesses at one device are limited, from whatever addresses they come`() async throws {
        try await Self.run { configuration in
            configuration.publicURL = TestBrowser.publicURL
            configuration.trustedProxies = [AddressRange("127.0.0.1")].compactMap(\.self)
        } _: { broker, onePass in
            let known = "6f1d0f52-device-one"
            let secret = try await Self.introduce(broker, known).string("deviceSecret")
            var codes: [String?] = []
            for number in 1...12 {
                let body: JSONValue = [
                    "providerId": "1pass.dev", "deviceId": .string(known), "platform": "ios", "deviceSecret": "guess",
                ]
                let answer = try await broker.post(
                    "/v1/broker/devices:bootstrap", body, headers: ["X-Forwarded-For": "203.0.113.\(number)"])
                codes.append(answer.code)
            }

            #expect(codes.count { $0 == "INVALID_DEVICE_SECRET" } == 9 && codes.last == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(try await Self.introduce(broker, known, secret: secret).status == 200)
        }
    }
}
