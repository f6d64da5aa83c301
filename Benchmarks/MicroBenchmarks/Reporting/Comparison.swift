import BrokerStore

/// A ratio of processor times that says more than either of them: how much of a request is what cannot be saved.
struct Comparison: Sendable {
    let name: String
    let numerator: CaseName
    let denominator: CaseName
    /// Where work may not stop, and in which direction it is; absent for ratios that are only worth knowing.
    let floor: Floor?

    enum Floor: Sendable, Equatable {
        case atLeast(Double)
        case atMost(Double)
    }

    init(_ name: String, _ numerator: CaseName, over denominator: CaseName, floor: Floor? = nil) {
        self.name = name
        self.numerator = numerator
        self.denominator = denominator
        self.floor = floor
    }

    /// The ratio within each round that has both.
    func spread(_ rounds: [Round]) -> Spread? {
        Spread(
            rounds.compactMap { round in
                guard let above = round.measurements[numerator]?.processorMicroseconds,
                    let below = round.measurements[denominator]?.processorMicroseconds, below > 0
                else { return nil }
                return above / below
            })
    }
}

extension Comparison {
    /// What the broker has to reach, and what a token, a rotation and a parse cost beside their raw parts.
    static let all: [Comparison] =
        [
            Comparison("ES256 token / raw sign", .tokenES256, over: .rawES256Sign, floor: .atMost(1.25)),
            Comparison("RS256 token / raw sign", .tokenRS256, over: .rawRS256Sign),
            Comparison("verify our ES256 token / raw verify", .verifyES256, over: .rawES256Verify, floor: .atMost(1.5)),
            Comparison("verify our RS256 token / raw verify", .verifyRS256, over: .rawRS256Verify),
            Comparison("JSONValue(parsing:) / JSONDecoder", .ourJSON, over: .foundationJSON),
            Comparison("JSONValueDecoder / JSONDecoder", .ourJSONDecoder, over: .foundationJSON),
        ] + stores

    private static var stores: [Comparison] {
        let perShape = RotationCases.shapes.flatMap { shape in
            [
                Comparison("rotate / raw UPDATE, \(shape)", shape.storeName, over: shape.rawUpdateName),
                Comparison("rotate / raw statements, \(shape)", shape.storeName, over: shape.rawRotationName),
            ]
        }
        let (full, normal) = (RotationShape(.full, callers: 16), RotationShape(.normal, callers: 16))
        let lookups = [1, 16].flatMap { callers in
            [
                Comparison("pointRead / raw, \(callers) at once", .pointRead(callers), over: .rawLookup),
                Comparison("read / raw, \(callers) at once", .read(callers), over: .rawLookup),
            ]
        }
        return perShape + lookups
            + [Comparison("rotate FULL / NORMAL, 16 callers", full.storeName, over: normal.storeName)]
    }
}
