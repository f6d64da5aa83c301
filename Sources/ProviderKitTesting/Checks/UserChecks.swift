import ProviderKit

extension ConformanceSuite {
    /// The checks that two users of one instance are two.
    static let userChecks = [
        ConformanceCheck(
            "tells-users-apart", "another user of the same instance is another one, byte by byte",
            fix: "Take subject and address from this sign-in's responses, unchanged; remember none in the instance."
        ) { fixture in
            let script = fixture.script()
            let provider = try Rehearsal(fixture, script).provider
            var pluginCalls = script.signIns.indices.map(PluginCall.signIn)
            if script.deviceIdentity != nil, provider is any DeviceSignIn { pluginCalls.append(.pollDevice) }
            for pluginCall in pluginCalls {
                let honest = try Rehearsal(fixture, script)
                guard let first = try await honest.succeed(pluginCall).identity else { continue }
                let tokens = Marks(honest).userTokens
                for subject in first.subject.neighbours {
                    let exchange = UserExchange(
                        of: first, subject: subject, address: first.email?.address.neighbours.first, tokens: tokens)
                    let another = fixture.script(exchanging: exchange)
                    let rehearsal = try Rehearsal(fixture, script, calls: 3)
                    _ = try await rehearsal.succeed(pluginCall)
                    let second = try await rehearsal.turned(to: another).succeed(pluginCall).identity
                    try require(second?.isSameUser(as: exchange.forward(first)) == true, "another user is not that one")
                    let third = try await rehearsal.turned(to: script).succeed(pluginCall).identity
                    try require(
                        third?.isSameUser(as: first) == true, "after another user the first one is not the same")
                }
            }
        },
        ConformanceCheck(
            "responses-agree-about-the-user", "responses about two users sign no user in as the other one",
            fix: "Compare the subjects of token, introspection and profile with utf8.elementsEqual, and refuse."
        ) { fixture in
            let script = fixture.script()
            for position in script.signIns.indices {
                let honest = try Rehearsal(fixture, script)
                let first = try await honest.identity(position)
                // One subject may be the begin of another.
                for subject in first.subject.neighbours + [first.subject + "2"] {
                    let exchange = UserExchange(of: first, subject: subject, address: nil, tokens: [])
                    let other = try Rehearsal(fixture, fixture.script(exchanging: exchange))
                    _ = await other.outcome(of: .signIn(position))
                    // Responses that name the subject: there must be two, or one beside the client's own ID token.
                    let calls = honest.upstream.exchanges.indices.filter { call in
                        honest.upstream.exchanges[call].answer.map {
                            exchange.changes($0) || $0.hasMember("id_token")
                        } ?? false
                    }
                    let isToken = script.signIns[position].credential.kind == .idToken
                    guard calls.count + (isToken ? 1 : 0) > 1 else { continue }
                    for call in calls where other.upstream.exchanges.indices.contains(call) {
                        guard let answer = other.upstream.exchanges[call].answer else { continue }
                        let rehearsal = try Rehearsal(fixture, script, disturbing: [call: .answer(answer)])
                        guard let found = (try? await rehearsal.play(.signIn(position)).get())?.identity else {
                            continue
                        }
                        let title =
                            "\(script.signIns[position].title): \(honest.upstream.exchanges[call].request.name)"
                        try require(found.differences(from: first).isEmpty, "\(title) may be about another user")
                    }
                }
            }
        },
        ConformanceCheck(
            "tokens-stay-with-their-user", "no request and no grant of a user has a token of another user",
            fix: "Keep no token in the instance: pass it from one request to the next."
        ) { fixture in
            let script = fixture.script()
            for pluginCall in try PluginCall.all(of: Rehearsal(fixture, script).provider, script) {
                let stage = try Rehearsal(fixture, script, calls: 2)
                let first = try await stage.succeed(pluginCall)
                let exchanges = stage.upstream.exchanges
                let tokens = Marks.userTokens(of: script, in: exchanges)
                let user = first.identity ?? ExternalIdentity(subject: "")
                let exchange = UserExchange(
                    of: user, subject: user.subject.neighbours[0],
                    address: user.email?.address.neighbours.first, tokens: tokens)
                let another = stage.turned(to: fixture.script(exchanging: exchange))
                let second = await another.outcome(of: pluginCall)
                let later = another.upstream.exchanges.dropFirst(exchanges.count)
                let own = Set(Marks.userTokens(of: another.script, in: later))
                let foreign = tokens.filter { !own.contains($0) }
                let marks = Marks(of: foreign)
                let title = pluginCall.title(in: script)
                for exchange in later where marks.isMarked(exchange.request.contents + exchange.request.address) {
                    throw Deviation.broken("\(title): \(exchange.request.name) has a token of the user before")
                }
                guard case .success(let outcome) = second, let grant = outcome.grant else { continue }
                let isForeign = Marks.tokens(grant).contains(where: foreign.contains)
                try require(!isForeign, "\(title): the grant has a token of the user before")
            }
        },
    ]
}

extension ExternalIdentity {
    /// Whether it names the same user, with the same address.
    fileprivate func isSameUser(as other: ExternalIdentity) -> Bool {
        subject.utf8.elementsEqual(other.subject.utf8) && merge == other.merge
            && (email?.address ?? "").utf8.elementsEqual((other.email?.address ?? "").utf8)
            && email?.isVerified == other.email?.isVerified
    }
}
