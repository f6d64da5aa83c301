import BenchmarkLoad
import Foundation
import NIOHTTP1

/// Counts what a broker allocates for an answer, which hardly depends on the machine: one client, one request after the
/// other, with a counter in the broker's process.
struct AllocationCounts {
    private static let seconds = 1.0
    let settings: Settings

    /// By operation, for each answer.
    func run() async throws -> [String: Double] {
        let issuer = try await Issuer(people: settings.sessions)
        let folder = try RunFolder(in: settings.memoryFolder)
        defer { folder.remove() }
        do {
            var counts = try await count(.es256, issuer, folder) { cases in
                try await [
                    (.keySet, cases.keySet), (.lookupKnown, cases.knownLookup(for: Self.seconds)),
                    (.lookupUnseen, cases.unseenLookup(for: Self.seconds)), (.refreshES256, cases.refresh),
                    (.signIn, cases.signIn(for: Self.seconds)),
                ]
            }
            counts.merge(try await count(.rs256, issuer, folder) { [(.refreshRS256, $0.refresh)] }) { $1 }
            await issuer.stop()
            return counts
        } catch {
            await issuer.stop()
            throw error
        }
    }

    private func count(
        _ signing: BrokerFiles.Signing, _ issuer: Issuer, _ folder: RunFolder,
        _ conversations: (BrokerCases) async throws -> [(CaseName.Operation, any Conversation)]
    ) async throws -> [String: Double] {
        let files = try BrokerFiles(
            of: settings.broker, in: folder.folder(signing.rawValue), signing: signing, database: .sqlite,
            issuer: issuer.url)
        let counter = files.folder + "/allocations"
        let brokers = try await Brokers(
            files, executable: settings.broker, count: 1,
            environment: ["LD_PRELOAD": settings.allocationCounter, "ALLOCATION_COUNTER_FILE": counter])
        defer { brokers.stop() }
        let cases = try await BrokerCases(brokers, issuer: issuer, idTokens: issuer.idTokens)
        var counts: [String: Double] = [:]
        for (operation, conversation) in try await conversations(cases) {
            counts[operation.rawValue] = try await Self.perAnswer(conversation, at: brokers.ports[0], counter)
        }
        return counts
    }

    private static func perAnswer(
        _ conversation: any Conversation, at port: Int, _ counter: String
    ) async throws -> Double {
        var allocations = 0.0
        let result = try await Load(ports: [port], connections: 1).run(
            conversation, at: .asFastAsAnswered(for: .seconds(seconds)), began: { allocations = -(try read(counter)) },
            ended: { allocations += try read(counter) })
        guard result.failureCount == 0, result.answers > 0 else {
            throw BenchmarkFailure(result.firstFailure ?? "no answer")
        }
        return allocations / Double(result.answers)
    }

    private static func read(_ counter: String) throws -> Double {
        let bytes = try Data(contentsOf: URL(filePath: counter))
        guard bytes.count == 8 else { throw BenchmarkFailure("the broker counts no allocations") }
        return Double(bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    }
}
