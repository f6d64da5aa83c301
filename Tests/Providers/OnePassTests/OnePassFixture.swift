import Crypto
import Foundation
import JOSE
import OnePass
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

/// A configured plugin and the simulator it talks to, over real sockets.
struct OnePassFixture {
    /// What the browser came back to.
    static let redirectURI = "https://id.example/oauth/callback/1pass.dev"

    let onePass: OnePassSimulator
    /// The main registration.
    let application: OnePassSimulator.Application
    /// The registration of the same app on a phone.
    let phone: OnePassSimulator.Application
    let provider: any IdentityProvider

    /// Runs `body` with a simulator of its own.
    ///
    /// - Parameters:
    ///   - type: Whether the main registration has a secret.
    ///   - options: The entry's options that matter to a test.
    ///   - issuer: What the simulator calls itself.
    ///   - body: The test.
    /// - Throws: What the test throws.
    static func running(
        _ type: OnePassSimulator.Application.ClientType = .confidential, options: JSONObject = [:],
        issuer: String? = nil, _ body: (OnePassFixture) async throws -> Void
    ) async throws {
        let application = OnePassSimulator.Application(type: type, redirectURIs: [redirectURI])
        let onePass = try await OnePassSimulator.start(
            .init(
                clock: .stopped(at: Date(timeIntervalSince1970: 1_800_000_000)), issuer: issuer,
                application: application))
        let phone = onePass.register(.init(type: .public, redirectURIs: ["com.example.app://callback"]))
        do {
            let provider = try provider(onePass, application, additional: [phone], options)
            try await body(
                OnePassFixture(onePass: onePass, application: application, phone: phone, provider: provider))
        } catch {
            await onePass.stop()
            throw error
        }
        await onePass.stop()
    }

    /// A plugin configured for a registration.
    static func provider(
        _ onePass: OnePassSimulator, _ application: OnePassSimulator.Application,
        additional: [OnePassSimulator.Application] = [], _ changes: JSONObject = [:]
    ) throws -> any IdentityProvider {
        var options: JSONObject = [
            "url": .string(onePass.url), "clientId": .string(application.clientID),
            "additionalClientIds": .array(additional.map { .string($0.clientID) }),
        ]
        options["clientSecret"] = application.clientSecret.map(JSONValue.string)
        for (name, value) in changes { options[name] = value }
        return try provider(options, clock: onePass.clock)
    }

    static func provider(_ options: JSONObject, clock: SimulatorClock = .system) throws -> any IdentityProvider {
        let upstream = SimulatorUpstream()
        let now: @Sendable () -> Date = { clock.now }
        return try ProviderPlugin.onePass.provider(
            options: .object(options), decoder: JSONValueDecoder(), path: "",
            in: ProviderContext(
                id: "1pass.dev", upstream: upstream, tokens: StandaloneTokens(upstream: upstream, now: now), now: now,
                allowsInsecureLoopback: true))
    }

    func person(_ name: String) throws -> OnePassSimulator.Person {
        try #require(onePass.person(named: name))
    }

    /// A new user.
    var nobody: OnePassSimulator.Person {
        get throws { try #require(onePass.people().first { $0.isAnonymous }) }
    }

    /// The code a browser brings back, with what the broker remembers about it.
    func code(
        for person: OnePassSimulator.Person, nonce: String? = "n", expecting: String? = "n",
        scopes: [String] = OnePassSimulator.usualScopes
    ) -> Credential {
        let verifier = UUID().uuidString + UUID().uuidString
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        let code = onePass.authorizationCode(
            for: person, application: application, codeChallenge: challenge, nonce: nonce, scopes: scopes)
        return Credential(
            .authorizationCode(
                .init(code: code, redirectURI: Self.redirectURI, verifier: verifier, expectedNonce: expecting)))
    }

    func verify(_ proof: Credential.Proof) async throws -> ExternalIdentity {
        try await provider.verify(Credential(proof))
    }

    /// Signs a user in by an access token they hold.
    func signIn(_ person: OnePassSimulator.Person) async throws -> ExternalIdentity {
        try await verify(.accessToken(onePass.accessToken(for: person, application: application)))
    }

    /// The error of a credential that has to be refused.
    func failure(_ proof: Credential.Proof) async -> ProviderError? {
        await #expect(throws: ProviderError.self) { _ = try await verify(proof) }
    }
}
