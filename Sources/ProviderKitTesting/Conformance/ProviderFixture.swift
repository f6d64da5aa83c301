public import Foundation
public import ProviderKit

/// A plugin under test, with the data for ``ConformanceSuite``: its configuration, its provider's normal responses, and
/// the identities that result.
///
/// The fixture of a provider with a token endpoint and a profile:
/// ```swift
/// @Suite("Acme")
/// struct AcmeConformanceTests {
///     static let secret = ProviderFixture.marked("client-secret")
///     static let token = ProviderFixture.marked("access-token")
///     static let code = ProviderFixture.marked("code")
///
///     static let suite = ConformanceSuite(
///         ProviderFixture(
///             .acme, id: "acme.example", options: ["clientId": "app", "clientSecret": .string(secret)]
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
///                         Credential(
///                             .authorizationCode(
///                                 .init(
///                                     code: code, redirectURI: "https://app.example/back",
///                                     verifier: ProviderFixture.marked("verifier")))),
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
///         #expect(await Self.suite.outcome(of: check).failure == nil)
///     }
///
///     @Test func `grade`() async { print(await Self.suite.grade()) }
/// }
/// ```
/// A fixture with ID tokens has an ``IssuerKeys``, returns ``FixtureScene/keySet`` at the key set URL and issues every
/// ID token with ``FixtureScene/idToken(_:type:)``, so that the suite can forge them. Its discovery document is an
/// endpoint with `isDiscovery`. A plugin with refresh, revocation or device flow needs a valid grant or device identity
/// in its ``ProviderScript``.
///
/// Make every secret and token with ``marked(_:)``: the suite searches for leaks of them. It learns from the plugin which
/// options are secrets (those read as `Secret`) and which are URLs.
public struct ProviderFixture: Sendable {
    /// The plugin.
    public let plugin: ProviderPlugin
    /// The `providerId` of the entry.
    public let id: String
    /// The entry's `options`, all valid.
    public let options: JSONObject
    /// Changes of ``options`` that leave the instance without a client id. `null` removes an option.
    public let optionsWithoutClient: [JSONObject]
    /// The issuer of the ID tokens.
    public let issuer: IssuerKeys?
    /// The reasons why checks do not apply, by ``ConformanceCheck/id``. The grade shows them.
    public let exemptions: [String: String]
    /// The time of the run.
    public let now: Date
    private let script: @Sendable (FixtureScene) -> ProviderScript

    /// Makes a fixture; the parameters are the properties of the same name.
    ///
    /// - Parameters:
    ///   - plugin: The plugin.
    ///   - id: The `providerId`.
    ///   - options: The valid options.
    ///   - optionsWithoutClient: Changes that remove the client id.
    ///   - issuer: The issuer of the ID tokens.
    ///   - exemptions: The reasons why checks do not apply, by id.
    ///   - now: The time.
    ///   - script: Makes the provider's responses for each run.
    public init(
        _ plugin: ProviderPlugin, id: String, options: JSONObject,
        optionsWithoutClient: [JSONObject] = [["clientId": ""]], issuer: IssuerKeys? = nil,
        exemptions: [String: String] = [:], now: Date = Date(timeIntervalSince1970: 1_800_000_000),
        script: @escaping @Sendable (FixtureScene) -> ProviderScript
    ) {
        self.plugin = plugin
        self.id = id
        self.options = options
        self.optionsWithoutClient = optionsWithoutClient
        self.issuer = issuer
        self.exemptions = exemptions
        self.now = now
        self.script = script
    }

    /// Makes a unique, searchable value: `label` and 24 random letters, all unreserved in URLs.
    public static func marked(_ label: String) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return label + "-" + String((0..<24).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// The provider's responses with these ID tokens.
    func script(
        forging forgery: IDTokenForgery? = nil, changing claims: JSONObject = JSONObject(),
        exchanging exchange: UserExchange? = nil
    ) -> ProviderScript {
        let scene = FixtureScene(now: now, issuer: issuer, forgery: forgery, changes: claims, exchange: exchange)
        return exchange.map(script(scene).exchanging) ?? script(scene)
    }

    /// The provider's responses, with the claims of their ID tokens.
    func recordedScript() -> (script: ProviderScript, minted: FixtureScene.Minted) {
        let scene = FixtureScene(now: now, issuer: issuer, forgery: nil, changes: JSONObject(), exchange: nil)
        return (script(scene), scene.minted)
    }

    /// Makes an instance of the plugin.
    ///
    /// - Throws: The plugin's error for the options.
    public func provider(
        over upstream: any Upstream, changing changes: JSONObject = JSONObject()
    ) throws -> any IdentityProvider {
        try instance(over: upstream, changing: changes).provider
    }

    /// Makes an instance of the plugin, with what it took from the options.
    func instance(
        over upstream: any Upstream, changing changes: JSONObject = JSONObject()
    ) throws -> (provider: any IdentityProvider, uses: OptionUses) {
        var options = options
        for (name, value) in changes { options[name] = value.isNull ? Optional.none : value }
        let now = now
        let record = OptionRecord()
        let context = ProviderContext(
            id: id, upstream: upstream, tokens: StandaloneTokens(upstream: upstream, now: { now }), now: { now },
            onEndpoint: record.add(endpoint:))
        let decoder = JSONValueDecoder(
            unknownNames: .refused,
            userInfo: [.secretSource: SecretSource().reportingPaths(to: record.add(secretAt:))])
        let provider = try plugin.provider(options: .object(options), decoder: decoder, path: "/options", in: context)
        return (provider, record.uses(of: options))
    }
}
