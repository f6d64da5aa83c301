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

    /// Each operation of all `programs` in one case.
    static func latency(of programs: [BrokerCases]) -> [BenchmarkCase] {
        [
            open(.lookup, programs) { program, _ in program.lookup },
            open(.refreshES256, programs) { program, _ in program.refresh },
            open(.signIn, programs) { program, seconds in try await program.signIn(for: seconds) },
        ] + programs.map { $0.lookupBesideFlood() }
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

    /// Closed loops that find out what is possible, then open loops at parts of that. Programs that are compared have the
    /// same load, which is a part of what the slower one can do, one right after the other.
    private static func open(
        _ operation: CaseName.Operation, _ programs: [BrokerCases],
        _ conversation: @escaping (BrokerCases, Double) async throws -> some Conversation
    ) -> BenchmarkCase {
        let shapes = [CaseName.Shape.closed(64)] + [25, 50, 75].map(CaseName.Shape.open)
        let names = programs.flatMap { program in shapes.map { program.name(.latency, operation, $0) } }
        return BenchmarkCase(names) { duration in
            func measure(_ program: BrokerCases, _ pace: (Duration) -> Pace, target: Double? = nil) async throws
                -> Figure
            {
                let (short, long) = (duration / 6, duration)
                _ = try await program.measure(
                    conversation(program, short.inSeconds), at: pace(short), connections: 64)
                return try await program.measure(
                    conversation(program, long.inSeconds), at: pace(long), connections: 64, target: target)
            }
            var figures: [CaseName: Figure] = [:]
            var rate = Double.infinity
            for program in programs.shuffled() {
                let figure = try await measure(program, Pace.asFastAsAnswered(for:))
                figures[program.name(.latency, operation, .closed(64))] = figure
                rate = min(rate, figure.measurement.perSecond)
            }
            for shape in shapes.shuffled() {
                guard case .open(let percent) = shape else { continue }
                let target = rate * Double(percent) / 100
                for program in programs.shuffled() {
                    figures[program.name(.latency, operation, shape)] = try await measure(
                        program, { .perSecond(target, for: $0) }, target: target)
                }
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
