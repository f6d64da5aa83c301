import Apple
import Foundation
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

extension AppleSimulator {
    /// Runs `body` with a simulator of its own, whose clock stands still, and stops it afterwards.
    static func running(
        _ options: Options = .init(clock: .stopped(at: Date(timeIntervalSince1970: 1_800_000_000))),
        _ body: (AppleSimulator) async throws -> Void
    ) async throws {
        let apple = try await start(options)
        do {
            try await body(apple)
        } catch {
            await apple.stop()
            throw error
        }
        await apple.stop()
    }

    /// The options an operator would write for the registrations of this simulator.
    var options: JSONObject {
        [
            "teamId": .string(teamID), "keyId": .string(key.keyID), "privateKey": .string(key.pem),
            "clientIds": [.string(nativeApplication.clientID)], "servicesId": .string(defaultApplication.clientID),
            "url": .string(url),
        ]
    }

    /// The plugin as it would be configured for this simulator; of `changes`, options that differ, `null` leaves one
    /// out.
    func provider(
        _ changes: JSONObject = [:], tokens: (any TokenService)? = nil
    ) throws -> any IdentityProvider {
        var options = options
        for (name, value) in changes { options[name] = value.isNull ? Optional.none : value }
        let upstream = AppleUpstream(simulator: url)
        let clock = clock
        return try ProviderPlugin.apple.provider(
            options: .object(options), decoder: JSONValueDecoder(unknownNames: .refused), path: "",
            in: ProviderContext(
                id: "apple.com", upstream: upstream,
                tokens: tokens ?? StandaloneTokens(upstream: upstream, now: { clock.now }), now: { clock.now },
                allowsInsecureLoopback: true))
    }

    /// The plugin's error for a credential.
    func refusal(_ credential: Credential, _ changes: JSONObject = [:]) async throws -> ProviderError {
        let provider = try provider(changes)
        return try #require(
            await #expect(throws: ProviderError.self) { _ = try await provider.verify(credential) })
    }

    var ada: Person {
        get throws { try #require(person(givenName: "Ada")) }
    }

    /// What an app sends after a user signed in on the device.
    func native(
        _ person: Person, rawNonce: String = "raw", sendsCode: Bool = false, application: Application? = nil
    ) -> Credential {
        let native = nativeCredential(
            for: person, application: application ?? nativeApplication, rawNonce: rawNonce)
        let profile = Credential.FirstTimeProfile(
            givenName: native.givenName, familyName: native.familyName, email: native.email)
        return Credential(
            .idToken(
                .init(
                    token: native.idToken, rawNonce: rawNonce,
                    authorizationCode: sendsCode ? native.authorizationCode : nil)),
            firstTimeProfile: profile)
    }

    /// What a web site's callback brings after a user consented.
    func code(_ person: Person, nonce: String? = nil, expecting expected: String? = nil) -> Credential {
        let redirectURI = defaultApplication.returnURLs[0]
        let code = authorizationCode(
            for: person, application: defaultApplication, redirectURI: redirectURI, nonce: nonce)
        return Credential(
            .authorizationCode(
                .init(code: code, redirectURI: redirectURI, verifier: "v", expectedNonce: expected ?? nonce)))
    }

    /// The fields of the requests an endpoint has had.
    func forms(_ endpoint: Endpoint) -> [[String: String]] {
        requests(endpoint).map { request in
            Dictionary((FormEncoding.decode(request.body) ?? []).map { ($0.name, $0.value) }) { _, last in last }
        }
    }
}
