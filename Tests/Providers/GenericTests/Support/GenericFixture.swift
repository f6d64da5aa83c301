import Crypto
import Foundation
import Generic
import JOSE
import ProviderKit
import ProviderKitTesting
import ProviderSimulators
import Testing

/// A simulated provider and an entry of `plugins.json` that points at it.
struct GenericFixture: Sendable {
    let issuer: OpenIDSimulator
    let upstream = SimulatorUpstream()

    /// Starts a simulator, lends it to `body` and stops it.
    static func run<Value>(
        _ options: OpenIDSimulator.Options = .init(clock: .stopped(at: now)),
        _ body: (GenericFixture) async throws -> Value
    ) async throws -> Value {
        let issuer = try await OpenIDSimulator.start(options)
        do {
            let value = try await body(GenericFixture(issuer: issuer))
            await issuer.stop()
            return value
        } catch {
            await issuer.stop()
            throw error
        }
    }

    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let redirectURI = "http://127.0.0.1/callback"

    /// Whether the simulator has received no request.
    var isUntouched: Bool { OpenIDSimulator.Endpoint.allCases.allSatisfy { issuer.hits($0) == 0 } }

    var application: OpenIDSimulator.Application { issuer.defaultApplication }
    var ada: OpenIDSimulator.Person { issuer.people()[0] }

    /// The options of a whole entry with some changes; `null` takes an option away.
    func oidcOptions(_ changes: JSONObject = [:]) -> JSONObject {
        Self.changed(
            [
                "issuer": .string(issuer.url), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""),
            ], changes)
    }

    func oauth2Options(_ changes: JSONObject = [:]) -> JSONObject {
        Self.changed(
            [
                "authorizationUrl": .string(issuer.url + "/authorize"), "tokenUrl": .string(issuer.url + "/token"),
                "userinfoUrl": .string(issuer.url + "/userinfo"), "clientId": .string(application.clientID),
                "clientSecret": .string(application.clientSecret ?? ""), "claims": ["subject": "/id"],
            ], changes)
    }

    func oidc(_ changes: JSONObject = [:]) throws -> OpenIDProvider {
        try #require(
            try Self.provider(.oidc, oidcOptions(changes), over: upstream, at: { issuer.clock.now }) as? OpenIDProvider)
    }

    func oauth2(_ changes: JSONObject = [:]) throws -> OAuth2Provider {
        try #require(
            try Self.provider(.oauth2, oauth2Options(changes), over: upstream, at: { issuer.clock.now })
                as? OAuth2Provider)
    }

    /// A plugin made as the broker makes it: unknown options are refused.
    static func provider(
        _ plugin: ProviderPlugin, _ options: JSONObject, over upstream: any Upstream,
        allowsInsecureLoopback: Bool = true, at clock: @escaping @Sendable () -> Date = { now }
    ) throws -> any IdentityProvider {
        try plugin.provider(
            options: .object(options), decoder: JSONValueDecoder(unknownNames: .refused), path: "/options",
            in: ProviderContext(
                id: "\(plugin.kind).test", upstream: upstream,
                tokens: StandaloneTokens(upstream: upstream, now: clock), now: clock,
                allowsInsecureLoopback: allowsInsecureLoopback))
    }

    private static func changed(_ options: JSONObject, _ changes: JSONObject) -> JSONObject {
        var options = options
        for (name, value) in changes { options[name] = value.isNull ? .none : .some(value) }
        return options
    }

    /// A code as the browser brings it back, with its verifier.
    func code(nonce: String? = nil, scopes: [String] = OpenIDSimulator.standardScopes) -> Credential {
        let verifier = String((0..<48).compactMap { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() })
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        let code = issuer.authorizationCode(
            for: ada, application: application, scopes: scopes, codeChallenge: challenge, nonce: nonce)
        return Credential(
            .authorizationCode(
                .init(code: code, redirectURI: Self.redirectURI, verifier: verifier, expectedNonce: nonce)))
    }
}

/// Whether a call failed, and how.
func failure<Value>(_ body: () async throws -> Value) async -> ProviderError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? ProviderError
    }
}
