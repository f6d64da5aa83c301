import Broker
import Testing

@Suite("e-mail addresses")
struct EmailAddressTests {
    @Test(arguments: [
        ("Ann@Example.COM", "ann@example.com"), ("a+b.c@example.com", "a+b.c@example.com"),
        ("ann@XN--bcher-kva.example", "ann@xn--bcher-kva.example"), ("a@b", "a@b"),
    ])
    func `have one canonical form`(text: String, canonical: String) {
        #expect(EmailAddress(text)?.canonical == canonical)
    }

    @Test(arguments: [
        "", "a", "@", "a@", "@b", "a@b@c", "a b@c.d", "a@b c", "\"a\"@b.c", "a(x)@b.c", "a@b.c\n", "a\u{0}@b.c",
        "a@-b.c",
        "a@b..c", "a@.b", "a@b.", "a@[127.0.0.1]", "a,b@c.d", "a\u{200B}@b.c", "a@b\u{2028}.c", "a;b@c.d",
        "victim@example.com/\u{FC}", "victim@example.com?\u{FC}", "victim@example.com:1\u{FC}",
    ])
    func `that break a rule are no addresses`(text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `with a local part beyond ASCII match nothing`() {
        #expect(EmailAddress("anné@example.com")?.canonical == nil)
        #expect(EmailAddress("\u{212A}@example.com")?.canonical == nil)
    }

    @Test(arguments: [
        "kate@x\u{FB01}le.com", "kate@xfile\u{3002}com", "kate@\u{24E7}file.com", "kate@xfile.\u{FF43}om",
        "kate@xfi\u{AD}le.com", "kate@xfile.\u{212A}r", "kate@x\u{444}ile.com", "ann@bücher.example",
        "kate@xfile.com\u{FF0F}", "kate@xfile\u{FF0E}com",
    ])
    func `with a domain beyond ASCII match nothing, whatever they look like`(text: String) {
        #expect(EmailAddress(text)?.canonical == nil)
    }

    @Test func `longer than 254 bytes are refused`() {
        #expect(EmailAddress(String(repeating: "a", count: 251) + "@b.c") == nil)
    }
}
