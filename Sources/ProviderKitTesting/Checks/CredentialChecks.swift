import ProviderKit

extension ConformanceSuite {
    /// The checks of the credentials that a plugin accepts.
    static let credentialChecks = [
        ConformanceCheck(
            "refuses-other-kinds", "an unsupported kind of credential is refused without a request",
            fix: "Throw a credential fault for each kind that accepts does not name, before any request."
        ) {
            let script = $0.script()
            let accepted = try Rehearsal($0, script).provider.accepts
            for credential in Credential.strange where !accepted.contains(credential.kind) {
                var strange = script
                strange.signIns = [HonestSignIn(credential, identity: ExternalIdentity(subject: "nobody"))]
                let rehearsal = try Rehearsal($0, strange)
                let ending = try await rehearsal.play(.signIn(0))
                try ending.requireFailure([.credential], "a credential of kind \(credential.kind.rawValue)")
                try require(
                    rehearsal.upstream.requests.isEmpty, "sends a request for a credential that it does not accept")
            }
        },
        ConformanceCheck(
            "refuses-credentials-of-others", "a credential issued to another client is refused",
            fix: "Ask the provider whose client the token was issued to, and compare with clientID."
        ) {
            let script = $0.script()
            let isBearer = script.signIns.contains { $0.credential.kind == .accessToken }
            guard isBearer || !script.foreign.isEmpty else {
                throw Deviation.notApplicable("accepts no bearer tokens, and its fixture has no foreign credential")
            }
            try require(!script.foreign.isEmpty, "the fixture has no access token of another client")
            for variation in script.foreign {
                let rehearsal = try Rehearsal($0, script.varied(by: variation))
                let ending = try await rehearsal.play(.signIn(variation.signIn))
                try ending.requireFailure([.credential], variation.title)
            }
        },
        ConformanceCheck(
            "redemption-carries-our-values", "a code is redeemed with its redirect URI and its PKCE verifier",
            fix: "Redeem with OAuth2Client.redeem, and pass the credential's code on as it is."
        ) { fixture in
            let script = fixture.script()
            var showsVerifier = false
            for (position, signIn) in script.signIns.enumerated() {
                guard case .authorizationCode(let code) = signIn.credential.proof else { continue }
                let rehearsal = try Rehearsal(fixture, script)
                _ = try await rehearsal.identity(position)
                let redemption = rehearsal.upstream.requests.first { $0.carries("code", code.code) }
                guard let redemption else { throw Deviation.broken("\(signIn.title): redeems no code") }
                for (name, value) in [("redirect_uri", code.redirectURI), ("code_verifier", code.verifier)] {
                    guard let value else { continue }
                    try require(redemption.carries(name, value), "\(signIn.title): redeems the code without \(name)")
                }
                showsVerifier = showsVerifier || code.verifier != nil && code.redirectURI != nil
            }
            guard case .success(.url(let url)) = await (try Rehearsal(fixture, script)).outcome(of: .authorize) else {
                return
            }
            let hasChallenge = url.contains("code_challenge=")
            try require(showsVerifier || !hasChallenge, "the fixture's code has no verifier and redirect URI")
        },
        ConformanceCheck(
            "profile-and-token-are-one-person", "a profile with another subject than the ID token is refused",
            fix: "Compare the profile's sub with the ID token's by utf8.elementsEqual, and refuse."
        ) { fixture in
            let script = fixture.script()
            var hasTried = false
            for position in script.signIns.indices {
                let honest = try Rehearsal(fixture, script)
                let identity = try await honest.identity(position)
                guard honest.hasIDToken(position) else { continue }
                for (call, exchange) in honest.upstream.exchanges.enumerated() where exchange.tellsSubject {
                    hasTried = true
                    let rehearsal = try Rehearsal(
                        fixture, script, disturbing: [call: .change { $0.replacingMember("sub", "somebody-else") }])
                    guard case .success(let outcome) = try await rehearsal.play(.signIn(position)) else { continue }
                    let isSame = outcome.identity?.differences(from: identity).isEmpty == true
                    try require(isSame, "\(exchange.request.name) may have another subject than the ID token")
                }
            }
            guard hasTried else { throw Deviation.notApplicable("no sign-in has both an ID token and a profile") }
        },
    ]
}

extension Result where Success == Outcome, Failure == ProviderError {
    /// Throws unless this is a failure with one of the faults.
    func requireFailure(_ faults: Set<ProviderError.Fault>, _ what: String) throws {
        switch self {
        case .success: throw Deviation.broken("\(what) is accepted")
        case .failure(let error):
            let names = faults.map(\.rawValue).sorted().joined(separator: " or ")
            try require(faults.contains(error.fault), "\(what): fault \(error.fault.rawValue) instead of \(names)")
        }
    }
}

extension Credential {
    /// One credential of every kind, of no provider.
    fileprivate static var strange: [Credential] {
        [
            Credential(.authorizationCode(.init(code: ProviderFixture.marked("code"), redirectURI: nil))),
            Credential(.accessToken(ProviderFixture.marked("access-token"))),
            Credential(.idToken(.init(token: ProviderFixture.marked("header.payload.signature")))),
            Credential(.assertion(["proof": ProviderFixture.marked("proof")])),
        ]
    }
}

extension ScriptedUpstream.Exchange {
    /// Whether the response has the OpenID Connect claim of a subject.
    fileprivate var tellsSubject: Bool {
        answer.flatMap { try? JSONValue(parsing: $0.body) }?["sub"] != nil
    }
}
