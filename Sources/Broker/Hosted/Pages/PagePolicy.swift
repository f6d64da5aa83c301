import HTTPTypes
import OAuth

/// The permissions of one page in a browser: the headers of its answer.
struct PagePolicy: Sendable {
    /// Names the one style sheet the page carries, and its script; drawn for each answer.
    let nonce = RandomText.alphanumeric(22)
    private let formAction: String
    private let isSecure: Bool
    private let runsScript: Bool

    /// The policy of a page whose forms may lead to `formTargets`: origins (`https://app.example`) or schemes
    /// (`com.example.app:`). Browsers apply `form-action` to redirects after a POST too. Anything else is left out.
    init(formTargets: [String], isSecure: Bool, runsScript: Bool = false) {
        formAction = (["'self'"] + formTargets.filter(Self.isSource)).joined(separator: " ")
        self.isSecure = isSecure
        self.runsScript = runsScript
    }

    /// The fields every page is sent with.
    func headers(_ language: PageLanguage) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .contentLanguage: language.tag,
            .vary: "Accept-Language",
            .cacheControl: "no-store",
            .contentSecurityPolicy: contentSecurityPolicy,
            Self.frameOptions: "DENY",
            // With `no-referrer` browsers would post our own forms with `Origin: null`.
            Self.referrerPolicy: "same-origin",
            Self.openerPolicy: "same-origin",
        ]
        if isSecure { headers[.strictTransportSecurity] = "max-age=31536000" }
        return headers
    }

    private var contentSecurityPolicy: String {
        "default-src 'none'; style-src 'nonce-\(nonce)'; \(runsScript ? "script-src 'nonce-\(nonce)'; " : "")"
            + "img-src 'self'; form-action \(formAction); frame-ancestors 'none'; base-uri 'none'"
    }

    /// Whether a text is an origin or a scheme in the policy's grammar (CSP 3 §2.3.1). Bytes decide: nothing that ends
    /// a source, a directive or the field gets in.
    private static func isSource(_ text: String) -> Bool {
        let origin = /https?:\/\/[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?(?::[0-9]{1,5})?/
        if text.wholeMatch(of: origin) != nil { return true }
        guard text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:/) != nil else { return false }
        return !["blob:", "data:", "filesystem:", "javascript:", "vbscript:"].contains(text.lowercased())
    }

    private static let frameOptions = HTTPField.Name.known("X-Frame-Options")
    private static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
    private static let openerPolicy = HTTPField.Name.known("Cross-Origin-Opener-Policy")
}
