import JOSE
import Testing

@Suite("Base64url has one text for each sequence of bytes")
struct Base64URLTests {
    static let vectors = [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors)
    func `the vectors of RFC 4648 section 10 come out without padding`(bytes: String, text: String) {
        #expect(Base64URL.encode(bytes.utf8) == text)
        #expect(Base64URL.decode(text) == Array(bytes.utf8))
    }

    @Test func `the example of RFC 7515 appendix C comes out`() {
        #expect(Base64URL.encode([3, 236, 255, 224, 193]) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == [3, 236, 255, 224, 193])
    }

    @Test(arguments: [
        "Z", "Zm9vY", "Zg==", "Zg=", "Zm8=", "=", " Zg", "Zg ", "Zm9v\n", "Zm\n9v", "A+z/4ME", "Zm9!", "Zm9.", "Zé9v",
        "\0", "Ｚg", "Zh", "Zv", "Zm9", "Zm-", "__", "___",
    ])
    func `every other text is refused`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `of all texts of two letters one for each byte is accepted`() {
        var accepted: [UInt8: Int] = [:]
        for first in UInt8.min ... .max {
            for second in UInt8.min ... .max {
                for byte in Base64URL.decode([first, second]) ?? [] { accepted[byte, default: 0] += 1 }
            }
        }

        #expect(accepted.count == 256)
        #expect(accepted.values.allSatisfy { $0 == 1 })
    }

    @Test(arguments: 0..<70)
    func `what was encoded is decoded again`(count: Int) {
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }

        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        var text = Array("text.".utf8)
        Base64URL.append(bytes, to: &text)
        #expect(String(decoding: text, as: UTF8.self) == "text." + Base64URL.encode(bytes))
    }
}
