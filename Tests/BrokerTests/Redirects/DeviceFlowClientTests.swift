import BrokerStore
import Foundation
import GitHub
import ProviderKit
import ProviderSimulators
import Synchronization
import Testing

@testable import Broker

@Suite("signing in on another device")
struct DeviceFlowClientTests {
    private static let admin = Origin(.admin, actor: "test")

    @Test func `the user who enters the code is signed in like any other user`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            waiting.onSleep { _ in
                guard waiting.sleeps.count == 3 else { return }
                broker.simulator.approveDevice(
                    userCode: attempt.authorization.userCode, for: try broker.person("ada"))
            }

            let credential = try await waiting.finish(attempt)
            let outcome = try await broker.core.accounts.signIn(credential, origin: Self.admin)

            #expect(waiting.sleeps == [5, 5, 5])
            #expect(credential.subject == String(try broker.person("ada").id) && credential.email == "ada@example.com")
            guard case .signedIn(let facts, isNewUser: true) = outcome else {
                Issue.record("not signed in: \(outcome)")
                return
            }
            #expect(try await broker.core.admin.explain(facts.user.localID, limit: 10).decisions.count == 1)
            #expect(broker.simulator.hits(.user) == 1, "what was proven is not asked for again")
        }
    }

    @Test func `what was proven on a device reauthenticates and links`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let ada = try await broker.signIn(try broker.person("ada")).string("localId")
            let first = try await Waiting(broker).identity(of: "ada", at: "github.com")
            let second = try await Waiting(broker).identity(of: "ada", at: "github.work")

            let finding = try await broker.core.accounts.reauthenticate(first, as: ada, origin: Self.admin)
            let linked = try await broker.core.accounts.link(second, to: ada, origin: Self.admin)

            #expect(finding.matches)
            #expect(linked.identities.map(\.provider).sorted() == ["github.com", "github.work"])
        }
    }

    @Test func `GitLab and 1Pass offer the device flow, Apple does not`() async throws {
        try await TestProviders.run { broker, providers in
            let waiting = Waiting(broker)
            waiting.onSleep { seconds in providers.clock.advance(by: .seconds(seconds)) }
            let (ada, ben) = (try #require(providers.gitLab.people().first), providers.onePass.people()[0])

            let gitLab = try await waiting.start(at: "gitlab.com")
            providers.gitLab.approveDevice(userCode: gitLab.authorization.userCode, for: ada)
            let atGitLab = try await waiting.finish(gitLab)
            let onePass = try await waiting.start(at: "1pass.dev")
            providers.onePass.approveDevice(userCode: onePass.authorization.userCode, for: ben)
            let atOnePass = try await waiting.finish(onePass)

            #expect(atGitLab.subject == String(ada.id) && atOnePass.subject == ben.subject)
            for attempt in [gitLab, onePass] {
                #expect(attempt.authorization.verificationURIComplete?.contains(attempt.authorization.userCode) == true)
            }
            await #expect(throws: BrokerError.deviceSignInNotOffered("apple.com")) {
                _ = try await waiting.start(at: "apple.com")
            }
        }
    }

    @Test func `told to slow down it waits longer from then on`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            waiting.onSleep { _ in
                // The third poll comes too early by the provider's clock.
                if waiting.sleeps.count == 3 { broker.simulator.clock.advance(by: .seconds(-4)) }
                guard waiting.sleeps.count == 5 else { return }
                broker.simulator.approveDevice(
                    userCode: attempt.authorization.userCode, for: try broker.person("ada"))
            }

            _ = try await waiting.finish(attempt)

            #expect(waiting.sleeps == [5, 5, 5, 10, 10])
        }
    }

    @Test func `the sign-in ends when an unused code expires`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            let left = Mutex<[Int]>([])

            await #expect(throws: BrokerError.deviceCodeExpired) {
                _ = try await waiting.finish(attempt) { seconds in left.withLock { $0.append(seconds) } }
            }

            #expect(waiting.sleeps.reduce(0, +) <= attempt.authorization.expiresIn)
            #expect(left.withLock { $0.first == 900 && $0 == $0.sorted(by: >) })
        }
    }

    @Test func `a code the provider has forgotten is not waited for`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            broker.simulator.clock.advance(by: .seconds(1000))

            await #expect(throws: BrokerError.deviceCodeExpired) { _ = try await waiting.finish(attempt) }

            #expect(waiting.sleeps.count == 1)
        }
    }

    @Test func `a user who declines ends it`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            broker.simulator.denyDevice(userCode: attempt.authorization.userCode)

            await #expect(throws: BrokerError.cancelledAtProvider) { _ = try await waiting.finish(attempt) }
        }
    }

    @Test func `a provider that is away for a moment is asked again, less often`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            broker.simulator.fail(.accessToken, with: .status(503), times: 2)
            broker.simulator.approveDevice(userCode: attempt.authorization.userCode, for: try broker.person("ada"))

            let proven = try await waiting.finish(attempt)

            #expect(proven.screenName == "ada")
            #expect(waiting.sleeps == [5, 10, 20])
        }
    }

    @Test func `a provider that stays away is given up, and so is one that fails behind the code`() async throws {
        try await TestBroker.run { broker in
            let patient = Waiting(broker)
            let attempt = try await patient.start(at: "github.com")
            broker.simulator.fail(.accessToken, with: .status(503))
            await #expect(throws: BrokerError.providerUnavailable(retryAfter: nil)) {
                _ = try await patient.finish(attempt)
            }
            #expect(patient.sleeps.count == DevicePolling.patience)

            broker.simulator.clearFaults()
            broker.simulator.fail(.user, with: .status(503))
            let spent = Waiting(broker)
            let second = try await spent.start(at: "github.com")
            broker.simulator.approveDevice(userCode: second.authorization.userCode, for: try broker.person("ada"))
            await #expect(throws: BrokerError.providerUnavailable(retryAfter: nil)) {
                _ = try await spent.finish(second)
            }
            #expect(spent.sleeps.count == 1, "the code is used up")
        }
    }

    @Test func `given up from our side it asks no more`() async throws {
        try await TestBroker.run { broker in
            let waiting = Waiting(broker)
            let attempt = try await waiting.start(at: "github.com")
            waiting.onSleep { _ in if waiting.sleeps.count == 2 { throw CancellationError() } }

            await #expect(throws: CancellationError.self) { _ = try await waiting.finish(attempt) }

            #expect(broker.simulator.hits(.accessToken) == 1)
        }
    }

    @Test func `a provider without a device flow, and none at all, are refused in words`() async throws {
        try await TestBroker.run(
            plugins: [.github, ProviderPlugin(WordOfMouth.self)],
            entries: { [TestBroker.gitHub($0), ["id": "mouth", "use": "mouth", "options": [:]]] }
        ) { broker in
            let device = Waiting(broker)

            await #expect(throws: BrokerError.deviceSignInNotOffered("mouth")) {
                _ = try await device.start(at: "mouth")
            }
            await #expect(throws: BrokerError.unknownProvider("x")) { _ = try await device.start(at: "x") }
            #expect(BrokerError.deviceSignInNotOffered("mouth").message.contains("mouth offers no sign-in"))
        }
    }

    @Test(arguments: [
        ("AB\u{1B}[2J", "https://id.example/device"), ("", "https://id.example/device"),
        ("ABCD", "javascript:alert(1)"), ("ABCD", "https://id.example/\u{202E}device"),
        (String(repeating: "A", count: 65), "https://id.example/device"),
    ])
    func `what a terminal would obey is not shown`(userCode: String, url: String) async throws {
        let options: JSONValue = ["userCode": .string(userCode), "verificationUri": .string(url)]
        try await TestBroker.run(
            plugins: [ProviderPlugin(OddDevice.self)],
            entries: { _ in [["id": "odd", "use": "odd", "options": options]] }
        ) { broker in
            let device = Waiting(broker)

            let error = await #expect(throws: BrokerError.self) { _ = try await device.start(at: "odd") }

            #expect(error?.message.contains("cannot be shown") == true)
        }
    }
}

/// A provider without a device flow.
private struct WordOfMouth: IdentityProvider {
    struct Options: Decodable, Sendable {}

    static let kind: ProviderKind = "mouth"
    let instance = "mouth"
    let clientID = ""
    let accepts: Set<Credential.Kind> = [.assertion]

    init(_ options: Options, in context: ProviderContext) {}

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .redeem, "no identity is verified")
    }
}

/// A provider that says what its options tell it to.
private struct OddDevice: DeviceSignIn {
    struct Options: Decodable, Sendable {
        let userCode: String
        let verificationUri: String
    }

    static let kind: ProviderKind = "odd"
    let instance = "odd"
    let clientID = ""
    let accepts: Set<Credential.Kind> = [.assertion]
    private let options: Options

    init(_ options: Options, in context: ProviderContext) { self.options = options }

    func verify(_ credential: Credential) async throws(ProviderError) -> ExternalIdentity {
        throw ProviderError(.credential, at: .redeem, "no identity is verified")
    }

    func startDeviceAuthorization(scopes: [String]) async throws(ProviderError) -> DeviceAuthorization {
        DeviceAuthorization(
            deviceCode: "d", userCode: options.userCode, verificationURI: options.verificationUri, expiresIn: 60,
            interval: 5)
    }

    func pollDeviceAuthorization(_ deviceCode: String) async throws(ProviderError) -> DeviceAuthorizationAnswer {
        .pending
    }
}
