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

    @Test(arguments: ["", "plain", "é\u{1F600}", String(repeating: "long ", count: 20)])
    func `the bytes of a text are those of its view`(text: String) {
        #expect(text.utf8Bytes == Array(text.utf8))
    }

    @Test func `a byte that is not printable ASCII is found at each place`() {
        for length in 1..<40 {
            for place in 0..<length {
                for other in ["\u{1F}", "\u{7F}", "\t", "é"] {
                    let text =
                        String(repeating: "x", count: place) + other + String(repeating: "~", count: length - place - 1)

                    #expect(!text.isASCII(from: 0x20))
                    #expect(text.isASCII(from: 0x20, or: 0x09) == (other == "\t"))
                }
            }
            #expect(String(repeating: " ", count: length).isASCII(from: 0x20))
            #expect(!String(repeating: " ", count: length).isASCII(from: 0x21))
        }
    }

    @Test func `only A to Z have another lower case`() {
        #expect("AZ[@`{az09-É\u{212A}".lowercasedASCII == "az[@`{az09-É\u{212A}")
        #expect("plain-é".lowercasedASCII == "plain-é")
        #expect("".lowercasedASCII == "")
    }
}
