import Foundation
import OAuth
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("checking a provider")
struct CheckProviderTests {
    @Test(arguments: ["gitlab.com", "apple.com", "1pass.dev"])
    func `nothing is found where everything is right`(id: String) async throws {
        try await TestProviders.run { broker, _ in
            let codes = try await Self.codes(id, broker)
            #expect(codes == [])
        }
    }

    @Test(arguments: [
        ("gitlab.com", "client-refused"), ("apple.com", "apple-client-refused"), ("1pass.dev", "client-refused"),
    ])
    func `a client the provider does not know is found`(id: String, code: String) async throws {
        try await TestProviders.run(entries: { entry in
            guard entry["id"]?.string == id, case .object(var options) = entry["options"] else { return }
            options[id == "apple.com" ? "teamId" : "clientSecret"] = .string(RandomText.alphanumeric(10).uppercased())
            entry["options"] = .object(options)
        }) { broker, _ in
            let codes = try await Self.codes(id, broker)
            #expect(Set(codes) == [code])
        }
    }

    @Test(arguments: ["gitlab.com", "apple.com", "1pass.dev"])
    func `a provider that has gone is a dead port`(id: String) async throws {
        try await TestProviders.run { broker, providers in
            await providers.gitLab.stop()
            await providers.apple.stop()
            await providers.onePass.stop()

            let codes = try await Self.codes(id, broker)
            #expect(Set(codes) == ["connection-failed"])
        }
    }

    @Test(arguments: ["gitlab.com", "1pass.dev"])
    func `the check distinguishes missing discovery from missing keys`(id: String) async throws {
        try await TestProviders.run { broker, providers in
            providers.gitLab.fail(.keys, with: .status(404))
            providers.onePass.fail(.keys, with: .status(404))
            let codes = try await Self.codes(id, broker)
            #expect(codes == ["keys-unavailable"])

            providers.gitLab.fail(.discovery, with: .htmlInsteadOfJSON)
            providers.onePass.fail(.discovery, with: .htmlInsteadOfJSON)
            let missing = try await Self.codes(id, broker)
            #expect(missing == ["discovery-missing"])
        }
    }

    @Test(arguments: ["gitlab.com", "apple.com", "1pass.dev"])
    func `every provider's clock is watched`(id: String) async throws {
        try await TestProviders.run { broker, providers in
            providers.clock.advance(by: .seconds(90))

            let codes = try await Self.codes(id, broker)

            #expect(codes.last == "clock-skew", "\(codes)")
        }
    }

    @Test func `the token endpoint is asked with the broker's own redirect URI`() async throws {
        try await TestProviders.run { broker, providers in
            for id in ["gitlab.com", "apple.com", "1pass.dev"] { _ = try await Self.codes(id, broker) }

            let forms = [
                providers.gitLab.requests(.token), providers.apple.requests(.token), providers.onePass.requests(.token),
            ]
            for (id, requests) in zip(["gitlab.com", "apple.com", "1pass.dev"], forms) {
                let sent = requests.compactMap { FormEncoding.decode($0.body) }.flatMap(\.self)
                let uris = Set(sent.filter { $0.name == "redirect_uri" }.map(\.value))
                #expect(uris == ["\(broker.core.configuration.publicURL)/oauth/callback/\(id)"])
            }
        }
    }

    private static func codes(_ id: String, _ broker: TestBroker) async throws -> [String] {
        let provider = try #require(broker.core.providers.current.provider(id))
        guard case .checked(let findings) = await provider.check() else {
            throw TestFailure("\(id) cannot be checked")
        }
        #expect(findings.allSatisfy { !$0.text.isEmpty && !$0.fix.isEmpty })
        return findings.map(\.code)
    }
}
