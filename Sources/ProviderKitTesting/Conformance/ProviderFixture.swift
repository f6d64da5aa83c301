public import Foundation
public import ProviderKit

/// A plugin under test, with everything ``ConformanceSuite`` has to know to put it through its checks: how it is
/// configured, what its provider answers on a good day, and whom that proves.
///
/// The whole fixture of a provider that has nothing but a token endpoint and a profile:
/// ```swift
/// @Suite("Acme")
/// struct AcmeConformanceTests {
///     static let secret = ProviderFixture.marked("client-secret")
///     static let token = ProviderFixture.marked("access-token")
///     static let code = ProviderFixture.marked("code")
///
///     static let suite = ConformanceSuite(
///         ProviderFixture(
///             .acme, id: "acme.example", options: ["clientId": "app", "clientSecret": .string(secret)],
///             secrets: [secret], urlOptions: ["url"]
///         ) { scene in
///             ProviderScript(
///                 endpoints: [
///                     ScriptedEndpoint(
///                         .post, "https://id.acme.example/token", receives: [.clientSecret, .personToken],
///                         .json(["access_token": .string(token), "token_type": "bearer"])),
///                     ScriptedEndpoint(
///                         .get, "https://id.acme.example/me", receives: [.personToken],
///                         .json(["id": 7, "mail": "ada@acme.example", "mail_confirmed": true])),
///                 ],
///                 signIns: [
///                     HonestSignIn(
///                         Credential(.authorizationCode(.init(code: code, redirectURI: "https://app.example/back"))),
///                         identity: ExternalIdentity(
///                             subject: "7", email: .init("ada@acme.example", isVerified: true)))
///                 ],
///                 unverified: [
///                     ScriptVariation(
///                         "the address is not confirmed", signIn: 0,
///                         answering: [
///                             ScriptedEndpoint(
///                                 .get, "https://id.acme.example/me", receives: [.personToken],
///                                 .json(["id": 7, "mail": "ada@acme.example", "mail_confirmed": false]))
///                         ])
///                 ])
///         })
///
///     @Test(arguments: suite.checks)
///     func `keeps the provider contract`(check: ConformanceCheck) async {
///         #expect(await Self.suite.verdict(of: check).objection == nil)
///     }
///
///     @Test func `grade`() async { print(await Self.suite.grade()) }
/// }
/// ```
/// A provider with ID tokens gives the fixture an ``IssuerKeys``, answers its keys' URL with ``FixtureScene/keySet`` and
/// makes every ID token with ``FixtureScene/idToken(_:type:)``, so that the suite can have each of them forged; its
/// discovery document is an endpoint with `isDiscovery`. A plugin that refreshes, revokes or has a device flow names an
/// honest grant or device identity in its ``ProviderScript``.
///
/// Every secret and token is made with ``marked(_:)``: the suite searches for them where they must not be.
public struct ProviderFixture: Sendable {
    /// The plugin.
    public let plugin: ProviderPlugin
    /// The `providerId` of the entry.
    public let id: String
    /// The entry's `options`, all of them right.
    public let options: JSONObject
    /// What stands in ``options`` and may be seen by nobody: client secrets and private keys.
    public let secrets: [String]
    /// The options that are URLs somebody could get wrong.
    public let urlOptions: [String]
    /// Changes of ``options`` that leave the instance without a client id. `null` takes an option away.
    public let optionsWithoutClient: [JSONObject]
    /// Who signs the ID tokens.
    public let issuer: IssuerKeys?
    /// Why a check does not apply, by its ``ConformanceCheck/id``. The grade shows them.
    public let exemptions: [String: String]
    /// The time of everything that happens.
    public let now: Date
    private let script: @Sendable (FixtureScene) -> ProviderScript

    /// Describes a plugin; the parameters are the properties of the same name.
    ///
    /// - Parameters:
    ///   - plugin: The plugin.
    ///   - id: The `providerId`.
    ///   - options: The right options.
    ///   - secrets: What in them is secret.
    ///   - urlOptions: Which options are URLs.
    ///   - optionsWithoutClient: Changes that take the client id away.
    ///   - issuer: Who signs the ID tokens.
    ///   - exemptions: Why a check does not apply, by its id.
    ///   - now: The time.
    ///   - script: What the provider answers, for every run anew.
    public init(
        _ plugin: ProviderPlugin, id: String, options: JSONObject, secrets: [String] = [], urlOptions: [String] = [],
        optionsWithoutClient: [JSONObject] = [["clientId": ""]], issuer: IssuerKeys? = nil,
        exemptions: [String: String] = [:], now: Date = Date(timeIntervalSince1970: 1_800_000_000),
        script: @escaping @Sendable (FixtureScene) -> ProviderScript
    ) {
        self.plugin = plugin
        self.id = id
        self.options = options
        self.secrets = secrets
        self.urlOptions = urlOptions
        self.optionsWithoutClient = optionsWithoutClient
        self.issuer = issuer
        self.exemptions = exemptions
        self.now = now
        self.script = script
    }

    /// A value nobody uses twice and everybody can find again: `label` and 24 random letters, all of them unreserved in
    /// URLs.
    public static func marked(_ label: String) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return label + "-" + String((0..<24).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// What the provider answers when its ID tokens are made that way.
    func script(forging forgery: IDTokenForgery? = nil, changing claims: JSONObject = JSONObject()) -> ProviderScript {
        script(FixtureScene(now: now, issuer: issuer, forgery: forgery, changes: claims))
    }

    /// What the provider answers, with the claims of the ID tokens that are made for it.
    func recordedScript() -> (script: ProviderScript, minted: FixtureScene.Minted) {
        let scene = FixtureScene(now: now, issuer: issuer, forgery: nil, changes: JSONObject())
        return (script(scene), scene.minted)
    }

    /// An instance of the plugin.
    ///
    /// - Throws: What the plugin says about the options.
    public func provider(
        over upstream: any Upstream, changing changes: JSONObject = JSONObject()
    ) throws -> any IdentityProvider {
        var options = options
        for (name, value) in changes { options[name] = value.isNull ? Optional.none : value }
        let now = now
        let context = ProviderContext(
            id: id, upstream: upstream, tokens: StandaloneTokens(upstream: upstream, now: { now }), now: { now })
        return try plugin.provider(
            options: .object(options), decoder: JSONValueDecoder(unknownNames: .refused), path: "/options", in: context)
    }
}
