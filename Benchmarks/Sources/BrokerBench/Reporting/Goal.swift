import BenchmarkLoad

/// A figure the broker has to reach: where work may not stop, and where it should arrive.
struct Goal: Sendable {
    enum Direction: String, Sendable, Encodable {
        case atLeast, atMost
    }

    enum Verdict: String, Sendable, Encodable {
        case reached, missed
        /// The median misses it, and fewer than four rounds of five agree.
        case unclear
    }

    let name: String
    let direction: Direction
    let floor: Double
    let goal: Double
    /// The figure of one round; `nil` when it was not measured.
    let figure: @Sendable (Round) -> Double?

    init(
        _ name: String, _ direction: Direction, floor: Double, goal: Double,
        figure: @escaping @Sendable (Round) -> Double?
    ) {
        self.name = name
        self.direction = direction
        self.floor = floor
        self.goal = goal
        self.figure = figure
    }

    /// How `values`, one of each round, stand to a `limit`.
    func verdict(_ values: [Double], on limit: Double) -> Verdict? {
        guard let spread = Spread(values) else { return nil }
        func isReached(_ value: Double) -> Bool { direction == .atLeast ? value >= limit : value <= limit }
        guard !isReached(spread.median) else { return .reached }
        let misses = values.filter { !isReached($0) }.count
        return misses * 5 >= values.count * 4 ? .missed : .unclear
    }
}

extension Goal {
    private static let c16 = CaseName.Shape.closed(16)

    static let all =
        shares + [signature, failures] + tails + quarters + [besideFlood, refreshAtAll, lookupAtAll] + peers + idle

    private static let shares = [
        share("hello / refresh ES256, CPU", .refreshES256, floor: 0.30, goal: 0.45),
        share("hello / sign-in RS256 to ES256, CPU", .signIn, floor: 0.15, goal: 0.20),
        share("hello / lookup, known token, CPU", .lookupKnown, floor: 0.35, goal: 0.60),
        share("hello / lookup, token not seen before, CPU", .lookupUnseen, floor: 0.20, goal: 0.35),
        share("hello / JWKS, CPU", .keySet, floor: 1.2, goal: 1.5),
        share("hello / discovery, CPU", .discovery, floor: 1.2, goal: 1.5),
    ]

    private static let signature = Goal(
        "raw BoringSSL RSA / refresh RS256, CPU", .atLeast, floor: 1.0, goal: 1.3
    ) { round in
        guard let raw = round.processorMicroseconds(CaseName(.cpu, .rawRS256Sign, .closed(1))),
            let refresh = round.processorMicroseconds(CaseName(.cpu, .refreshRS256, c16))
        else { return nil }
        return raw / refresh
    }

    private static let failures = Goal("failures of 64 concurrent rotations", .atMost, floor: 0, goal: 0) { round in
        let figures = [CaseName.Regime.cpu, .durability].compactMap {
            round.figures[CaseName($0, .refreshES256, .closed(64))]
        }
        return figures.isEmpty ? nil : Double(figures.map(\.measurement.result.failureCount).reduce(0, +))
    }

    private static let tails = [
        tail(.lookup, floor: 5, goal: 3), tail(.refreshES256, floor: 5, goal: 3), tail(.signIn, floor: 20, goal: 10),
    ]

    private static let quarters = [
        quarter(.refreshES256, floor: 300, goal: 180), quarter(.signIn, floor: 700, goal: 400),
    ]

    private static let besideFlood = Goal(
        "accounts:lookup beside 8 pipelining connections, p99 in ms", .atMost, floor: 10, goal: 8
    ) { round in
        round.figures[CaseName(.latency, .lookupBesideFlood, .closed(4))]
            .map { Double($0.measurement.result.latencies.value(at: 99)) / 1000 }
    }

    private static let refreshAtAll = atAll(
        "refresh at all brokers / at one, per second", .refreshAtAll, .refreshES256)
    private static let lookupAtAll = atAll("lookup at all brokers / at one, per second", .lookupAtAll, .lookupKnown)

    private static let peers = [
        peer("Glewlwyd's refresh / refresh ES256, CPU", .glewlwydRefresh, .refreshES256, floor: 14, goal: 20),
        peer("django-allauth's sign-in / sign-in, CPU", .allauthSignIn, .signIn, floor: 30, goal: 40),
    ]

    private static let idle = [
        Goal("start to first answer, ms", .atMost, floor: 60, goal: 50) { $0.broker?.startMilliseconds },
        Goal("idle, PSS in MB", .atMost, floor: 22, goal: 16) { $0.broker?.idle.proportionalMegabytes },
        Goal("idle, RSS in MB", .atMost, floor: 60, goal: 40) { $0.broker?.idle.residentMegabytes },
    ]

    private static func share(
        _ name: String, _ operation: CaseName.Operation, floor: Double, goal: Double
    ) -> Goal {
        Goal(name, .atLeast, floor: floor, goal: goal) { $0.ratioToYardstick(CaseName(.cpu, operation, c16)) }
    }

    private static func peer(
        _ name: String, _ peer: CaseName.Operation, _ own: CaseName.Operation, floor: Double, goal: Double
    ) -> Goal {
        Goal(name, .atLeast, floor: floor, goal: goal) { round in
            guard let theirs = round.processorMicroseconds(CaseName(.cpu, peer, c16)),
                let ours = round.processorMicroseconds(CaseName(.cpu, own, c16))
            else { return nil }
            return theirs / ours
        }
    }

    private static func tail(_ operation: CaseName.Operation, floor: Double, goal: Double) -> Goal {
        Goal("\(operation.rawValue) at 50 %, p99 in ms", .atMost, floor: floor, goal: goal) { round in
            round.figures[CaseName(.latency, operation, .open(50))]
                .map { Double($0.measurement.result.latencies.value(at: 99)) / 1000 }
        }
    }

    private static func quarter(_ operation: CaseName.Operation, floor: Double, goal: Double) -> Goal {
        Goal("\(operation.rawValue) at 25 %, CPU in us", .atMost, floor: floor, goal: goal) { round in
            round.processorMicroseconds(CaseName(.latency, operation, .open(25)))
        }
    }

    private static func atAll(
        _ name: String, _ all: CaseName.Operation, _ one: CaseName.Operation
    ) -> Goal {
        Goal(name, .atLeast, floor: 1.7, goal: 1.95) { round in
            guard let together = round.perSecond(CaseName(.cpu, all, .closed(64))),
                let alone = round.perSecond(CaseName(.cpu, one, .closed(64)))
            else { return nil }
            return together / alone
        }
    }
}
