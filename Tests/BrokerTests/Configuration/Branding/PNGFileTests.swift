import Testing

@testable import Broker

@Suite("PNG files as logos")
struct PNGFileTests {
    private static func reason(_ chunks: [[UInt8]]) -> String? {
        do throws(BrandImage.Refusal) {
            _ = try BrandImage(checking: PNGSample.file(chunks))
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `what a picture needs is kept, and every other chunk is dropped`() throws {
        let text = PNGSample.chunk("tEXt", Array("Comment\0<script>".utf8))
        let (header, end) = (PNGSample.header(depth: 8, color: 3), PNGSample.end)
        let (palette, clear) = (PNGSample.chunk("PLTE", [1, 2, 3, 4, 5, 6]), PNGSample.chunk("tRNS", [0]))
        let animation = PNGSample.chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0])
        let unknown = PNGSample.chunk("ABCD", [1])

        let image = try BrandImage(
            checking: PNGSample.file([
                header, text, palette, animation, clear, PNGSample.data, PNGSample.data, unknown, text, end,
            ]))

        #expect(image.format == .png && image.name.hasSuffix(".png"))
        #expect(image.bytes == PNGSample.file([header, palette, clear, PNGSample.data, PNGSample.data, end]))
        #expect(try BrandImage(checking: image.bytes) == image)
    }

    @Test func `a file is refused with its reason when a chunk is wrong, or in the wrong place`() {
        let (header, data, end) = (PNGSample.header(), PNGSample.data, PNGSample.end)
        var broken = data
        broken[10] ^= 1
        let palette = PNGSample.chunk("PLTE", [1, 2, 3])
        let indexed = PNGSample.header(depth: 1, color: 3)
        let refused: [(chunks: [[UInt8]], reason: String)] = [
            ([], "ends without IEND"), ([data, end], "first chunk is not IHDR"), ([header, data], "ends without IEND"),
            ([header, header, data, end], "two chunks IHDR"), ([header, end], "no IDAT"),
            ([header, broken, end], "checksum of its chunk IDAT"), ([header, data, end, data], "after its end"),
            ([header, data, end, [0]], "after its end"), ([header, Array(data.dropLast(5))], "longer than"),
            ([header, data, PNGSample.chunk("tEXt", []), data, end], "IDAT are apart"),
            ([header, PNGSample.chunk("I\u{1}AT", []), data, end], "no name"),
            ([header, palette, data, end], "PLTE"), ([indexed, data, end], "no palette"),
            ([indexed, PNGSample.chunk("PLTE", Array(repeating: 0, count: 9)), data, end], "PLTE"),
            ([indexed, palette, palette, data, end], "PLTE"),
            ([indexed, PNGSample.chunk("PLTE", [1]), data, end], "PLTE"),
            ([indexed, palette, PNGSample.chunk("tRNS", [0, 0]), data, end], "tRNS"),
            ([indexed, PNGSample.chunk("tRNS", [0]), palette, data, end], "tRNS"),
            ([header, PNGSample.chunk("tRNS", [0]), data, end], "tRNS"),
            ([PNGSample.header(color: 6), PNGSample.chunk("tRNS", [0, 0]), data, end], "tRNS"),
            ([PNGSample.header(width: 0), data, end], "0 × 1"),
            ([PNGSample.header(width: 1025), data, end], "1025 × 1"),
            ([PNGSample.header(height: 0x7FFF_FFFF), data, end], "a side may have 1 to 1024 pixels"),
            ([PNGSample.header(depth: 4, color: 2), data, end], "IHDR has values"),
            ([PNGSample.header(color: 5), data, end], "IHDR has values"),
            ([PNGSample.header(further: [1, 0, 0]), data, end], "IHDR has values"),
            ([PNGSample.header(further: [0, 0, 2]), data, end], "IHDR has values"),
            ([PNGSample.chunk("IHDR", [0]), data, end], "13 bytes"),
        ]
        for (chunks, reason) in refused {
            let found = Self.reason(chunks)
            #expect(found?.contains(reason) == true, "\(found ?? "accepted"), not \(reason)")
        }
        #expect(Self.reason([PNGSample.header(width: 1024, height: 1024), data, end]) == nil)
    }

    @Test func `a file of more than 64 KiB is refused`() {
        let large = PNGSample.chunk("IDAT", Array(repeating: 0, count: BrandImage.maximumSize))

        #expect(Self.reason([PNGSample.header(), large, PNGSample.end])?.contains("at most 65536") == true)
    }
}
