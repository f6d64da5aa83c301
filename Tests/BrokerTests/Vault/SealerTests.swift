import ProviderKit
import Testing

@testable import Broker

@Suite("sealed values")
struct SealerTests {
    static func key() throws -> MasterKey {
        try #require(MasterKey(bytes: (0..<32).map { _ in UInt8.random(in: 0...255) }))
    }

    @Test func `open where they were sealed, ten thousand times over`() throws {
        let sealer = Sealer(try Self.key(), for: .vault)
        for number in 0..<10_000 {
            let sealed = try sealer.seal([1, 2, 3], row: ["row", String(number)])
            let opened = try sealer.open(sealed, row: ["row", String(number)])
            try #require(opened == [1, 2, 3])
        }
    }

    @Test func `open nowhere else, with no other key, for no other purpose, and not when changed`() throws {
        let key = try Self.key()
        let sealer = Sealer(key, for: .vault)
        let sealed = try sealer.seal([1, 2, 3], row: ["a", "bc"])

        #expect(throws: SealError.corrupt) { try sealer.open(sealed, row: ["ab", "c"]) }
        #expect(throws: SealError.corrupt) { try Sealer(key, for: .signingKeys).open(sealed, row: ["a", "bc"]) }
        #expect(throws: SealError.sealedWithAnotherKey) {
            try Sealer(try Self.key(), for: .vault).open(sealed, row: ["a", "bc"])
        }
        for index in sealed.indices where !(1..<5).contains(index) {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: SealError.corrupt) { try sealer.open(changed, row: ["a", "bc"]) }
        }
        for length in 0..<sealed.count {
            #expect(throws: SealError.self) { try sealer.open(Array(sealed.prefix(length)), row: ["a", "bc"]) }
        }
    }

    @Test func `two seals of one value differ`() throws {
        let sealer = Sealer(try Self.key(), for: .vault)
        #expect(try sealer.seal([1], row: []) != sealer.seal([1], row: []))
    }

    @Test func `name the key they were sealed with as earlier versions did`() throws {
        let key = try #require(MasterKey(bytes: Array(0..<32)))

        let sealed = try Sealer(key, for: .vault).seal([1], row: [])

        // HKDF-SHA256 of these bytes for "broker/key-id/v1", by another implementation.
        #expect(key.identifier == "f70cc1ca")
        #expect(Hexadecimal.encode(Array(sealed[1..<5])) == key.identifier)
    }
}
