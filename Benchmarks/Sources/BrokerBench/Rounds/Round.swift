import BenchmarkLoad

/// One measurement of every case, taken close to each other: what is compared is compared within a round.
struct Round: Sendable {
    let number: Int
    var figures: [CaseName: Figure] = [:]
    var conditions: Conditions
    var broker: BrokerFacts?
    var baseline: BrokerFacts?
    /// Why the round does not count.
    var objection: String?

    /// What else the machine did.
    struct Conditions: Sendable, Encodable {
        /// Runnable threads of the whole machine, averaged over a minute, when the round began.
        let loadBefore: Double
        /// The same when it ended.
        var loadAfter = 0.0
        /// Cores that were busy on average with anything but the benchmark and its servers.
        var otherCores = 0.0
        /// Cores' worth of time that went to other guests of the host.
        var stolenCores = 0.0
    }

    /// What is known of a broker without asking it for anything.
    struct BrokerFacts: Sendable, Encodable {
        /// From its start to its first answer, keys in the store.
        let startMilliseconds: Double
        let idle: ProcessMemory
        /// When everything was measured.
        let afterLoad: ProcessMemory
    }

    func processorMicroseconds(_ name: CaseName) -> Double? { figures[name]?.measurement.processorMicroseconds }
    func perSecond(_ name: CaseName) -> Double? { figures[name]?.measurement.perSecond }

    /// What a figure is compared with: in the regime of processor time how much of the operation the bare route would
    /// cost, in that of durability how much of the bare loop's rate is reached.
    func ratioToYardstick(_ name: CaseName) -> Double? {
        // The yardsticks themselves need none.
        guard name.operation != .hello, name.operation != .groupCommit else { return nil }
        switch name.regime {
        case .cpu:
            guard let hello = processorMicroseconds(CaseName(.cpu, .hello, name.shape)),
                let own = processorMicroseconds(name), own > 0
            else { return nil }
            return hello / own
        case .durability:
            guard let bare = perSecond(CaseName(.durability, .groupCommit, name.shape)), bare > 0 else { return nil }
            return perSecond(name).map { $0 / bare }
        case .latency: return nil
        }
    }

    /// What is compared with the baseline: processor time, answers a second, or in microseconds the slowest but one in a
    /// hundred.
    func comparedFigure(_ name: CaseName) -> Double? {
        switch name.regime {
        case .cpu: processorMicroseconds(name)
        case .durability: perSecond(name)
        case .latency: figures[name].map { Double($0.measurement.result.latencies.value(at: 99)) }
        }
    }
}
