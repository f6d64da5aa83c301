import HTTPTypes
import Hummingbird
import NIOCore
import OAuth
import ProviderKit

/// The pages that need a script. Each runs its own script and no other.
struct ScriptPages: Sendable {
    private let domains: AuthorizedDomains
    private let isSecure: Bool
    private let languages: PageLanguages

    /// The input of the handler's script.
    struct Handler: Sendable {
        /// `begin`, `resume` or `fail`.
        let step: String
        var request: JSONValue?
        var state: String?
        var authorizationURL: String?
        /// The authorization response that a provider posted.
        var form: String?
        var error: SDKError?
    }

    init(domains: AuthorizedDomains, isSecure: Bool, languages: PageLanguages) {
        self.domains = domains
        self.isSecure = isSecure
        self.languages = languages
    }

    /// The page before and after the provider's. Without `Cross-Origin-Opener-Policy`, which would cut
    /// a popup off from its opener.
    func handler(_ work: Handler, for request: Request) -> Response {
        var data = JSONObject([("step", .string(work.step))])
        data["request"] = work.request
        data["state"] = work.state.map(JSONValue.string)
        data["authorizationUrl"] = work.authorizationURL.map(JSONValue.string)
        data["form"] = work.form.map(JSONValue.string)
        if let error = work.error { data["error"] = ["code": .string(error.code), "message": .string(error.message)] }
        let language = languages.language(uiLocales: nil, acceptLanguage: request.headers[.acceptLanguage])
        let nonce = RandomText.alphanumeric(22)
        let document = """
            <!DOCTYPE html>
            <html lang="\(language.tag)" dir="\(language.grammar.direction.rawValue)"><head><meta charset="utf-8"><title>Broker</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <style nonce="\(nonce)">\(Self.style)</style></head>
            <body><main>\(language.texts.handler.html)</main>
            <script type="application/json" id="data">\(Self.embedded(.object(data)))</script>
            <script nonce="\(nonce)">\(HandlerScript.text)</script></body></html>

            """
        return response(
            document, policy: "script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; frame-ancestors 'none'",
            language: language)
    }

    /// The invisible frame in an app's page. Unless the app speaks to it by messages, it runs Google's script besides:
    /// SDKs talk to their frame through it and through nothing else.
    func frame(byMessage: Bool) -> Response {
        let nonce = RandomText.alphanumeric(22)
        let google = byMessage ? "" : "\n<script src=\"\(Self.google)/js/api.js\"></script>"
        let document = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Broker</title></head>
            <body><script nonce="\(nonce)">\(FrameScript.text)</script>\(google)</body></html>

            """
        let ancestors = (["'self'"] + domains.domains.flatMap(Self.sources)).joined(separator: " ")
        let scripts = "script-src 'nonce-\(nonce)'" + (byMessage ? "" : " \(Self.google); frame-src 'self'")
        return response(document, policy: "\(scripts); frame-ancestors \(ancestors)", language: .english)
    }

    /// An empty page that loads in the frame below pages of one origin, and nowhere else: by it the frame learns in which
    /// page it is, in every browser.
    ///
    /// - Returns: `nil` where `page` is none of an authorized domain, or the policy's grammar has no name for its origin.
    func witness(for page: AppURL) -> Response? {
        guard domains.contains(page.host), !Self.sources(page.host.lowercased()).isEmpty else { return nil }
        let document = """
            <!DOCTYPE html>
            <html lang="en" id="witness"><head><meta charset="utf-8"><title>Broker</title></head></html>

            """
        return response(document, policy: "frame-ancestors 'self' \(page.origin)", language: .english)
    }

    private func response(_ document: String, policy: String, language: PageLanguage) -> Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .contentLanguage: language.tag, .cacheControl: "no-store",
            .contentSecurityPolicy: "default-src 'none'; \(policy); base-uri 'none'; form-action 'none'",
            Self.referrerPolicy: "no-referrer",
        ]
        if isSecure { headers[.strictTransportSecurity] = "max-age=31536000" }
        return Response(status: .ok, headers: headers, body: ByteBuffer(string: document))
    }

    /// JSON as the text of a script element: nothing in it can end the element or begin a comment. Bytes decide, since
    /// a `<` may be part of a longer `Character`.
    private static func embedded(_ value: JSONValue) -> String {
        var bytes: [UInt8] = []
        for byte in value.serialized().utf8 {
            if byte == UInt8(ascii: "<") { bytes += "\\u003C".utf8 } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The sources that may frame the page, in the policy's grammar (CSP 3 §2.3.1), which has no IPv6 addresses.
    private static func sources(_ domain: String) -> [String] {
        guard domain.wholeMatch(of: /[a-z0-9](?:[a-z0-9.\-]*[a-z0-9])?/) != nil else { return [] }
        if ["localhost", "127.0.0.1"].contains(domain) { return ["http://\(domain):*", "https://\(domain):*"] }
        let isName = domain.utf8.contains { $0 >= UInt8(ascii: "a") }
        return ["https://\(domain):*"] + (isName ? ["https://*.\(domain):*"] : [])
    }

    private static let google = "https://apis.google.com"
    private static let referrerPolicy = HTTPField.Name.known("Referrer-Policy")
    private static let style =
        "html{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}body{margin:0}"
        + "main{max-width:32rem;margin:20vh auto 0;padding:0 1.5rem}p[hidden]{display:none}"
}
