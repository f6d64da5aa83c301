import StrictJSON
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test func `are two for each byte, and give the byte back`() {
        let bytes = Array(UInt8.min...UInt8.max)
        for isUppercase in [true, false] {
            #expect(Hexadecimal.decode(Hexadecimal.encode(bytes, isUppercase: isUppercase).utf8) == bytes)
        }
        #expect(Hexadecimal.encode([0x00, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(Hexadecimal.encode([0x0F, 0xA0], isUppercase: true) == "0FA0" && Hexadecimal.encode([]) == "")
    }

    @Test(arguments: ["0", "abc", "0g", "+1", " 0", "\u{FF11}0"])
    func `are nothing else`(text: String) {
        #expect(Hexadecimal.decode(text.utf8) == nil)
    }
}
