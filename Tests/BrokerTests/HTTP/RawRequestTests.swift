import Foundation
import Testing

@testable import Broker

/// What comes back for each of `RawRequests`, compared with `RawAnswers.txt`. `TESTS_RECORD=1` writes the file anew.
@Suite("bytes that no client library would send")
struct RawRequestTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "RawAnswers.txt")

    /// The statuses of all answers on a connection that sends `bytes` and then ends its output.
    private static func statuses(_ broker: TestBroker, _ bytes: String) async throws -> String {
        let bytes = bytes.replacing("key=\(RawRequests.key) ", with: "key=\(broker.apiKey) ")
        let text = try await RawHTTP.exchange(broker.url, Array(bytes.utf8))
        // A body may end without a line break, and the next answer stands right behind it.
        let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().map { String($0.prefix(3)) }
        return statuses.isEmpty ? "nothing" : runs(statuses)
    }

    /// A list in which what repeats is counted.
    private static func runs(_ statuses: [String]) -> String {
        var runs: [(status: String, count: Int)] = []
        for status in statuses {
            if runs.last?.status == status { runs[runs.count - 1].count += 1 } else { runs.append((status, 1)) }
        }
        return runs.map { $0.count == 1 ? $0.status : "\($0.count) times \($0.status)" }.joined(separator: ", ")
    }

    @Test func `each class has at least fifteen cases, and all of them a hundred and fifty`() {
        for (name, cases) in RawRequests.all { #expect(cases.count >= 15, "\(name)") }
        #expect(RawRequests.all.map(\.cases.count).reduce(0, +) >= 150)
    }

    @Test func `every case is answered as it is written down`() async throws {
        var lines: [String] = []
        try await TestBroker.run { broker in
            for (name, cases) in RawRequests.all {
                lines.append("# \(name)")
                for raw in cases {
                    lines.append("\(raw.name): \(try await Self.statuses(broker, raw.bytes))")
                }
            }
            #expect(try await broker.get("/healthz").status == 200)
        }
        let recorded = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        if RecordedPage.isRecording {
            let kept = lines.map { line in recorded.first { Self.allows($0, line) } ?? line }
            try (kept.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
            return
        }
        #expect(lines.count == recorded.count)
        for (line, expected) in zip(lines, recorded) {
            #expect(Self.allows(expected, line), "\(line), not \(expected)")
        }
    }

    /// Whether a line is as recorded. After ` or ` stands what else may come: whether the client has ended its output
    /// before the last whole request is answered.
    private static func allows(_ recorded: String, _ line: String) -> Bool {
        guard let colon = recorded.firstRange(of: ": ") else { return recorded == line }
        let name = recorded[..<colon.upperBound]
        return recorded[colon.upperBound...].components(separatedBy: " or ").contains { name + $0 == line }
    }

    /// `TESTS_ROUNDS` makes it more than the usual two thousand: as many times a hundred.
    @Test func `no mutation of a case is answered with a failure, and others are served meanwhile`() async throws {
        let rounds = ProcessInfo.processInfo.environment["TESTS_ROUNDS"].flatMap { Int($0) } ?? 20
        let seed = UInt64.random(in: 0..<(.max))
        let cases = RawRequests.all.flatMap(\.cases).map { Array($0.bytes.utf8.prefix(20_000)) }
        try await TestBroker.run { broker in
            for round in 0..<rounds {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<4 {
                        group.addTask {
                            var random = SeededGenerator(seed: seed &+ UInt64(round * 4 + worker))
                            for _ in 0..<25 {
                                let bytes = Self.mutation(of: cases, by: &random)
                                let text = try await RawHTTP.exchange(broker.url, bytes)
                                for answer in text.components(separatedBy: "HTTP/1.1 ").dropFirst() {
                                    #expect(
                                        !answer.hasPrefix("5"), "seed \(seed), round \(round): \(answer.prefix(300))")
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await broker.get("/healthz").status == 200)
            }
        }
    }

    private static func mutation(of cases: [[UInt8]], by random: inout SeededGenerator) -> [UInt8] {
        var bytes = cases.randomElement(using: &random) ?? []
        for _ in 0...Int.random(in: 0..<4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0..<8, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default:
                let other = cases.randomElement(using: &random) ?? []
                bytes.insert(contentsOf: other.prefix(Int.random(in: 0...other.count, using: &random)), at: place)
            }
        }
        return bytes
    }
}
