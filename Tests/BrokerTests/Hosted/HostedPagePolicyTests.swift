import HTTPTypes
import Testing

@testable import Broker

@Suite("hosted pages in a browser")
struct HostedPagePolicyTests {
    private static func response(_ publicURL: String, formTargets: [String]) -> Response {
        PageRenderer(publicURL: publicURL, brand: PageBrand(name: "Example ID")).response(
            SignedOutPage(), language: .korean, status: .badRequest, formTargets: formTargets)
    }

    @Test func `may do nothing but what the policy says`() async throws {
        let targets = [
            "https://app.example", "http://127.0.0.1:8400", "com.example.app:", "https://app.example; script-src *",
            "https://a.example https://b.example", "'unsafe-inline'", "*", "https://*.example", "javascript:", "DATA:",
            "https://app.example/path", "https://app.example\r\nX: y", "https://\u{E9}.example", "", "https:// x", "\"",
            "https://a.example,b", "http://[::1]:8400",
        ]

        let response = Self.response("https://id.example", formTargets: targets)

        let policy = try #require(response.headers[.contentSecurityPolicy])
        let nonce = try #require(policy.firstMatch(of: /'nonce-([A-Za-z0-9]{22})'/)?.1)
        #expect(
            policy == """
                default-src 'none'; style-src 'nonce-\(nonce)'; img-src 'self'; form-action 'self' https://app.example \
                http://127.0.0.1:8400 com.example.app:; frame-ancestors 'none'; base-uri 'none'
                """)
        #expect(response.text.contains("<style nonce=\"\(nonce)\">"))
        let again = Self.response("https://id.example", formTargets: [])
        #expect(again.headers[.contentSecurityPolicy]?.contains(nonce) == false)
    }

    @Test func `run the script that puts moments into local time, on pages that show some`() throws {
        let account = try #require(HostedPageSamples().all.first { $0.name == "account" }).page

        let response = PageRenderer(publicURL: "https://id.example", brand: PageBrand(name: "Example ID"))
            .response(account, language: .english)

        let policy = try #require(response.headers[.contentSecurityPolicy])
        let nonces = policy.matches(of: /(style|script)-src 'nonce-([A-Za-z0-9]{22})'/).map { $0.2 }
        #expect(nonces.count == 2 && Set(nonces).count == 1, "\(policy)")
    }

    @Test func `forbid framing and storing, and limit the referrer to the same origin`() throws {
        let response = Self.response("https://id.example", formTargets: [])
        let fields = Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name.canonicalName, $0.value) })

        #expect(response.status == .badRequest)
        #expect(fields["content-type"] == "text/html; charset=utf-8")
        #expect(fields["content-language"] == "ko" && fields["vary"] == "Accept-Language")
        #expect(fields["cache-control"] == "no-store")
        #expect(fields["x-frame-options"] == "DENY" && fields["referrer-policy"] == "same-origin")
        #expect(fields["cross-origin-opener-policy"] == "same-origin")
        #expect(fields["strict-transport-security"] == "max-age=31536000")
    }

    @Test func `insist on TLS only where there is TLS`() throws {
        let response = Self.response("http://127.0.0.1:9099", formTargets: [])

        #expect(response.headers[.strictTransportSecurity] == nil)
    }
}
