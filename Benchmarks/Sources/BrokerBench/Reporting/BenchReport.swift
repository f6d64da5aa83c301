import BenchmarkLoad
import Foundation

/// The figures for programs; `--json` writes it. Compact, since it holds every bucket of every histogram.
struct BenchReport: Encodable {
    let label: String
    let machine: MachineDescription
    let database: String
    let brokers: Int
    /// Of the bare route that ratios are taken with.
    let executor: Settings.Executor
    let sessions: Int
    /// How long each case worked in each round.
    let seconds: Double
    let rounds: [RoundFigures]
    /// Over the rounds that count; over all of them when none does.
    let cases: [CaseFigures]
    let goals: [GoalFigures]
    /// What was measured of both builds.
    let comparisons: [BaselineFigures]
    /// Whether any round counts.
    let isSound: Bool
    /// The ratios of processor time, of each round that counts, by case; for ``RecordedRatios``.
    let checkedRatios: [String: [Double]]

    private enum CodingKeys: String, CodingKey {
        case label, machine, database, brokers, executor, sessions, seconds, rounds, cases, comparisons, goals, isSound
    }

    struct RoundFigures: Encodable {
        let number: Int
        /// Why it does not count.
        let objection: String?
        let conditions: Round.Conditions
        let broker: Round.BrokerFacts?
        let baseline: Round.BrokerFacts?
        let figures: [FigureOfRound]
    }

    init(_ measured: [Round], settings: Settings, label: String) {
        let judged = Self.judge(measured)
        let counting = judged.filter { $0.objection == nil }
        isSound = !counting.isEmpty
        let used = isSound ? counting : judged
        self.label = label
        machine = MachineDescription(settings)
        database = settings.database.rawValue
        brokers = settings.brokers
        executor = settings.executor
        sessions = settings.sessions
        seconds = settings.seconds
        rounds = judged.map { round in
            RoundFigures(
                number: round.number, objection: round.objection, conditions: round.conditions, broker: round.broker,
                baseline: round.baseline,
                figures: Self.sorted(round.figures.keys).compactMap { FigureOfRound($0, in: round) })
        }
        let names = Self.sorted(Set(used.flatMap(\.figures.keys)))
        cases = names.compactMap { CaseFigures($0, used) }
        checkedRatios = Dictionary(
            uniqueKeysWithValues: names.filter(\.isChecked)
                .map { name in ("\(name.title), \(name.load)", used.compactMap { $0.ratioToYardstick(name) }) }
        ).filter { !$0.value.isEmpty }
        comparisons = BaselineFigures.all(names, used)
        goals = Goal.all.compactMap { GoalFigures($0, used) }
    }

    /// The report as JSON, names sorted.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    private static func judge(_ rounds: [Round]) -> [Round] {
        let hello = CaseName(.cpu, .hello, .closed(16))
        let objections = RoundRule.objections(
            to: rounds.map { round in
                .init(
                    otherCores: round.conditions.otherCores,
                    yardstickMicroseconds: round.processorMicroseconds(hello))
            })
        return zip(rounds, objections).map { round, objection in
            var round = round
            round.objection = objection
            return round
        }
    }

    private static func sorted(_ names: some Sequence<CaseName>) -> [CaseName] {
        names.sorted { $0.order < $1.order }
    }
}

/// What one case came to in one round.
struct FigureOfRound: Encodable {
    let regime: CaseName.Regime
    let operation: String
    let load: String
    let processorMicroseconds: Double
    let perSecond: Double
    let ratioToYardstick: Double?
    let targetPerSecond: Double?
    let commits: Int?
    let answers: Int
    let failures: [String: Int]
    let firstFailure: String?
    let latencies: LatencyHistogram

    init?(_ name: CaseName, in round: Round) {
        guard let figure = round.figures[name] else { return nil }
        regime = name.regime
        operation = name.title
        load = name.load
        processorMicroseconds = figure.measurement.processorMicroseconds
        perSecond = figure.measurement.perSecond
        ratioToYardstick = round.ratioToYardstick(name)
        targetPerSecond = figure.targetPerSecond
        commits = figure.commits
        answers = figure.measurement.result.answers
        failures = figure.measurement.result.failures
        firstFailure = figure.measurement.result.firstFailure
        latencies = figure.measurement.result.latencies
    }
}

/// What one case came to in all rounds that count.
struct CaseFigures: Encodable {
    let regime: CaseName.Regime
    let operation: String
    let load: String
    let processorMicroseconds: Spread
    let perSecond: Spread
    let ratioToYardstick: Spread?
    /// Answers for each transaction of the store.
    let answersPerCommit: Spread?
    let failures: Int
    let firstFailure: String?
    /// Of all rounds together.
    let latencies: LatencyHistogram

    init?(_ name: CaseName, _ rounds: [Round]) {
        let figures = rounds.compactMap { $0.figures[name] }
        guard let processor = Spread(figures.map(\.measurement.processorMicroseconds)),
            let rate = Spread(figures.map(\.measurement.perSecond))
        else { return nil }
        regime = name.regime
        operation = name.title
        load = name.load
        processorMicroseconds = processor
        perSecond = rate
        ratioToYardstick = Spread(rounds.compactMap { $0.ratioToYardstick(name) })
        answersPerCommit = Spread(
            figures.compactMap { figure in
                figure.commits.flatMap { $0 > 0 ? Double(figure.measurement.result.answers) / Double($0) : nil }
            })
        failures = figures.map(\.measurement.result.failureCount).reduce(0, +)
        firstFailure = figures.compactMap(\.measurement.result.firstFailure).first
        latencies = figures.reduce(into: LatencyHistogram()) { $0.add($1.measurement.result.latencies) }
    }
}

/// How a goal stands.
struct GoalFigures: Encodable {
    let name: String
    let figure: Spread
    let direction: Goal.Direction
    let floor: Double
    let floorVerdict: Goal.Verdict?
    let goal: Double
    let goalVerdict: Goal.Verdict?

    init?(_ goal: Goal, _ rounds: [Round]) {
        let values = rounds.compactMap(goal.figure)
        guard let figure = Spread(values) else { return nil }
        self.figure = figure
        name = goal.name
        direction = goal.direction
        floor = goal.floor
        floorVerdict = goal.verdict(values, on: goal.floor)
        self.goal = goal.goal
        goalVerdict = goal.verdict(values, on: goal.goal)
    }
}
