import Foundation
import GitLab
import ProviderKit
import ProviderSimulators
import Testing

@Suite("GitLab: failures and options")
struct GitLabFailureTests {
    private static let limit: [String: String] = ["RateLimit-ResetTime": "Fri, 15 Jan 2027 08:01:30 GMT"]

    @Test(arguments: [GitLabSimulator.Endpoint.token, .user, .tokenInfo])
    func `a rate limit in plain text is an upstream fault with a retry time`(
        endpoint: GitLabSimulator.Endpoint
    ) async throws {
        let clock = SimulatorClock.stopped(at: Date(timeIntervalSince1970: 1_800_000_000))
        try await Installation.running(.init(clock: clock)) { installation in
            let token = try installation.accessToken()
            let credential = endpoint == .token ? try installation.code() : Credential(.accessToken(token))
            for (headers, wait) in [(["Retry-After": "7"], 7), (Self.limit, 90), ([:], nil)] {
                installation.gitlab.fail(
                    endpoint, with: .response(status: 429, headers: headers, body: Array("Retry later\n".utf8)),
                    times: 1)
                let error = await installation.refusal(of: credential)
                #expect(error?.fault == .upstream && error?.retryAfter == wait)
            }
        }
    }

    @Test func `the provider distinguishes the installation's own limit from a refusal`() async throws {
        try await Installation.running(.init(rateLimit: 1)) { installation in
            let token = try installation.accessToken()
            _ = try await installation.provider.verify(Credential(.accessToken(token)))
            let error = await installation.refusal(of: Credential(.accessToken(token)))
            #expect(error?.fault == .upstream)
            #expect((1...3600).contains(try #require(error?.retryAfter)))
        }
    }

    @Test(arguments: [GitLabSimulator.Endpoint.token, .keys, .user])
    func `an invalid response is an upstream fault and not a sign-in`(
        endpoint: GitLabSimulator.Endpoint
    ) async throws {
        let faults: [SimulatorFault] = [
            .status(502), .emptyBody, .htmlInsteadOfJSON, .garbage(), .closeConnection, .truncatedBody,
            .redirect(to: "https://elsewhere.example/"),
        ]
        try await Installation.running { installation in
            for fault in faults {
                installation.gitlab.fail(endpoint, with: fault, times: 1)
                let code = try installation.code()
                #expect(await installation.refusal(of: code)?.fault == .upstream)
                installation.gitlab.clearFaults()
            }
        }
    }

    @Test func `no error repeats a credential`() async throws {
        try await Installation.running { installation in
            let token = try installation.accessToken()
            for endpoint in [GitLabSimulator.Endpoint.tokenInfo, .user] {
                for status in [200, 400, 401, 403, 500] {
                    installation.gitlab.fail(endpoint, with: .status(status, body: #"{"error":"\#(token)"}"#), times: 1)
                    let error = try #require(await installation.refusal(of: Credential(.accessToken(token))))
                    #expect(!"\(error)".contains(token))
                }
            }
        }
    }

    private static let wrongOptions: [JSONObject] = [
        ["clientId": ""], ["clientId": "a", "clientSecret": ""], ["clientId": "a", "url": "gitlab.example"],
        ["clientId": "a", "url": "http://gitlab.example"], ["clientId": "a", "scopes": ["email"]],
        ["clientId": "a", "scopes": []],
    ]

    @Test(arguments: wrongOptions)
    func `options that cannot work are refused with what to write`(options: JSONObject) throws {
        let error = #expect(throws: ProviderError.self) { try Installation.make(options) }
        #expect(error?.fault == .configuration && error?.reason.contains("options.") == true)
    }

    @Test func `without a url it is gitlab.com, whose addresses are trusted`() throws {
        let provider = try Installation.make(["clientId": "a", "clientSecret": "b"])
        #expect(provider.instance == "https://gitlab.com" && provider.isPublicInstance)
        let other = try Installation.make(["clientId": "a", "url": "https://GitLab.example:443/gitlab/"])
        #expect(other.instance == "https://gitlab.example/gitlab" && !other.isPublicInstance)
    }
}
