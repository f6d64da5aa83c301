import ProviderKit

/// One instance of a plugin with its own upstream, which plays acts.
struct Rehearsal: Sendable {
    /// The maximum number of requests of an act.
    static let maximumCalls = 64

    let fixture: ProviderFixture
    let script: ProviderScript
    let upstream: ScriptedUpstream
    let provider: any IdentityProvider

    /// Makes the instance.
    ///
    /// - Parameters:
    ///   - fixture: The plugin.
    ///   - script: The provider's responses.
    ///   - answers: Endpoints with other responses.
    ///   - disturbances: The changed responses, by request.
    ///   - acts: The number of acts to play.
    /// - Throws: The plugin's error for the fixture's options.
    init(
        _ fixture: ProviderFixture, _ script: ProviderScript, answering answers: [ScriptedEndpoint] = [],
        disturbing disturbances: [Int: ScriptedUpstream.Disturbance] = [:], acts: Int = 1
    ) throws {
        self.fixture = fixture
        self.script = script
        upstream = ScriptedUpstream(
            script.endpoints.replacing(answers), disturbing: disturbances, maximumCalls: Self.maximumCalls * acts)
        provider = try fixture.provider(over: upstream)
    }

    /// The result of a plugin's call.
    typealias Ending = Result<Outcome, ProviderError>

    /// Plays one act, and checks every ``Manner`` for any result.
    ///
    /// - Throws: ``Deviation`` when a secret leaked or a request went to an undeclared address.
    func play(_ act: Act) async throws -> Ending {
        let ending = await outcome(of: act)
        try checkManners(ending, in: act)
        return ending
    }

    /// Plays one act that must succeed.
    func succeed(_ act: Act) async throws -> Outcome {
        switch try await play(act) {
        case .success(let outcome): return outcome
        case .failure(let error):
            throw Deviation.broken("\(act.title(in: script)) failed with the script's responses: \(error)")
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

    func outcome(of act: Act) async -> Ending {
        do throws(ProviderError) {
            return .success(try await act.perform(on: provider, script))
        } catch {
            return .failure(error)
        }
    }

    /// Throws for violations that are never allowed.
    func checkManners(_ ending: Ending, in act: Act) throws {
        let marks = Marks(self)
        for manner in Manner.allCases {
            if let objection = manner.objection(to: self, marks) {
                throw Deviation.broken("\(act.title(in: script)) \(objection)")
            }
        }
        if case .failure(let error) = ending, marks.isMarked("\(error) \(error.reason)") {
            let reason = marks.blanked(error.reason)
            throw Deviation.broken("\(act.title(in: script)) fails with a secret in its reason: \(reason)")
        }
    }
}

extension UpstreamRequest {
    /// Method and URL without the query, for messages.
    var name: String {
        method.rawValue + " " + String(decoding: url.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    }
}
