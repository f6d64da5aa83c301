/// A PNG (ISO/IEC 15948, PNG 3), chunk by chunk. It is never decoded here: what is checked is its structure.
enum PNGFile {
    /// Whether a file begins like one.
    static func isOne(_ file: [UInt8]) -> Bool { file.starts(with: signature) }

    /// Writes a file anew with the chunks that a still picture needs, and leaves out every other.
    ///
    /// - Parameter file: All of it.
    /// - Returns: IHDR, PLTE, tRNS, IDAT and IEND, whose checksums are right.
    /// - Throws: ``BrandImage/Refusal``.
    static func rewritten(_ file: [UInt8]) throws(BrandImage.Refusal) -> [UInt8] {
        var chunks = Chunks(file[signature.count...])
        var result = signature
        var order = ChunkOrder()
        while !order.isComplete {
            let chunk = try chunks.next()
            if try order.keeps(chunk) { result += chunk.all }
        }
        guard chunks.rest.isEmpty else { throw .init("it goes on after its end (IEND)") }
        return result
    }

    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    fileprivate struct Chunk {
        /// Four letters.
        let type: String
        let content: ArraySlice<UInt8>
        /// With length, type and checksum.
        let all: ArraySlice<UInt8>
    }

    private struct Chunks {
        var rest: ArraySlice<UInt8>

        init(_ rest: ArraySlice<UInt8>) { self.rest = rest }

        mutating func next() throws(BrandImage.Refusal) -> Chunk {
            guard rest.count >= 12 else { throw .init("it ends without IEND") }
            let length = PNGFile.number(rest.prefix(4))
            guard length <= rest.count - 12 else { throw .init("a chunk of it is longer than the file") }
            let all = rest.prefix(12 + length)
            let checked = all.dropFirst(4).dropLast(4)
            let type = String(decoding: checked.prefix(4), as: UTF8.self)
            guard checked.prefix(4).allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
                throw .init("a chunk of it has no name")
            }
            guard PNGFile.number(all.suffix(4)) == PNGFile.checksum(of: checked) else {
                throw .init("the checksum of its chunk \(type) is wrong")
            }
            rest = rest.dropFirst(all.count)
            return Chunk(type: type, content: checked.dropFirst(4), all: all)
        }
    }

    /// A number of four bytes, the highest first.
    fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// CRC-32 (PNG 3 §5.5).
    private static func checksum(of bytes: ArraySlice<UInt8>) -> Int {
        var register: UInt32 = 0xFFFF_FFFF
        for byte in bytes { register = checksums[Int(UInt8(truncatingIfNeeded: register) ^ byte)] ^ (register >> 8) }
        return Int(register ^ 0xFFFF_FFFF)
    }

    private static let checksums: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}

extension PNGFile {
    /// The chunks of a file so far, in the order that the standard prescribes (PNG 3 §5.6).
    private struct ChunkOrder {
        private var header: Header?
        private var paletteEntries: Int?
        private var hasTransparency = false
        private var data = Data.none
        private(set) var isComplete = false

        private enum Data {
            case none, running, ended
        }

        /// Takes the next chunk.
        ///
        /// - Returns: Whether the picture needs it.
        /// - Throws: ``BrandImage/Refusal`` for one that is wrong, or in the wrong place.
        mutating func keeps(_ chunk: Chunk) throws(BrandImage.Refusal) -> Bool {
            if data == .running, chunk.type != "IDAT" { data = .ended }
            guard let header else {
                guard chunk.type == "IHDR" else { throw .init("its first chunk is not IHDR") }
                self.header = try Header(chunk.content)
                return true
            }
            switch chunk.type {
            case "IHDR": throw .init("it has two chunks IHDR")
            case "PLTE": paletteEntries = try entries(of: chunk.content, header)
            case "tRNS": try checkTransparency(chunk.content, header)
            case "IDAT":
                guard data != .ended else { throw .init("its chunks IDAT are apart") }
                guard header.color != .palette || paletteEntries != nil else { throw .init("it has no palette (PLTE)") }
                data = .running
            case "IEND":
                guard data == .ended, chunk.content.isEmpty else { throw .init("it has no IDAT before its end") }
                isComplete = true
            default: return false
            }
            return true
        }

        private func entries(
            of content: ArraySlice<UInt8>, _ header: Header
        ) throws(BrandImage.Refusal) -> Int {
            let entries = content.count / 3
            guard paletteEntries == nil, !hasTransparency, data == .none, header.color.mayHavePalette,
                content.count.isMultiple(of: 3), (1...256).contains(entries),
                header.color != .palette || entries <= 1 << header.depth
            else { throw .init("its palette (PLTE) is wrong, or in the wrong place") }
            return entries
        }

        private mutating func checkTransparency(
            _ content: ArraySlice<UInt8>, _ header: Header
        ) throws(BrandImage.Refusal) {
            let isOfSize =
                switch header.color {
                case .gray: content.count == 2
                case .rgb: content.count == 6
                case .palette: !content.isEmpty && content.count <= paletteEntries ?? 0
                case .grayAlpha, .rgba: false
                }
            guard isOfSize, !hasTransparency, data == .none else {
                throw .init("its transparency (tRNS) is wrong, or in the wrong place")
            }
            hasTransparency = true
        }
    }

    /// The chunk IHDR (PNG 3 §11.2.1).
    private struct Header {
        enum Color: UInt8 {
            case gray = 0
            case rgb = 2
            case palette = 3
            case grayAlpha = 4
            case rgba = 6

            var mayHavePalette: Bool { self != .gray && self != .grayAlpha }

            var depths: [UInt8] {
                switch self {
                case .gray: [1, 2, 4, 8, 16]
                case .palette: [1, 2, 4, 8]
                case .rgb, .grayAlpha, .rgba: [8, 16]
                }
            }
        }

        let depth: UInt8
        let color: Color

        private static let maximumSide = 1024

        init(_ content: ArraySlice<UInt8>) throws(BrandImage.Refusal) {
            let bytes = Array(content)
            guard bytes.count == 13 else { throw .init("its IHDR has not 13 bytes") }
            let sides = [PNGFile.number(bytes[0..<4]), PNGFile.number(bytes[4..<8])]
            guard sides.allSatisfy({ (1...Self.maximumSide).contains($0) }) else {
                throw .init("it is \(sides[0]) × \(sides[1]); a side may have 1 to \(Self.maximumSide) pixels")
            }
            guard let color = Color(rawValue: bytes[9]), color.depths.contains(bytes[8]), bytes[10] == 0,
                bytes[11] == 0, bytes[12] <= 1
            else { throw .init("its IHDR has values that PNG does not know") }
            depth = bytes[8]
            self.color = color
        }
    }
}
