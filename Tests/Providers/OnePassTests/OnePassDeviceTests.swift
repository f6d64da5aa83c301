import Foundation
import OnePass
import ProviderKit
import ProviderSimulators
import Testing

@Suite("1Pass: devices")
struct OnePassDeviceTests {
    private static func running(
        _ endpoint: String, _ body: (OnePassFixture, any DeviceBootstrap) async throws -> Void
    ) async throws {
        try await OnePassFixture.running(
            options: ["allowAnonymous": true, "deviceBootstrap": .string(endpoint)]
        ) { fixture in try await body(fixture, try #require(fixture.provider as? any DeviceBootstrap)) }
    }

    private static func account(
        _ answer: DeviceBootstrapAnswer
    ) throws -> (identity: ExternalIdentity, secret: Secret?) {
        guard case .signedIn(let identity, let secret) = answer else {
            throw ProviderError(.upstream, at: .authorizeDevice, "no account")
        }
        return (identity, secret)
    }

    @Test(arguments: ["devices", "anonymousBootstrap"])
    func `a new device is an anonymous account, and the same one with its secret`(endpoint: String) async throws {
        try await Self.running(endpoint) { fixture, provider in
            let first = try Self.account(try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios")))
            let again = try Self.account(
                try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios", secret: first.secret)))
            let wrong = try await provider.bootstrap(
                BootstrapDevice(id: "d1", platform: "ios", secret: Secret("wrong")))

            #expect(provider.offersDeviceBootstrap)
            #expect(first.identity.isAnonymous && first.identity.email == nil && first.identity.grant == nil)
            #expect(first.secret?.reveal() == fixture.onePass.deviceSecret(of: "d1"))
            let requests = fixture.onePass.requests(endpoint == "devices" ? .devices : .anonymousBootstrap)
            #expect(requests.allSatisfy { $0.text.contains("ios") })
            #expect(again.identity.subject == first.identity.subject && again.secret == nil)
            guard case .secretRefused = wrong else {
                Issue.record("\(wrong)")
                return
            }
        }
    }

    @Test func `one endpoint refuses a known device without its secret, the other begins anew`() async throws {
        let device = BootstrapDevice(id: "d1", platform: "ios")
        try await Self.running("devices") { _, provider in
            _ = try await provider.bootstrap(device)
            let refused = try await provider.bootstrap(device)
            guard case .secretRefused = refused else {
                Issue.record("\(refused)")
                return
            }
        }
        try await Self.running("anonymousBootstrap") { _, provider in
            let first = try Self.account(try await provider.bootstrap(device))
            let second = try Self.account(try await provider.bootstrap(device))
            #expect(first.identity.subject != second.identity.subject && second.secret != nil)
        }
    }

    @Test func `a user's device needs their token, belongs to them, and is exchanged ten times an hour`() async throws {
        try await Self.running("deviceKeys") { fixture, provider in
            let (ada, ben) = (try fixture.person("ada"), try fixture.person("ben"))
            func device(_ person: OnePassSimulator.Person, _ secret: Secret? = nil) -> BootstrapDevice {
                BootstrapDevice(
                    id: "d1", platform: "ios", secret: secret,
                    accessToken: fixture.onePass.accessToken(for: person, application: fixture.application))
            }
            let first = try Self.account(try await provider.bootstrap(device(ada)))
            let foreign = try await provider.bootstrap(device(ben, first.secret))
            for _ in 2...10 { _ = try await provider.bootstrap(device(ada, first.secret)) }
            let eleventh = try await provider.bootstrap(device(ada, first.secret))
            let without = await #expect(throws: ProviderError.self) {
                try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios"))
            }
            let own = BootstrapDevice(
                id: "d2", platform: "ios",
                accessToken: fixture.onePass.accessToken(for: ben, application: fixture.application))
            #expect(try Self.account(try await provider.bootstrap(own)).identity.subject == ben.subject)

            #expect(first.identity.subject == ada.subject && first.identity.email?.address == ada.email?.address)
            guard case .claimedByAnotherUser = foreign, case .rateLimited(retryAfter: 3600) = eleventh else {
                Issue.record("\(foreign), \(eleventh)")
                return
            }
            #expect(without?.fault == .credential)
        }
    }

    @Test(arguments: ["devices", "anonymousBootstrap"])
    func `an account that is no longer anonymous comes with its profile`(endpoint: String) async throws {
        try await Self.running(endpoint) { fixture, provider in
            let first = try Self.account(try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios")))
            var person = try #require(fixture.onePass.people().first { $0.subject == first.identity.subject })
            person.isAnonymous = false
            person.preferredName = "Dora"
            person.email = .init("dora@example.com")
            fixture.onePass.add(person)
            let again = try Self.account(
                try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios", secret: first.secret)))

            #expect(again.identity.subject == first.identity.subject && !again.identity.isAnonymous)
            #expect(again.identity.displayName == "Dora" && again.identity.email?.address == "dora@example.com")

            let profile = #"{"sub":"another","preferred_name":"Mallory"}"#
            fixture.onePass.fail(.userinfo, with: .status(403, body: profile, contentType: "application/json"))
            let error = await #expect(throws: ProviderError.self) {
                try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios", secret: first.secret))
            }
            #expect(error?.fault == .upstream)
        }
    }

    @Test(arguments: [
        (503, "{}", ProviderError.Fault.upstream), (404, "{}", .configuration), (200, "{}", .upstream),
        (200, #"{"access_token":"","user":{"id":"u1","anonymous":true}}"#, .upstream),
        (200, #"{"access_token":"a","device_secret":"","user":{"id":"u1","anonymous":true}}"#, .upstream),
    ])
    func `an endpoint that gives no outcome is no refusal of the device`(
        status: Int, body: String, fault: ProviderError.Fault
    ) async throws {
        try await Self.running("anonymousBootstrap") { fixture, provider in
            fixture.onePass.fail(
                .anonymousBootstrap, with: .status(status, body: body, contentType: "application/json"))
            let error = await #expect(throws: ProviderError.self) {
                try await provider.bootstrap(BootstrapDevice(id: "d1", platform: "ios"))
            }

            #expect(error?.fault == fault && error?.step == .authorizeDevice)
        }
    }

    @Test func `anonymous accounts and their endpoint are allowed together`() throws {
        let error = #expect(throws: ProviderError.self) {
            try OnePassFixture.provider(["clientId": "logi_1", "deviceBootstrap": "devices"])
        }
        let without = try OnePassFixture.provider(["clientId": "logi_1"]) as? any DeviceBootstrap

        #expect(error?.reason.contains("allowAnonymous") == true)
        #expect(without?.offersDeviceBootstrap == false)
    }
}
