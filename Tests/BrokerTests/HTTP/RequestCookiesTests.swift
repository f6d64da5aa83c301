import HTTPTypes
import NIOCore
import Testing

@testable import Broker

@Suite("Cookies")
struct RequestCookiesTests {
    private static let secure = CookieName("broker-session", publicURL: "https://id.example")
    private static let plain = CookieName("broker-session", publicURL: "http://127.0.0.1:9099")

    @Test(arguments: [
        "broker-session=a.b_c-d", "other=1; broker-session=a.b_c-d", "broker-session=a.b_c-d;other",
        " x ; \tbroker-session = a.b_c-d ;; =", "weird=\"a b,c\\\"; broker-session=a.b_c-d; weird=again",
    ])
    func `a cookie is found among those of other applications`(header: String) throws {
        #expect(try RequestCookies(header: header).value(of: Self.plain) == "a.b_c-d")
    }

    @Test(arguments: [
        "", "broker-sessio=a", "Broker-Session=a", "__Host-broker-session", "x=broker-session=a",
        "x=1\u{37E}broker-session=a", "x=1,broker-session=a", "x=1&broker-session=a",
    ])
    func `nothing else passes for it`(header: String) throws {
        #expect(try RequestCookies(header: header).value(of: Self.plain) == nil)
    }

    @Test(arguments: [
        "broker-session=a; broker-session=b", "broker-session=a; broker-session=a", "broker-session=; broker-session=a",
        "broker-session =a;broker-session=b",
    ])
    func `a second cookie of the name is never chosen`(header: String) throws {
        #expect(throws: CookieError.planted("broker-session")) {
            try RequestCookies(header: header).value(of: Self.plain)
        }
    }

    @Test(arguments: ["a b", "a\"b", "a,b", "a\\b", "\u{E9}"])
    func `a value this broker never writes is refused`(value: String) {
        #expect(throws: CookieError.planted("broker-session")) {
            try RequestCookies(header: "broker-session=\(value)").value(of: Self.plain)
        }
    }

    @Test func `several headers are refused`() {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/")
        head.headerFields[values: .cookie] = ["a=1", "broker-session=x"]
        let request = Request(head: head, body: .whole(ByteBuffer()))

        #expect(throws: CookieError.severalHeaders) { try RequestCookies(request) }
    }

    @Test func `on https only the name with the prefix counts`() throws {
        let cookies = RequestCookies(header: "broker-session=planted; __host-broker-session=planted")

        #expect(Self.secure.text == "__Host-broker-session")
        #expect(try cookies.value(of: Self.secure) == nil)
    }

    @Test func `a cookie for https keeps the rules of its prefix`() {
        let cookie = SetCookie(Self.secure, to: "abc", maxAge: 60)

        #expect(
            cookie.header == "__Host-broker-session=abc; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60")
    }

    @Test func `a cookie for this machine goes without TLS`() {
        #expect(
            SetCookie(Self.plain, to: "abc", maxAge: nil).header == "broker-session=abc; Path=/; HttpOnly; SameSite=Lax"
        )
    }

    @Test func `a removed cookie is empty and over`() {
        #expect(
            SetCookie.removing(Self.plain).header == "broker-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
    }

    @Test func `bytes that only look like a semicolon never reach a route`() async throws {
        try await TestBroker.run { broker in
            // U+037E, which Unicode calls canonically equivalent to the semicolon.
            let status = try await RawHTTP.status(
                broker.url, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: x=1\u{37E}broker-session=a\r\n\r\n")

            #expect(status == 400)
        }
    }
}
