import Foundation
import GitLab
import ProviderKit
import ProviderSimulators
import Testing

@Suite("GitLab: the check of a configuration")
struct GitLabCheckTests {
    private static func findings(about provider: any IdentityProvider) async throws -> [String] {
        let provider = try #require(provider as? any ConfigurationCheck)
        return await provider.checkConfiguration().map(\.code)
    }

    @Test(arguments: [true, false])
    func `nothing is wrong with a registered client, confidential or public`(isConfidential: Bool) async throws {
        let application = GitLabSimulator.Application(isConfidential: isConfidential)
        try await Installation.running(.init(application: application), withSecret: isConfidential) { installation in
            let findings = try await Self.findings(about: installation.provider)
            #expect(findings.isEmpty)
        }
    }

    @Test func `a client GitLab does not know, or whose secret is wrong or missing, is refused`() async throws {
        try await Installation.running { installation in
            let gitlab = installation.gitlab
            let wrong = try Installation.provider(for: gitlab, ["clientSecret": "gloas-wrong"])
            let missing = try Installation.provider(for: gitlab, withSecret: false)
            let unknown = try Installation.provider(for: gitlab, ["clientId": "nobody"])
            for provider in [wrong, missing, unknown] {
                #expect(try await Self.findings(about: provider) == ["client-refused"])
            }
        }
    }

    @Test func `a url without the installation's path finds no discovery`() async throws {
        try await Installation.running(.init(pathPrefix: "/gitlab")) { installation in
            let origin = installation.gitlab.url.replacing("/gitlab", with: "")
            let provider = try Installation.provider(for: installation.gitlab, ["url": .string(origin)])
            let findings = try await Self.findings(about: provider)
            #expect(findings == ["discovery-missing"])
        }
    }

    @Test(arguments: [
        (GitLabSimulator.Endpoint.discovery, "provider-unavailable"), (.keys, "keys-unavailable"),
        (.token, "provider-unavailable"),
    ])
    func `what does not answer is named`(endpoint: GitLabSimulator.Endpoint, code: String) async throws {
        try await Installation.running { installation in
            installation.gitlab.fail(endpoint, with: .status(503))
            let findings = try await Self.findings(about: installation.provider)
            #expect(findings == [code])
        }
    }
}
