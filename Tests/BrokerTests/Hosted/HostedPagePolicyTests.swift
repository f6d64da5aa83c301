import Foundation
import Hummingbird
import Testing

@testable import Broker

@Suite("hosted pages in a browser")
struct HostedPagePolicyTests {
    private static func response(_ publicURL: String, formTargets: [String]) throws -> Response {
        try PageRenderer(publicURL: publicURL).response(
            SignedOutPage(), language: .korean, status: .badRequest, formTargets: formTargets)
    }

    @Test func `may do nothing but what the policy says`() async throws {
        let targets = [
            "https://app.example", "http://127.0.0.1:8400", "com.example.app:", "https://app.example; script-src *",
            "https://a.example https://b.example", "'unsafe-inline'", "*", "https://*.example", "javascript:", "DATA:",
            "https://app.example/path", "https://app.example\r\nX: y", "https://\u{E9}.example", "", "https:// x", "\"",
            "https://a.example,b", "http://[::1]:8400",
        ]

        let response = try Self.response("https://id.example", formTargets: targets)

        let policy = try #require(response.headers[.contentSecurityPolicy])
        let nonce = try #require(policy.firstMatch(of: /'nonce-([A-Za-z0-9]{22})'/)?.1)
        #expect(
            policy == """
                default-src 'none'; style-src 'nonce-\(nonce)'; img-src 'self'; form-action 'self' https://app.example \
                http://127.0.0.1:8400 com.example.app:; frame-ancestors 'none'; base-uri 'none'
                """)
        #expect(try await response.text().contains("<style nonce=\"\(nonce)\">"))
        let again = try Self.response("https://id.example", formTargets: [])
        #expect(again.headers[.contentSecurityPolicy]?.contains(nonce) == false)
    }

    @Test func `run the script that puts moments into local time, on pages that show some`() throws {
        let account = try #require(HostedPageSamples().all.first { $0.name == "account" }).page

        let response = try PageRenderer(publicURL: "https://id.example").response(account, language: .english)

        let policy = try #require(response.headers[.contentSecurityPolicy])
        let nonces = policy.matches(of: /(style|script)-src 'nonce-([A-Za-z0-9]{22})'/).map { $0.2 }
        #expect(nonces.count == 2 && Set(nonces).count == 1, "\(policy)")
    }

    @Test func `forbid framing, storing and content sniffing, and limit the referrer to the same origin`() throws {
        let response = try Self.response("https://id.example", formTargets: [])
        let fields = Dictionary(uniqueKeysWithValues: response.headers.map { ($0.name.canonicalName, $0.value) })

        #expect(response.status == .badRequest)
        #expect(fields["content-type"] == "text/html; charset=utf-8")
        #expect(fields["content-language"] == "ko" && fields["vary"] == "Accept-Language")
        #expect(fields["cache-control"] == "no-store" && fields["x-content-type-options"] == "nosniff")
        #expect(fields["x-frame-options"] == "DENY" && fields["referrer-policy"] == "same-origin")
        #expect(fields["cross-origin-opener-policy"] == "same-origin")
        #expect(fields["strict-transport-security"] == "max-age=31536000")
    }

    @Test func `insist on TLS only where there is TLS`() throws {
        let response = try Self.response("http://127.0.0.1:9099", formTargets: [])

        #expect(response.headers[.strictTransportSecurity] == nil)
    }

    @Test(arguments: [Palette.light, Palette.dark])
    func `have contrast enough to be read`(palette: Palette) throws {
        let texts = [
            (palette.text, palette.background), (palette.text, palette.card), (palette.soft, palette.background),
            (palette.soft, palette.card), (palette.accent, palette.card), (palette.accent, palette.background),
            (palette.onAccent, palette.accent), (palette.onDanger, palette.danger), (palette.danger, palette.card),
            (palette.onGood, palette.good), (palette.onWarning, palette.warning), (palette.onRemark, palette.remark),
            (palette.onApple, palette.apple), (palette.onGitHub, palette.gitHub), (palette.onNeutral, palette.neutral),
            (palette.onLetter, palette.letter),
        ]
        // WCAG 2.2, 1.4.11: edges of controls and the focus ring.
        let edges = [
            (palette.edge, palette.card), (palette.accent, palette.card), (palette.accent, palette.background),
            (palette.apple, palette.card), (palette.gitHub, palette.card), (palette.danger, palette.card),
        ]

        for (foreground, background) in texts {
            #expect(try Self.contrast(foreground, background) >= 4.5, "\(foreground) on \(background)")
        }
        for (foreground, background) in edges {
            #expect(try Self.contrast(foreground, background) >= 3, "\(foreground) beside \(background)")
        }
    }

    /// WCAG 2.2's contrast ratio of two colours `#rrggbb`.
    private static func contrast(_ one: String, _ other: String) throws -> Double {
        let (a, b) = (try luminance(one), try luminance(other))
        return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }

    private static func luminance(_ colour: String) throws -> Double {
        let value = try #require(colour.utf8.count == 7 ? Int(colour.dropFirst(), radix: 16) : nil)
        let parts = [value >> 16, value >> 8, value].map { part in
            let share = Double(part & 0xFF) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
