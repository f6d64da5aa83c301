import StrictJSON

/// Random documents that one seed makes again.
struct RandomDocuments: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func value(depth: Int = 5) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &self) {
        case 0: .null
        case 1: .bool(Bool.random(using: &self))
        case 2: .integer(Int64.random(in: .min ... .max, using: &self))
        case 3: JSONNumber(Double.random(in: -1e12...1e12, using: &self)).map(JSONValue.number) ?? .null
        case 4, 5: .string(string())
        case 6: .array((0..<Int.random(in: 0...5, using: &self)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth))
        }
    }

    mutating func object(depth: Int) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...20, using: &self) { object[string()] = value(depth: depth - 1) }
        return object
    }

    mutating func string() -> String {
        let ranges: [ClosedRange<UInt32>] = [1...0x7F, 0x20...0x7E, 1...0xD7FF, 0xE000...0x10FFFF]
        var string = ""
        for _ in 0..<Int.random(in: 0...24, using: &self) {
            let range = ranges.randomElement(using: &self) ?? 1...0x7F
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &self)) {
                string.unicodeScalars.append(scalar)
            }
        }
        return string
    }

    mutating func bytes(_ count: Int, of alphabet: [UInt8]) -> [UInt8] {
        (0..<count).map { _ in alphabet.randomElement(using: &self) ?? 0 }
    }

    /// Changes, drops, doubles or inserts a few bytes.
    mutating func mutate(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let position = Int.random(in: bytes.indices, using: &self)
            switch Int.random(in: 0..<4, using: &self) {
            case 0: bytes[position] = UInt8.random(in: .min ... .max, using: &self)
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(bytes[position], at: position)
            default: bytes.removeSubrange(position...)
            }
        }
    }
}
