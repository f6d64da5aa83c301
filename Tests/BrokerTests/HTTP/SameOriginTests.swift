import HTTPTypes
import NIOCore
import Testing

@testable import Broker

@Suite("Forms of the broker's own pages")
struct SameOriginTests {
    private static let guardian = SameOrigin(publicURL: "https://id.example")

    @Test(arguments: [nil, "same-origin"])
    func `a form of an own page passes`(site: String?) throws {
        try Self.guardian.check(Self.request(origins: ["https://id.example"], site: site))
    }

    @Test(arguments: [
        [], ["null"], [""], ["https://evil.example"], ["http://id.example"], ["https://id.example:8443"],
        ["https://id.example/"], ["https://id.example.evil.example"], ["https://ID.example"],
        ["https://id.example", "https://id.example"], ["https://id.example https://evil.example"],
    ])
    func `a form of another origin does not pass`(origins: [String]) {
        #expect(throws: ForeignRequest()) { try Self.guardian.check(Self.request(origins: origins, site: nil)) }
    }

    @Test(arguments: ["cross-site", "same-site", "none", "Same-Origin", ""])
    func `the browser's own word on the site counts too`(site: String) {
        #expect(throws: ForeignRequest()) {
            try Self.guardian.check(Self.request(origins: ["https://id.example"], site: site))
        }
    }

    @Test(arguments: [
        ("https://ID.example:443", "https://id.example"), ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:9099", "http://[::1]:9099"), ("http://localhost:9099", "http://localhost:9099"),
    ])
    func `the public URL counts as browsers write it`(publicURL: String, origin: String) throws {
        try SameOrigin(publicURL: publicURL).check(Self.request(origins: [origin], site: nil))
    }

    private static func request(origins: [String], site: String?) -> Request {
        var head = HTTPRequest(method: .post, scheme: "https", authority: "id.example", path: "/account")
        head.headerFields[values: .origin] = origins
        if let site, let name = HTTPField.Name("Sec-Fetch-Site") { head.headerFields[name] = site }
        return Request(head: head, body: .whole(ByteBuffer()))
    }
}
