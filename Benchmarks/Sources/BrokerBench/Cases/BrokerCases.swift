import BenchmarkLoad
import Foundation
import NIOHTTP1

/// The operations of brokers on one store with the people in it.
struct BrokerCases {
    let brokers: Brokers
    private let isBaseline: Bool
    /// What the people took to sign in for the first time.
    let settling: LoadMeasurement
    /// Of every user's first token in turn.
    let lookup: LookupConversation
    /// Tokens of few users, so that the broker remembers all of them: more than a user's limit needs.
    private let knownTokens: [String]
    let refresh: RefreshConversation
    private let issuer: Issuer
    private let check: TokenCheck

    /// Has a person sign in for each of `idTokens`, which fills the store of `brokers` unless they are known to it.
    init(
        _ brokers: Brokers, isBaseline: Bool = false, issuer: Issuer, idTokens: some Sequence<String>,
        areNew: Bool = true
    ) async throws {
        self.brokers = brokers
        self.isBaseline = isBaseline
        let apiKey = brokers.files.apiKey
        let questions = SignInQuestions(apiKey: apiKey, idTokens: idTokens)
        check = try await TokenCheck(port: brokers.ports[0])
        let (people, settling) = try await Population.settle(questions, areNew: areNew, at: brokers)
        self.settling = settling
        lookup = LookupConversation(apiKey: apiKey, idTokens: people.map(\.idToken))
        knownTokens = people.prefix(2000).map(\.idToken)
        refresh = RefreshConversation(
            apiKey: apiKey, tokens: Ring(people.map(\.refreshToken)), check: check)
        self.issuer = issuer
    }

    var keySet: RepeatedRequest { RepeatedRequest(.benchmark(.GET, Self.metadata + "jwks.json"), expecting: "{") }

    private static let metadata = "/\(BrokerFiles.project)/.well-known/"

    /// The first broker's operations that are compared with the bare route.
    func processorTime() -> [BenchmarkCase] {
        let discovery = RepeatedRequest(.benchmark(.GET, Self.metadata + "openid-configuration"), expecting: "{")
        return BareCases.connections.flatMap { count in
            [
                closed(.cpu, .keySet, count) { _ in keySet }, closed(.cpu, .discovery, count) { _ in discovery },
                closed(.cpu, .lookupKnown, count, knownLookup), closed(.cpu, .lookupUnseen, count, unseenLookup),
                closed(.cpu, .refreshES256, count) { _ in refresh }, closed(.cpu, .signIn, count, signIn),
            ] + allBrokers(count)
        }
    }

    /// What only a broker whose policy is `firebase` does.
    func processorTimeRS256() -> [BenchmarkCase] {
        BareCases.connections.map { closed(.cpu, .refreshRS256, $0) { _ in refresh } }
    }

    func durability() -> [BenchmarkCase] {
        BareCases.connections.map { count in closed(.durability, .refreshES256, count) { _ in refresh } }
    }

    func latency() -> [BenchmarkCase] {
        [
            open(.lookup) { _ in lookup }, open(.refreshES256) { _ in refresh }, open(.signIn, signIn),
            lookupBesideFlood(),
        ]
    }

    private func allBrokers(_ connections: Int) -> [BenchmarkCase] {
        guard brokers.processes.count > 1 else { return [] }
        return [
            closed(.cpu, .lookupAtAll, connections, isAtAll: true, knownLookup),
            closed(.cpu, .refreshAtAll, connections, isAtAll: true) { _ in refresh },
        ]
    }

    /// What few clients wait while others send requests as fast as they can, without waiting for an answer.
    private func lookupBesideFlood() -> BenchmarkCase {
        let flood = PipeliningFlood(port: brokers.ports[0], connections: 8)
        return BenchmarkCase(name(.latency, .lookupBesideFlood, .closed(4))) { duration in
            try await flood.during {
                try await measure(lookup, at: .asFastAsAnswered(for: duration), connections: 4)
            }
        }
    }

    /// Look-ups with tokens that every broker has just verified, for any time.
    func knownLookup(for _: Double) async throws -> LookupConversation {
        for port in brokers.ports {
            let once = LookupConversation(apiKey: brokers.files.apiKey, idTokens: knownTokens, isOnce: true)
            let result = try await Load(ports: [port], connections: Population.connections)
                .run(once, at: .asFastAsAnswered(for: .seconds(600)))
            guard result.failureCount == 0 else {
                throw BenchmarkFailure("a known token: \(result.firstFailure ?? "no answer")")
            }
        }
        return LookupConversation(apiKey: brokers.files.apiKey, idTokens: knownTokens)
    }

    /// Look-ups with tokens of refreshes, each once: more than a look-up is likely to need in so many seconds, and one of
    /// each session at most. A loop that has none left ends early.
    func unseenLookup(for seconds: Double) async throws -> LookupConversation {
        let count = min(Int(settling.perSecond * seconds * 8) + 100, refresh.count)
        let idTokens = try await IDTokenSupply.idTokens(count, by: refresh, at: brokers.ports[0])
        return LookupConversation(apiKey: brokers.files.apiKey, idTokens: idTokens, isOnce: true)
    }

    /// Sign-ins with fresh ID tokens: twice as many as the first sign-ins make likely for so many seconds. A loop that
    /// has none left ends early.
    func signIn(for seconds: Double) async throws -> SignInConversation {
        let tokens = try await issuer.freshTokens(Int(settling.perSecond * seconds * 2) + 100)
        return SignInConversation(
            SignInQuestions(apiKey: brokers.files.apiKey, idTokens: tokens), check: check)
    }

    /// `conversation` makes what to say in a loop of so many seconds.
    private func closed(
        _ regime: CaseName.Regime, _ operation: CaseName.Operation, _ connections: Int, isAtAll: Bool = false,
        _ conversation: @escaping (Double) async throws -> some Conversation
    ) -> BenchmarkCase {
        BenchmarkCase(name(regime, operation, .closed(connections))) { duration in
            try await measure(
                conversation(duration.inSeconds), at: .asFastAsAnswered(for: duration), connections: connections,
                isAtAll: isAtAll)
        }
    }

    /// A closed loop that finds out what is possible, then open loops at parts of that.
    private func open(
        _ operation: CaseName.Operation, _ conversation: @escaping (Double) async throws -> some Conversation
    ) -> BenchmarkCase {
        let saturation = name(.latency, operation, .closed(64))
        let names = [25, 50, 75].map { name(.latency, operation, .open($0)) }
        return BenchmarkCase([saturation] + names) { duration in
            let (short, long) = (duration.inSeconds / 6, duration.inSeconds)
            _ = try await measure(conversation(short), at: .asFastAsAnswered(for: duration / 6), connections: 64)
            var figures = [
                saturation: try await measure(
                    conversation(long), at: .asFastAsAnswered(for: duration), connections: 64)
            ]
            let rate = figures[saturation]?.measurement.perSecond ?? 0
            for name in names.shuffled() {
                guard case .open(let percent) = name.shape else { continue }
                let target = rate * Double(percent) / 100
                _ = try await measure(
                    conversation(short), at: .perSecond(target, for: duration / 6), connections: 64)
                figures[name] = try await measure(
                    conversation(long), at: .perSecond(target, for: duration), connections: 64, target: target)
            }
            return figures
        }
    }

    private func name(
        _ regime: CaseName.Regime, _ operation: CaseName.Operation, _ shape: CaseName.Shape
    ) -> CaseName {
        CaseName(regime, operation, shape, isBaseline: isBaseline)
    }

    private func measure(
        _ conversation: some Conversation, at pace: Pace, connections: Int, isAtAll: Bool = false,
        target: Double? = nil
    ) async throws -> Figure {
        let count = isAtAll ? brokers.processes.count : 1
        let before = brokers.commits()
        let measurement = try await Load(ports: Array(brokers.ports.prefix(count)), connections: connections)
            .measure(conversation, at: pace, on: ProcessorClock(of: Array(brokers.identifiers.prefix(count))))
        let after = brokers.commits()
        let commits = before.flatMap { before in after.map { Int($0 &- before) } }
        return Figure(measurement, commits: commits, targetPerSecond: target)
    }
}
