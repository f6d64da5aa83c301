import ProviderKit

/// One instance of a plugin with its own upstream, which plays plugin calls.
struct Rehearsal: Sendable {
    /// The maximum number of requests of a plugin call, which the broker allows as well.
    static let maximumCalls = 20

    let fixture: ProviderFixture
    let script: ProviderScript
    let upstream: ScriptedUpstream
    let provider: any IdentityProvider
    let uses: OptionUses

    /// Makes the instance.
    ///
    /// - Parameters:
    ///   - fixture: The plugin.
    ///   - script: The provider's responses.
    ///   - answers: Endpoints with other responses.
    ///   - disturbances: The changed responses, by request.
    ///   - calls: The number of plugin calls to play.
    /// - Throws: The plugin's error for the fixture's options.
    init(
        _ fixture: ProviderFixture, _ script: ProviderScript, answering answers: [ScriptedEndpoint] = [],
        disturbing disturbances: [Int: ScriptedUpstream.Disturbance] = [:], calls: Int = 1
    ) throws {
        self.fixture = fixture
        self.script = script
        upstream = ScriptedUpstream(
            script.endpoints.replacing(answers), disturbing: disturbances, maximumCalls: Self.maximumCalls * calls,
            tokens: UserTokens(of: script))
        (provider, uses) = try fixture.instance(over: upstream)
    }

    private init(_ rehearsal: Rehearsal, turnedTo script: ProviderScript) {
        fixture = rehearsal.fixture
        self.script = script
        upstream = rehearsal.upstream
        provider = rehearsal.provider
        uses = rehearsal.uses
    }

    /// The same instance, whose provider responds from another script from now on.
    func turned(to script: ProviderScript) -> Rehearsal {
        upstream.turn(to: script)
        return Rehearsal(self, turnedTo: script)
    }

    /// The result of a plugin's call.
    typealias Ending = Result<Outcome, ProviderError>

    /// Plays one plugin call, and checks every ``RequestRule`` for any result.
    ///
    /// - Throws: ``Deviation`` when a secret leaked or a request went to an undeclared address.
    func play(_ pluginCall: PluginCall) async throws -> Ending {
        let ending = await outcome(of: pluginCall)
        try checkRequestRules(ending, in: pluginCall)
        return ending
    }

    /// Plays one plugin call that must succeed.
    func succeed(_ pluginCall: PluginCall) async throws -> Outcome {
        switch try await play(pluginCall) {
        case .success(let outcome): return outcome
        case .failure(let error):
            let refused = upstream.exchanges.last.flatMap { $0.isRefused ? $0 : nil }
            let cause = refused.map { ", after \($0.request.name) without the user's token" } ?? ""
            throw Deviation.broken(
                "\(pluginCall.title(in: script)) failed with the script's responses\(cause): \(error)")
        }
    }

    /// The identity of the sign-in at `position`, which must succeed.
    func identity(_ position: Int) async throws -> ExternalIdentity {
        guard case .identity(let identity) = try await succeed(.signIn(position)) else {
            throw Deviation.broken("no identity")
        }
        return identity
    }

    /// Whether an ID token identifies the user of the sign-in at `position`, which was played here.
    func hasIDToken(_ position: Int) -> Bool {
        let signIn = script.signIns[position]
        if let hasIDToken = signIn.hasIDToken { return hasIDToken }
        return signIn.credential.kind == .idToken
            || upstream.exchanges.contains { $0.answer?.hasMember("id_token") == true }
    }

    func outcome(of pluginCall: PluginCall) async -> Ending {
        do throws(ProviderError) {
            return .success(try await pluginCall.perform(on: provider, script))
        } catch {
            return .failure(error)
        }
    }

    /// Throws for violations that are never allowed.
    func checkRequestRules(_ ending: Ending, in pluginCall: PluginCall) throws {
        let marks = Marks(self)
        for rule in RequestRule.allCases {
            if let violation = rule.violation(in: self, marks) {
                throw Deviation.broken("\(pluginCall.title(in: script)) \(violation)")
            }
        }
        if case .failure(let error) = ending, marks.isMarked("\(error) \(error.reason)") {
            let reason = marks.blanked(error.reason)
            throw Deviation.broken("\(pluginCall.title(in: script)) fails with a secret in its reason: \(reason)")
        }
    }
}

extension UpstreamRequest {
    /// Method and URL without the query, for messages.
    var name: String {
        method.rawValue + " " + String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    }
}
