import Broker
import BrokerStore
import Testing

@Suite("redirect URIs")
struct RedirectURITests {
    @Test(arguments: [
        ("https://app.example/callback", Client.Kind.public),
        ("https://app.example", .confidential),
        ("https://app.example:8443/a/b?tenant=x%20y", .confidential),
        ("https://xn--bcher-kva.example/cb", .public),
        ("https://192.0.2.7/cb", .confidential),
        ("https://[2001:db8::1]:8443/cb", .confidential),
        ("https://1.example/cb", .confidential),
        ("http://localhost:3000/cb", .public),
        ("http://127.0.0.1:3000/cb", .confidential),
        ("http://[::1]:3000/cb", .public),
        ("http://127.0.0.1/cb", .native),
        ("http://[::1]/cb", .native),
        ("https://app.example/universal-link", .native),
        ("com.example.app:/callback", .native),
        ("com.example.app://callback", .native),
        ("com.example.app://oauth/cb?x=1", .native),
        ("myapp://", .native), ("myapp://callback", .native), ("myapp:/callback", .native),
    ])
    func `what one reads like everybody else is registered as it is`(text: String, kind: Client.Kind) throws {
        #expect(try RedirectURI(registering: text, for: kind).text == text)
    }

    /// Each is read in two ways by programs, or leads where no code may go.
    @Test(arguments: [
        ("", "empty"), ("/callback", "absolute"), ("app.example/cb", "absolute"), ("//app.example/cb", "absolute"),
        ("https:app.example/cb", "two slashes"), ("https:/app.example/cb", "two slashes"), ("https:///cb", "no host"),
        ("HTTPS://app.example/cb", "lower case"), ("https://App.example/cb", "lower case"),
        ("https://app.example/cb#part", "fragment"), ("https://app.example/cb#", "fragment"),
        ("https://*.app.example/cb", "wildcards"), ("https://app.example/*", "wildcards"),
        ("https://user@app.example/cb", "user information"), ("https://good.example@evil.example/", "user information"),
        (#"https://good.example\@evil.example/"#, "backslash"), (#"https://good.example\.evil.example/"#, "backslash"),
        ("https://good.example%2f@evil.example/", "user information"), ("https://good%2eexample/", "characters other"),
        ("https://good。example/cb", "printable ASCII"), ("https://①②⑦.⓪.⓪.①/cb", "printable ASCII"),
        ("https://app.example/\u{E9}", "printable ASCII"), ("https://app.example/cb\n", "printable ASCII"),
        ("https://app.example/\tcb", "printable ASCII"), (" https://app.example/cb", "printable ASCII"),
        ("https://app.example/c b", "printable ASCII"), ("https://app.example/\u{0}", "printable ASCII"),
        ("https://app_x.example/cb", "characters other"), ("https://-app.example/cb", "hyphen"),
        ("https://app..example/cb", "empty part"), ("https://app.example./cb", "empty part"),
        ("https://127.1/cb", "IPv4"), ("https://0x7f.0.0.1/cb", "IPv4"), ("https://0x7f000001/cb", "IPv4"),
        ("https://2130706433/cb", "IPv4"), ("https://127.0.0.01/cb", "IPv4"), ("https://1.2.3.256/cb", "IPv4"),
        ("https://example.0x1/cb", "IPv4"), ("https://[::1/cb", "port"), ("https://[fe80::1%25eth0]/cb", "IPv6"),
        ("https://[::FFFF]/cb", "lower case"),
        ("https://app.example:/cb", "port"), ("https://app.example:0/cb", "port"), ("https://app.example:080/", "port"),
        ("https://app.example:65536/cb", "port"), ("https://app.example:8a/cb", "port"),
        ("https://app.example/a/../cb", "dot segment"), ("https://app.example/./cb", "dot segment"),
        ("https://app.example/a/%2e%2E/cb", "dot segment"), ("https://app.example/.%2e", "dot segment"),
        ("https://app.example/a%2fb", "encoded slash"), ("https://app.example/a%5Cb", "encoded backslash"),
        ("https://app.example/a%252fb", "encoded percent"), ("https://app.example/%zz", "no escape"),
        ("https://app.example/%4", "no escape"), ("https://app.example/%+1", "no escape"),
        ("https://app.example/cb%0d%0aX:y", "control character"), ("https://app.example/%00", "control character"),
        ("https://app.example/cb?code=1", "broker's to add"), ("https://app.example/cb?a=1&state=", "broker's to add"),
        ("https://app.example/cb?%63ode=1", "broker's to add"), ("https://app.example/cb?x=%ff", "UTF-8"),
        ("https://app.example/<script>", "percent-encoded"), ("https://app.example/`", "percent-encoded"),
        ("http://app.example/cb", "use https"), ("http://127.0.0.1.evil.example/cb", "use https"),
        ("http://127.0.0.2/cb", "use https"), ("http://localhost.evil.example/cb", "use https"),
        ("http://[::2]/cb", "use https"), ("http://10.0.0.1/cb", "use https"),
        ("javascript:alert(1)", "no place"), ("JavaScript://app.example/%0aalert(1)", "no place"),
        ("data:text/html,x", "no place"), ("vbscript:x", "no place"), ("file:///etc/passwd", "no place"),
        ("blob:https://app.example/x", "no place"), ("about:blank", "no place"), ("ws://app.example/", "no place"),
        ("wss://app.example/", "no place"), ("view-source:https://app.example", "no place"),
        ("intent://scan/#Intent;end", "fragment"), ("com.example.app:/callback", "native"),
    ])
    func `what two programs may read as two addresses is refused, with the reason`(text: String, reason: String) throws
    {
        let refusal = #expect(throws: RedirectURIRefusal.self) {
            try RedirectURI(registering: text, for: .confidential)
        }

        #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "")")
    }

    @Test(arguments: [
        ("com_example.app:/cb", "underscore (_)"), ("my_app:/cb", "com.example.app"), ("myapp:cb", "slash"),
        ("com..app:/cb", "reverse"), ("myapp://user@x/", "plain name"), ("ms-settings:/x", "no place"),
        ("itms-services://x", "no place"), ("search-ms:/x", "no place"), (".app:/cb", "absolute"),
        ("com.example.app:cb", "slash"), ("com.example.app://a@b/cb", "plain name"),
        ("com.example.app://host:80/cb", "plain name"), ("Com.example.app:/cb", "lower case"),
        ("http://localhost/cb", "127.0.0.1"), ("http://localhost:3000/cb", "port is free"),
    ])
    func `the error names the required scheme or loopback address`(text: String, reason: String) throws {
        let refusal = #expect(throws: RedirectURIRefusal.self) { try RedirectURI(registering: text, for: .native) }

        #expect(refusal?.reason.contains(reason) == true, "\(refusal?.reason ?? "")")
    }

    @Test(arguments: [
        ("myapp://", true), ("myapp://callback?x=1", true), ("com.example.app:/callback", false),
        ("http://127.0.0.1/cb", false), ("https://app.example/cb", false),
    ])
    func `a scheme that any app may claim is registered with a warning`(text: String, isDoubtful: Bool) throws {
        let registration = try ClientRegistration(kind: .native, name: "App", redirectURIs: [text])

        let warnings = registration.warnings(providerHosts: [])

        #expect(warnings.contains { $0.contains("RFC 8252") && $0.contains(text) } == isDoubtful, "\(warnings)")
    }

    private static func client(_ kind: Client.Kind, _ uris: [String]) -> Client {
        Client(key: 1, id: "app", kind: kind, name: "App", redirectURIs: uris, createdAt: Timestamp(milliseconds: 0))
    }

    @Test(arguments: [
        "https://app.example/cb/", "https://app.example/CB", "https://app.example/cb?", "https://app.example/cb?x=1",
        "https://app.example:443/cb", "https://app.example/%63b", "https://app.example/cb#", "https://app.example",
        "https://APP.example/cb", "https://app.example//cb", "https://app.example/cb/../cb",
        "https://app.example/c\u{3000}b", "http://app.example/cb", "https://app.example/cb\u{0}",
    ])
    func `only the bytes that are registered match`(text: String) {
        let client = Self.client(.public, ["https://app.example/cb", "https://app.example/other"])

        #expect(client.redirectURI(matching: "https://app.example/cb")?.text == "https://app.example/cb")
        #expect(client.redirectURI(matching: text) == nil)
    }

    @Test func `canonically equal text is other text`() {
        let client = Self.client(.public, ["https://app.example/K"])

        #expect("https://app.example/\u{212A}" == "https://app.example/K", "Swift's own comparison says so")
        #expect(client.redirectURI(matching: "https://app.example/\u{212A}") == nil)
    }

    @Test(arguments: [
        ("http://127.0.0.1:51004/cb", true), ("http://127.0.0.1/cb", true), ("http://127.0.0.1:1/cb", true),
        ("http://[::1]:51004/other?x=1", true), ("http://127.0.0.1:51004/", false),
        ("http://127.0.0.1:51004/cb/", false),
        ("http://127.0.0.1:51004/other?x=1", false), ("http://[::1]:51004/cb", false), ("http://127.0.0.1:0/cb", false),
        ("http://127.0.0.1:/cb", false), ("http://127.0.0.1:65536/cb", false), ("http://127.0.0.1:80:80/cb", false),
        ("http://127.0.0.1@evil.example/cb", false), ("http://127.0.0.1:1@evil.example/cb", false),
        ("http://127.0.0.1.evil.example/cb", false), ("http://127.0.0.10/cb", false), ("http://127.0.0.1:01/cb", false),
        ("http://localhost:51004/cb", false), ("https://127.0.0.1:51004/cb", false),
        ("HTTP://127.0.0.1:51004/cb", false),
        ("http://127.0.0.1:51004\\@evil.example/cb", false), ("http://127.0.0.1:51004#/cb", false),
        ("com.example.app:/cb", true), ("com.example.app://cb", false), ("com.example.app2:/cb", false),
    ])
    func `a native app's loopback address matches with any port, and with nothing else changed`(
        text: String, matches: Bool
    ) {
        let client = Self.client(
            .native, ["http://127.0.0.1/cb", "http://[::1]:9/other?x=1", "com.example.app:/cb"])

        #expect((client.redirectURI(matching: text)?.text == text) == matches)
    }

    @Test func `other kinds of clients have the port they registered`() {
        let client = Self.client(.public, ["http://127.0.0.1:3000/cb"])

        #expect(client.redirectURI(matching: "http://127.0.0.1:3001/cb") == nil)
        #expect(client.redirectURI(matching: "http://127.0.0.1:3000/cb") != nil)
    }

    @Test func `an answer is added to the query that is there`() {
        let client = Self.client(.public, ["https://app.example/cb", "https://app.example/cb?x=1"])
        let answer = [(name: "code", value: "a b"), (name: "state", value: "&=")]

        #expect(
            client.redirectURI(matching: "https://app.example/cb")?.adding(answer)
                == "https://app.example/cb?code=a%20b&state=%26%3D")
        #expect(
            client.redirectURI(matching: "https://app.example/cb?x=1")?.adding(answer)
                == "https://app.example/cb?x=1&code=a%20b&state=%26%3D")
    }

    @Test(arguments: [
        ("https://app.example:443/cb", "https://app.example", "https:"),
        ("http://127.0.0.1:3000/cb?x", "http://127.0.0.1:3000", "http:"),
        ("com.example.app:/cb", nil, "com.example.app:"),
    ])
    func `an address tells its origin, and what a page's policy has to allow`(
        text: String, origin: String?, source: String
    ) throws {
        let uri = try RedirectURI(registering: text, for: .native)

        #expect(uri.origin == origin)
        #expect(uri.contentSecuritySource == source)
    }

    @Test func `an address at an identity provider's host is pointed out`() throws {
        let registration = try ClientRegistration(
            kind: .confidential, name: "App",
            redirectURIs: [
                "https://github.com/app", "https://app.example/github.com", "https://github.com.evil.example",
            ])

        let warnings = registration.warnings(providerHosts: ["github.com"])

        #expect(warnings.count == 1 && warnings.first?.contains("https://github.com/app") == true, "\(warnings)")
    }

    @Test(arguments: ["", " ", "two\nlines", "\u{202E}ppA", String(repeating: "x", count: 101)])
    func `a name is one visible line`(name: String) {
        #expect(throws: AdminFailure.self) {
            try ClientRegistration(kind: .native, name: name, redirectURIs: [])
        }
    }
}
