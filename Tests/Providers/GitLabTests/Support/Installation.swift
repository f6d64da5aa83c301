import Crypto
import Foundation
import GitLab
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

/// A simulated GitLab and the plugin that is configured for it.
struct Installation: Sendable {
    let gitlab: GitLabSimulator
    let provider: any IdentityProvider

    /// Runs `body` with an installation of its own and stops it afterwards.
    static func running(
        _ simulator: GitLabSimulator.Options = .init(), options: JSONObject = [:], withSecret: Bool = true,
        _ body: (Installation) async throws -> Void
    ) async throws {
        let gitlab = try await GitLabSimulator.start(simulator)
        do {
            let provider = try Self.provider(for: gitlab, options, withSecret: withSecret)
            try await body(Installation(gitlab: gitlab, provider: provider))
        } catch {
            await gitlab.stop()
            throw error
        }
        await gitlab.stop()
    }

    static func provider(
        for gitlab: GitLabSimulator, _ changes: JSONObject = [:], withSecret: Bool = true
    ) throws -> any IdentityProvider {
        var options: JSONObject = [
            "url": .string(gitlab.url), "clientId": .string(gitlab.defaultApplication.clientID),
        ]
        if withSecret { options["clientSecret"] = .string(gitlab.defaultApplication.clientSecret) }
        for (name, value) in changes { options[name] = value }
        return try make(options, now: { gitlab.clock.now })
    }

    /// A plugin that is not connected to anything yet.
    static func make(
        _ options: JSONObject, now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }
    ) throws -> any IdentityProvider {
        let upstream = SimulatorUpstream()
        return try ProviderPlugin.gitlab.provider(
            options: .object(options), decoder: JSONValueDecoder(), path: "",
            in: ProviderContext(
                id: "gitlab.com", upstream: upstream, tokens: StandaloneTokens(upstream: upstream, now: now), now: now,
                allowsInsecureLoopback: true))
    }

    var application: GitLabSimulator.Application { gitlab.defaultApplication }

    var ada: GitLabSimulator.Person {
        get throws { try #require(gitlab.person(username: "ada")) }
    }

    /// The redirect URI of a broker on some port, which the registration covers as a loopback address.
    static let redirectURI = "http://127.0.0.1:4321/oauth/callback/gitlab.com"

    /// A code for a person, ada unless another one is named, with PKCE and a nonce of ours, as the broker's redirect flow ends.
    func code(
        of person: GitLabSimulator.Person? = nil, verifier: String = UUID().uuidString + UUID().uuidString,
        nonce: String? = "nonce-of-ours",
        expectedNonce: String? = "nonce-of-ours", scopes: [String]? = nil
    ) throws -> Credential {
        let digest = Data(SHA256.hash(data: Data(verifier.utf8))).base64EncodedString()
        let challenge = digest.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        let code = gitlab.authorizationCode(
            for: try person ?? ada, application: application, codeChallenge: challenge, nonce: nonce,
            redirectURI: Self.redirectURI, scopes: scopes)
        return Credential(
            .authorizationCode(
                .init(code: code, redirectURI: Self.redirectURI, verifier: verifier, expectedNonce: expectedNonce)))
    }

    /// Why a credential is refused; `nil` when it is not.
    func refusal(of credential: Credential) async -> ProviderError? {
        do {
            _ = try await provider.verify(credential)
            return nil
        } catch {
            return error
        }
    }

    /// An access token of ada's for our application.
    func accessToken(scopes: [String]? = nil) throws -> String {
        gitlab.accessToken(for: try ada, application: application, scopes: scopes)
    }

    /// An ID token of ada's for our application, with the nonce `raw-nonce`.
    func idToken() throws -> String {
        gitlab.idToken(for: try ada, application: application, nonce: "raw-nonce")
    }
}
