import Testing

@testable import Broker

@Suite("the hops of X-Forwarded-For")
struct ForwardedNodeTests {
    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), (" 203.0.113.7\t", "203.0.113.7"), ("203.0.113.7:4711", "203.0.113.7"),
        ("203.0.113.7:_port", "203.0.113.7"), ("\"203.0.113.7\"", "203.0.113.7"),
        ("\"203.0.113.7:4711\"", "203.0.113.7"), ("[203.0.113.7]:80", "203.0.113.7"), ("203.0.113.7:", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"), ("[::ffff:cb00:7107]:80", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"),
        ("\"[2001:DB8:0::1]:443\"", "2001:db8::1"), ("2001:db8:0:0:0:0:0:1:443", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"), ("\"[fe80::1%25eth0]:80\"", "fe80::1"), ("2001:db8::1:443", "2001:db8::1:443"),
    ])
    func `an address is read in every spelling`(hop: String, address: String) throws {
        guard case .address(_, let bytes) = ForwardedNode(hop[...]) else {
            Issue.record("\(hop) is no address")
            return
        }

        #expect(bytes == IPAddressBytes(address))
    }

    @Test(arguments: ["unknown", "Unknown", "\"unknown\"", "unknown:80", " unknown "])
    func `unknown is no name`(hop: String) {
        #expect(ForwardedNode(hop[...]) == .unknown)
    }

    @Test(arguments: [
        ("_hidden", "_hidden"), ("\"_SEVKISEK\"", "_SEVKISEK"), ("_hidden:80", "_hidden"), ("_hidden:_p.1", "_hidden"),
        ("client.example:8080", "client.example"), ("client.example", "client.example"), ("_a:b", "_a:b"),
        ("203.0.113.7:123456", "203.0.113.7:123456"), ("203.0.113.256", "203.0.113.256"), ("010.0.0.1", "010.0.0.1"),
        ("[2001:db8::1", "[2001:db8::1"), ("\"", "\""), (":80", ":80"), ("for=203.0.113.7", "for=203.0.113.7"),
        ("unknown_", "unknown_"),
    ])
    func `any other text is a name, without its port`(hop: String, name: String) {
        #expect(ForwardedNode(hop[...]) == .name(name))
    }

    @Test(arguments: ["", " ", "\t", "\"\"", "\" \""])
    func `an empty element is no hop`(hop: String) {
        #expect(ForwardedNode(hop[...]) == nil)
    }
}
