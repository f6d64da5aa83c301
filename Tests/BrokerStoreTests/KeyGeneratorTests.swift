import BrokerStore
import Foundation
import Testing

@Suite("Private keys of rows")
struct KeyGeneratorTests {
    private static let noon = Timestamp.noon.date

    @Test func `grow even within one microsecond and when the clock goes back`() {
        let generator = KeyGenerator()
        let moments = [0, 0, 0, -3600, -3600, 1, 0.5].map { Self.noon.addingTimeInterval($0) }

        let keys = moments.map(generator.next(at:))

        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
    }

    @Test func `are ordered by time across generators`() {
        let earlier = KeyGenerator().next(at: Self.noon)
        let later = KeyGenerator().next(at: Self.noon.addingTimeInterval(0.000_01))

        #expect(earlier < later)
    }

    @Test func `have times that are not set back with the clock`() {
        let generator = KeyGenerator()
        #expect(generator.present(at: Self.noon) == Self.noon)

        let key = generator.next(at: Self.noon)
        let present = generator.present(at: Self.noon.addingTimeInterval(-3600))

        #expect(abs(present.timeIntervalSince(Self.noon)) < 0.001)
        #expect(generator.next(at: present) > key)
        let later = Self.noon.addingTimeInterval(1)
        #expect(generator.present(at: later) == later)
    }

    @Test func `are unique among concurrent tasks`() async {
        let generator = KeyGenerator()

        let keys = await withTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2000).map { _ in generator.next(at: Self.noon) } }
            }
            return await group.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        }

        #expect(keys.count == 16000)
    }

    @Test func `are made of microseconds since 2020 and eleven bits of the process`() {
        let start = Date(timeIntervalSince1970: 1_577_836_800)

        let key = KeyGenerator().next(at: start.addingTimeInterval(1))

        #expect(key >> 11 == 1_000_000)
    }

    @Test(arguments: [-1e12, 0, 1e12, 1e300, .infinity, .nan])
    func `survive any clock`(seconds: Double) {
        let generator = KeyGenerator()
        let moment = Date(timeIntervalSince1970: seconds)

        let first = generator.next(at: moment)

        #expect(first >= 0)
        #expect(generator.next(at: moment) > first)
    }
}
