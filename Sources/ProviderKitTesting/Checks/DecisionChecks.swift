import ProviderKit

extension ConformanceSuite {
    /// The checks of the responses that decide: those by which a foreign credential or an unverified address of the
    /// fixture differs from an honest one.
    static let decisionChecks = [
        ConformanceCheck(
            "decisive-answers-are-needed",
            "without the response that shows a foreign credential or an unverified address, nothing is proven",
            fix: "Throw the ProviderError of the failed request, and read no other response in its place."
        ) { fixture in
            for decision in try await fixture.decisions() {
                for (title, disturbance) in ScriptedUpstream.Disturbance.missingAnswers(of: decision.honest.answer) {
                    try await decision.judge(
                        disturbance, "\(decision.honest.request.name) responded with \(title)")
                }
            }
        },
        ConformanceCheck(
            "decisive-values-are-exact",
            "a value that decides is compared as a whole and byte by byte, and a missing one proves nothing",
            fix: "Compare with utf8.elementsEqual; decode the member as a required one, a Boolean as Bool."
        ) { fixture in
            for decision in try await fixture.decisions() {
                guard let answer = decision.honest.answer, let honest = try? JSONValue(parsing: answer.body),
                    // An error's body has other members.
                    let other = decision.other.flatMap({ $0.status < 300 ? try? JSONValue(parsing: $0.body) : nil })
                else { continue }
                for (pointer, value) in honest.leavesThatDiffer(from: other) {
                    for candidate in value.almostEqual(
                        isVerification: decision.isVerification, isName: decision.isName(value))
                    {
                        let body = honest.replacing(pointer, by: candidate).serialized()
                        let changed = UpstreamResponse(
                            status: answer.status, headers: answer.headers, body: Array(body.utf8))
                        let shown = candidate?.serialized() ?? "nothing"
                        try await decision.judge(
                            .answer(changed), "\(decision.honest.request.name) has \(shown) at \(pointer)")
                    }
                }
            }
        },
        ConformanceCheck(
            "remembers-no-verdict",
            "a foreign credential is refused, and an unverified address is unverified, after an honest sign-in",
            fix: "Remember nothing of a sign-in in the instance; remember keys and metadata by their URL alone."
        ) { fixture in
            let script = fixture.script()
            try requireVariations(script)
            for (variation, isVerification) in script.variations {
                let first = try Rehearsal(fixture, script, calls: 2)
                _ = try await first.identity(variation.signIn)
                let ending = try await first.turned(to: script.varied(by: variation)).play(.signIn(variation.signIn))
                try ending.judge(isVerification, "after an honest sign-in: \(variation.title)")
            }
        },
        ConformanceCheck(
            "refused-bodies-prove-nothing", "the body of a response with status 401, 403 or 500 is not the answer",
            fix: "Check the status before the body is decoded: Upstream.json(_:_:) does."
        ) {
            try await $0.everyCall { stage in
                guard let answer = stage.exchange.answer, !answer.body.isEmpty, (200..<300).contains(answer.status)
                else { return }
                for fault: UpstreamFault in [.unauthorized, .forbidden, .serverError] {
                    guard let status = fault.status,
                        let bare = fault.disturbances(of: answer).first?.disturbance
                    else { continue }
                    let refused = UpstreamResponse(status: status, headers: answer.headers, body: answer.body)
                    let (ending, expected) = (try await stage.play(.answer(refused)), try await stage.play(bare))
                    guard case .success(let outcome) = ending else { continue }
                    let title = "\(stage.title) had status \(status) with the body of a success"
                    guard case .success(let less) = expected else { throw Deviation.broken("\(title): success") }
                    let excesses = less.identity.flatMap { outcome.identity?.excesses(over: $0) } ?? []
                    try require(excesses.isEmpty, "\(title): signs in with another \(excesses.joined(separator: ", "))")
                }
            }
        },
        ConformanceCheck(
            "first-time-profile-proves-nothing", "an address that the client passes on is never verified",
            fix: "Take names from Credential.firstTimeProfile, and no address."
        ) { fixture in
            let script = fixture.script()
            try await fixture.eachSignIn(in: script) { honest, position in
                let expected = try await honest.identity(position)
                var stranger = script
                let signIn = script.signIns[position]
                let profile = Credential.FirstTimeProfile(
                    givenName: "Eve", familyName: "Stranger", email: "stranger@elsewhere.example")
                stranger.signIns[position] = HonestSignIn(
                    Credential(signIn.credential.proof, firstTimeProfile: profile), title: signIn.title,
                    identity: signIn.identity, hasIDToken: signIn.hasIDToken)
                let found = try await Rehearsal(fixture, stranger).identity(position)
                try require(
                    found.excesses(over: expected).isEmpty && found.email == expected.email,
                    "takes the address of the first-time profile")
            }
        },
        ConformanceCheck(
            "needs-the-id-token", "a token response without its ID token signs no user in",
            fix: "Throw when UpstreamGrant.idToken is nil."
        ) { fixture in
            guard fixture.issuer != nil else { throw Deviation.notApplicable("has no ID tokens") }
            let script = fixture.script()
            for position in script.signIns.indices {
                let honest = try Rehearsal(fixture, script)
                _ = try await honest.identity(position)
                guard honest.hasIDToken(position) else { continue }
                for (call, exchange) in honest.upstream.exchanges.enumerated()
                where exchange.answer?.hasMember("id_token") == true {
                    for value: JSONValue? in [nil, .null, ""] {
                        let rehearsal = try Rehearsal(
                            fixture, script, disturbing: [call: .change { $0.replacingMember("id_token", value) }])
                        try await rehearsal.play(.signIn(position))
                            .requireFailure([.credential, .upstream, .nonce], "a response without an ID token")
                    }
                }
            }
        },
    ]
}

/// One response by which a variation of the script differs from the honest sign-in.
private struct Decision {
    let fixture: ProviderFixture
    let script: ProviderScript
    let variation: ScriptVariation
    /// Whether it decides about the verification of an address, not about the credential.
    let isVerification: Bool
    /// The position of the request in the honest sign-in.
    let call: Int
    let honest: ScriptedUpstream.Exchange
    /// The variation's response to the same request.
    let other: UpstreamResponse?

    /// Whether a value is a name that must be compared exactly: one of the options, such as our client, or the user's.
    func isName(_ value: JSONValue) -> Bool {
        guard let text = value.string else { return false }
        return fixture.options.serialized().contains(JSONValue.string(text).serialized())
            || script.signIns[variation.signIn].identity.subject.utf8.elementsEqual(text.utf8)
    }

    /// Throws if the sign-in proves with another response what the variation shows to be unproven.
    func judge(_ disturbance: ScriptedUpstream.Disturbance, _ title: String) async throws {
        let ending = try await Rehearsal(fixture, script, disturbing: [call: disturbance]).play(
            .signIn(variation.signIn))
        try ending.judge(isVerification, title)
    }
}

extension Result where Success == Outcome, Failure == ProviderError {
    /// Throws if a foreign credential is accepted, or an unverified address is verified.
    fileprivate func judge(_ isVerification: Bool, _ title: String) throws {
        guard case .success(let outcome) = self else { return }
        guard isVerification else { throw Deviation.broken("signs in although \(title)") }
        try require(outcome.identity?.email?.isVerified != true, "verifies the address although \(title)")
    }
}

private func requireVariations(_ script: ProviderScript) throws {
    if script.variations.isEmpty {
        throw Deviation.notApplicable("the fixture has no foreign credential and no unverified address")
    }
}

extension ProviderScript {
    fileprivate var variations: [(variation: ScriptVariation, isVerification: Bool)] {
        foreign.map { ($0, false) } + unverified.map { ($0, true) }
    }
}

extension ProviderFixture {
    /// Every response that decides, for each foreign and unverified variation.
    fileprivate func decisions() async throws -> [Decision] {
        let script = script()
        try requireVariations(script)
        var decisions: [Decision] = []
        for (variation, isVerification) in script.variations {
            let honest = try Rehearsal(self, script)
            _ = try await honest.identity(variation.signIn)
            let varied = try Rehearsal(self, script.varied(by: variation))
            _ = try await varied.play(.signIn(variation.signIn))
            var counts: [String: Int] = [:]
            for (call, exchange) in honest.upstream.exchanges.enumerated() {
                let name = exchange.request.name
                let earlier = counts[name, default: 0]
                counts[name] = earlier + 1
                guard let endpoint = exchange.endpoint,
                    variation.answers.contains(where: { $0.isAtAddress(of: endpoint) })
                else { continue }
                let other = varied.upstream.exchanges.filter { $0.request.name == name }.dropFirst(earlier).first?
                    .answer
                decisions.append(
                    Decision(
                        fixture: self, script: script, variation: variation, isVerification: isVerification,
                        call: call, honest: exchange, other: other))
            }
        }
        return decisions
    }
}

extension ScriptedUpstream.Disturbance {
    /// Responses that say nothing, with a name.
    fileprivate static func missingAnswers(of honest: UpstreamResponse?) -> [(title: String, Self)] {
        let faults: [UpstreamFault] = [
            .timeout, .serverError, .unavailable, .emptyBody, .html, .forbidden, .unauthorized, .notFound,
            .tooManyRequests,
        ]
        let failing = faults.flatMap { fault in fault.disturbances(of: honest).map { (fault.words, $0.disturbance) } }
        let empty = ["null", "{}", "[]", "true", "\"\""].map { text in
            (text, Self.answer(.text(text, type: "application/json")))
        }
        let refused = [401, 403, 404, 500].compactMap { status in
            honest.map {
                (
                    "status \(status) and the honest body",
                    Self.answer(UpstreamResponse(status: status, headers: $0.headers, body: $0.body))
                )
            }
        }
        return failing + empty + refused
    }
}

extension JSONValue {
    /// The places of strings, numbers and Booleans that differ in another document, or that it has not.
    fileprivate func leavesThatDiffer(from other: JSONValue?) -> [(pointer: String, value: JSONValue)] {
        switch self {
        case .object(let members):
            members.flatMap { name, value in
                value.leavesThatDiffer(from: other?[name]).map { ("/\(name)\($0.pointer)", $0.value) }
            }
        case .array(let elements):
            elements.enumerated().flatMap { position, value in
                let counterpart = other?.array.flatMap { $0.indices.contains(position) ? $0[position] : nil }
                return value.leavesThatDiffer(from: counterpart).map { ("/\(position)\($0.pointer)", $0.value) }
            }
        case .null: []
        case .string, .number, .bool: other.map { $0 == self } ?? false ? [] : [("", self)]
        }
    }

    /// Values that a lenient comparison takes for this one. `nil`: the member is absent.
    fileprivate func almostEqual(isVerification: Bool, isName: Bool) -> [JSONValue?] {
        // Another response may verify the address where this one says nothing.
        let missing: [JSONValue?] = (isVerification ? [] : [nil, .null]) + ["", [], [:], false]
        return switch self {
        // A value that says no may be absent; the opposite may not count as it.
        case .bool(false): [true]
        case .bool(true): missing + [0, 1, "false", "no", "yes", "1", [true]]
        case .string where isVerification && isYes: missing + [0, 1, "false", "no", "yes", "1"]
        // Any other text, such as a time, may verify.
        case .string where isVerification: missing
        // Other words, such as a token's type, may have any case.
        case .string where !isName: missing
        case .string(let text):
            missing + [.string(text + "2"), .string(text + " "), .string(String(text.dropLast())), [self]]
                + (text.hasCase ? [.string(text.inOtherCase)] : [])
        // A number may be a time, of which others are as good.
        case .number: missing
        case .null, .array, .object: []
        }
    }

    /// The document with another value at a place, or without it.
    fileprivate func replacing(_ pointer: String, by value: JSONValue?) -> JSONValue {
        guard let pointer = JSONPointer(pointer) else { return self }
        return replacing(pointer.tokens[...], by: value) ?? .null
    }

    private func replacing(_ tokens: ArraySlice<String>, by value: JSONValue?) -> JSONValue? {
        guard let name = tokens.first else { return value }
        switch self {
        case .object(var members):
            members[name] = members[name]?.replacing(tokens.dropFirst(), by: value)
            return .object(members)
        case .array(var elements):
            guard let position = Int(name), elements.indices.contains(position) else { return self }
            if let changed = elements[position].replacing(tokens.dropFirst(), by: value) {
                elements[position] = changed
            } else {
                elements.remove(at: position)
            }
            return .array(elements)
        default: return self
        }
    }
}
