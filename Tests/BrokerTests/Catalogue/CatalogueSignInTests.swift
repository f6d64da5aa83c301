import Crypto
import Foundation
import Generic
import GitHub
import GitLab
import JOSE
import ProviderKit
import ProviderKitTesting
import Testing

@testable import Broker

/// Each provider of the catalogue signs its sample user in, through the plugin that the broker uses, at a stand-in that
/// was written from the provider's documentation.
@Suite("the providers of the catalogue at their stand-ins", .timeLimit(.minutes(20)))
struct CatalogueSignInTests {
    static let plugins: [ProviderPlugin] = [.github, .gitlab, .oidc, .oauth2]

    @Test(arguments: ProviderCatalogue.embedded.providers.map(\.name))
    func `signs in as the documentation demands, and nothing of the profile is lost`(name: String) async throws {
        let listed = try #require(ProviderCatalogue.embedded.provider(named: name))
        let standIn = try StandIn(try ProviderQuirks(of: name))

        let identity: ExternalIdentity
        do {
            identity = try await Self.signIn(listed, at: standIn)
        } catch {
            Issue.record("\(error): \(standIn.refusals)")
            return
        }

        #expect(standIn.refusals == [])
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        let found: [String: JSONValue] = [
            "subject": .string(identity.subject), "email": text(identity.email?.address),
            "emailVerified": .bool(identity.email?.isVerified ?? false), "displayName": text(identity.displayName),
            "givenName": text(identity.givenName), "familyName": text(identity.familyName),
            "screenName": text(identity.screenName), "pictureUrl": text(identity.pictureURL),
        ]
        let expected = standIn.quirks.expects.values
        #expect(expected["subject"] != nil && expected["email"] != nil, "the quirks say what the identity is")
        for (member, value) in expected { #expect(found[member] == value, "\(member)") }
    }

    /// Signs in: the authorization URL, the redirection, and the code at the plugin.
    @discardableResult
    static func signIn(
        _ listed: CatalogueProvider, changing options: JSONObject = [:], at standIn: StandIn
    ) async throws -> ExternalIdentity {
        let provider = try Self.provider(listed, changing: options, at: standIn)
        let verifier = String(repeating: "verifier-", count: 6)
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Data(verifier.utf8))))
        let redirect = try #require(provider as? any RedirectSignIn)
        let nonce = listed.use == "oidc" ? "stand-in-nonce" : nil
        let url = try await redirect.authorizationURL(
            for: SignInAttempt(
                state: "stand-in-state", redirectURI: StandIn.redirectURI, codeChallenge: challenge, nonce: nonce))
        let callback = try standIn.authorize(url, state: "stand-in-state")
        return try await provider.verify(
            Credential(
                .authorizationCode(
                    .init(
                        code: StandIn.code, redirectURI: StandIn.redirectURI, verifier: verifier, expectedNonce: nonce,
                        callback: callback))))
    }

    /// The entry as `providers.add` makes it, and its plugin.
    static func provider(
        _ listed: CatalogueProvider, changing options: JSONObject = [:], at standIn: StandIn
    ) throws -> any IdentityProvider {
        var client: JSONObject = ["clientId": .string(standIn.clientID)]
        if standIn.quirks.token.clientAuthentication != .none { client["clientSecret"] = .string(StandIn.clientSecret) }
        let document = listed.entry(listed.examples).merging(["options": .object(client)])
        let entry = try ProviderEntry(
            stored: .object(document.merging(["options": .object(options)])), plugins: plugins)
        let plugin = try #require(plugins.first { $0.kind == entry.use })
        return try plugin.provider(
            options: entry.options, decoder: StrictFile.decoder(secrets: .textOnly), path: "/options",
            in: ProviderContext(
                id: entry.id, upstream: standIn,
                tokens: StandaloneTokens(upstream: standIn, now: { StandIn.now }), now: { StandIn.now }))
    }
}

extension CatalogueProvider {
    /// The examples of the variables.
    var examples: [String: String] { Dictionary(variables.map { ($0.name, $0.example) }) { first, _ in first } }
}
