import StrictJSON
import Testing

@Suite("Text of UTF-8 bytes")
struct UTF8TextTests {
    @Test(
        arguments: [
            [], Array("plain".utf8), Array("é\u{FFFD}\u{10FFFF}\u{FEFF}e\u{301}".utf8), [0x41, 0x00, 0x42],
            [0xEF, 0xBB, 0xBF, 0x41],
        ] as [[UInt8]])
    func `text has the bytes it was read from`(bytes: [UInt8]) {
        #expect(String(utf8: bytes).map { Array($0.utf8) } == bytes)
    }

    @Test(
        arguments: [
            // A lone continuation, an overlong form, a surrogate, a cut sequence, one beyond Unicode.
            [0x41, 0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            // Three bytes that are replaced by as many.
            [0xF0, 0x9F, 0x98], [0xF0, 0x9F, 0x98, 0x41],
            // A replacement of what is wrong, beside what is wrong.
            [0xEF, 0xBF, 0xBD, 0xFF],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are no text`(bytes: [UInt8]) {
        #expect(String(utf8: bytes) == nil)
    }
}
