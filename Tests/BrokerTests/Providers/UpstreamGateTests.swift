import Foundation
import NIOCore
import NIOHTTP1
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("circuit breaker of a provider")
struct UpstreamGateTests {
    private static let origin = "https://id.example:443"
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    @Test func `a credential that cannot be sent does not prevent other sign-ins`() async throws {
        try await TestProviders.run { broker, providers in
            for index in 0..<12 {
                let poison = ["a\nb", "a\r\nX: y", "a\u{0}b", "ключ", "a b", "a\u{7F}"][index % 6]
                for provider in ["gitlab.com", "github.com", "1pass.dev"] {
                    let answer = try await broker.signIn(
                        postBody: [("access_token", poison), ("providerId", provider)])
                    // No form has U+0000.
                    let isInForm = !poison.utf8.contains(0)
                    #expect(answer.code == (isInForm ? "INVALID_IDP_RESPONSE" : "INVALID_CREDENTIAL_OR_PROVIDER_ID"))
                    #expect(answer.headers.first(name: "Retry-After") == nil)
                }
            }

            #expect(providers.gitLab.hits(.tokenInfo) == 0 && providers.gitHub.hits(.checkToken) == 0)
            for id in ["gitlab.com", "github.com", "1pass.dev"] {
                let person = try providers.person(at: id, email: "ann@example.com")
                #expect(try await broker.signIn(person).status == 200)
            }
        }
    }

    @Test(arguments: [
        [("access_token", String(repeating: "a", count: 16_385))], [("code", "a\nb"), ("code_verifier", "v")],
        [("code", "c"), ("code_verifier", "v\t")],
        [("code", String(repeating: "c", count: 4097)), ("code_verifier", "v")],
        [("code", "c"), ("code_verifier", "v"), ("nonce", "é")],
        [("code", "c"), ("code_verifier", "v"), ("redirect_uri", "https://app.example/\u{202E}")],
    ])
    func `credentials are printable ASCII of bounded length`(fields: [(String, String)]) async throws {
        try await TestBroker.run { broker in
            let answer = try await broker.signIn(postBody: fields + [("providerId", "github.com")])

            #expect(answer.status == 400 && answer.code == "INVALID_IDP_RESPONSE")
            #expect(broker.simulator.hits(.checkToken) == 0 && broker.simulator.hits(.accessToken) == 0)
        }
    }

    @Test func `requests a provider fails at do not switch it off while it answers the broker's own`() async throws {
        try await TestBroker.run { broker in
            broker.simulator.fail(.checkToken, with: .status(500), times: 25)
            for _ in 0..<25 { _ = try await broker.signIn(try broker.person("ada")) }

            let answer = try await broker.signIn(try broker.person("ada"))

            #expect(broker.simulator.hits(.checkToken) == 26)
            #expect(answer.status == 200)
        }
    }

    @Test func `after ten failures in a row a provider that is gone is left alone for a while`() async throws {
        try await TestBroker.run { broker in
            await broker.simulator.stop()
            for _ in 0..<10 {
                let answer = try await broker.signIn(try broker.person("ada"))
                #expect(answer.headers.first(name: "Retry-After") == nil)
            }

            let answer = try await broker.signIn(try broker.person("ada"))

            #expect(answer.code == "INVALID_IDP_RESPONSE")
            #expect(answer.headers.first(name: "Retry-After") == "5")
        }
    }

    @Test func `requests that hang at one endpoint leave the provider's others alone`() async throws {
        let simulator = try await GitHubSimulator.start()
        let clients = EgressClients()
        let upstream = HTTPUpstream(clients, allowsInsecureLoopback: true)
        let check = simulator.apiURL + "/applications/\(simulator.defaultApplication.clientID)/token"
        let gate = SimulatorGate()
        simulator.fail(.checkToken, with: .hold(at: gate))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            // Each takes a connection until there is none left, and the others fail without one.
            for _ in 0..<(PinnedClient.maximumConnections + UpstreamGate.failuresBeforeProbe + 2) {
                group.addTask {
                    (try? await upstream.send(UpstreamRequest(.post, check, at: .introspect))) == nil
                }
            }
            await gate.arrivals(PinnedClient.maximumConnections)
            for _ in 0..<UpstreamGate.failuresBeforeProbe {
                let isFailed = try await group.next()
                #expect(isFailed == true)
            }

            let other = try await upstream.send(UpstreamRequest(.get, simulator.apiURL + "/user", at: .fetchProfile))

            #expect(other.status == 401)
            gate.open()
        }
        await clients.shutdown()
        await simulator.stop()
    }

    @Test func `requests of one step leave the other steps room`() {
        let gate = UpstreamGate()
        for _ in 0..<UpstreamGate.maximumOpen {
            #expect(gate.enter(Self.origin, for: .introspect, at: Self.start) == .admitted)
        }

        #expect(gate.enter(Self.origin, for: .introspect, at: Self.start) == .refused)
        #expect(gate.enter(Self.origin, for: .redeem, at: Self.start) == .admitted)
        _ = gate.leave(.answered, Self.origin, for: .introspect, at: Self.start)
        #expect(gate.enter(Self.origin, for: .introspect, at: Self.start) == .admitted)
    }

    @Test func `only a failed probe opens the breaker, and only a probe closes it again`() {
        let gate = UpstreamGate()
        let probes = (1...10).map { _ in Self.fail(gate, at: Self.start) }
        #expect(probes == Array(repeating: false, count: 9) + [true])
        // While the probe is out, requests go on and cause no second one.
        #expect(!Self.fail(gate, at: Self.start))

        gate.probed(.failed, Self.origin, at: Self.start)
        #expect(gate.enter(Self.origin, for: .redeem, at: Self.start) == .refused)
        #expect(gate.enter("https://other.example:443", for: .redeem, at: Self.start) == .admitted)

        let later = Self.start + UpstreamGate.pause
        #expect(gate.enter(Self.origin, for: .redeem, at: later) == .probeFirst)
        #expect(gate.enter(Self.origin, for: .redeem, at: later) == .refused)
        gate.probed(.failed, Self.origin, at: later)
        #expect(gate.enter(Self.origin, for: .redeem, at: later) == .refused)

        let muchLater = later + UpstreamGate.pause
        #expect(gate.enter(Self.origin, for: .redeem, at: muchLater) == .probeFirst)
        gate.probed(.answered, Self.origin, at: muchLater)
        #expect(gate.enter(Self.origin, for: .redeem, at: muchLater) == .admitted)
    }

    @Test func `a probe that succeeds starts the count anew, and an abandoned one is made again`() {
        let gate = UpstreamGate()
        for _ in 1...10 { _ = Self.fail(gate, at: Self.start) }
        gate.probed(.abandoned, Self.origin, at: Self.start)
        #expect(Self.fail(gate, at: Self.start))
        gate.probed(.answered, Self.origin, at: Self.start)

        #expect((1...10).map { _ in Self.fail(gate, at: Self.start) } == Array(repeating: false, count: 9) + [true])
    }

    @Test func `requests given up from our side and answers break the row`() {
        let gate = UpstreamGate()
        for _ in 1...9 { _ = Self.fail(gate, at: Self.start) }
        _ = gate.enter(Self.origin, for: .redeem, at: Self.start)
        #expect(!gate.leave(.abandoned, Self.origin, for: .redeem, at: Self.start))
        _ = gate.enter(Self.origin, for: .redeem, at: Self.start)
        #expect(!gate.leave(.answered, Self.origin, for: .redeem, at: Self.start))

        #expect((1...9).allSatisfy { _ in !Self.fail(gate, at: Self.start) })
    }

    @Test func `a probe asks the plugin's URL at its origin, and the root of any other`() async throws {
        try await TestProviders.run { broker, providers in
            let urls = TestProviders.ids.map { broker.core.providers.current.provider($0)?.provider.probeURL }

            #expect(
                urls == [
                    providers.gitHub.apiURL + "/", providers.gitLab.url + "/.well-known/openid-configuration",
                    providers.apple.url + "/auth/keys", providers.onePass.url + "/.well-known/openid-configuration",
                ])
        }
        let gate = UpstreamGate()
        gate.setProbeURL("https://id.example/.well-known/openid-configuration")
        #expect(gate.probeURL(of: Self.origin) == "https://id.example/.well-known/openid-configuration")
        #expect(gate.probeURL(of: "https://api.id.example:443") == "https://api.id.example:443/")
    }

    /// Lets one request through that fails.
    private static func fail(_ gate: UpstreamGate, at now: NIODeadline) -> Bool {
        guard case .admitted = gate.enter(origin, for: .redeem, at: now) else { return false }
        return gate.leave(.failed, origin, for: .redeem, at: now)
    }
}
