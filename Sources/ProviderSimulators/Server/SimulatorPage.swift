import Crypto
import Foundation
import HTTPTypes

/// A page of a simulator: one file, no script, no asset from elsewhere, and a banner that says what it is.
struct SimulatorPage {
    let title: String
    let content: HTML

    private var document: HTML {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title) · Simulator</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <p class="banner" role="note"><strong>This is a simulator.</strong> Everybody here is fictitious, \
        and no real account is involved.</p>
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    func response(status: Int = 200) -> SimulatorResponse {
        var response = SimulatorResponse(
            status: status, contentType: "text/html; charset=utf-8", body: Array(document.markup.utf8))
        response.headers[.contentSecurityPolicy] = Self.policy
        response.headers[.cacheControl] = "no-store"
        response.headers[text: "Referrer-Policy"] = "no-referrer"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }

    /// The page of an expired request.
    static let expired = SimulatorPage(
        title: "Request expired",
        content: """
            <h1>This request has expired</h1>
            <p>Go back to the application and start again.</p>
            """
    ).response(status: 422)

    /// No `form-action`: browsers would apply it to the redirect that follows the form, which leads to the application.
    private static let policy: String = {
        let digest = Data(SHA256.hash(data: Data(style.markup.utf8))).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(digest)'; img-src 'self'; base-uri 'none'; "
            + "frame-ancestors 'none'"
    }()

    private static let style: HTML = """
        :root{--ink:#1c2330;--soft:#5a6475;--line:#cfd6e0;--paper:#fff;--ground:#f3f5f8;--go:#14703c;--warn:#fff4d1;\
        --warnink:#4d3800}
        @media (prefers-color-scheme:dark){:root{--ink:#e8ecf3;--soft:#a4aebd;--line:#3a4454;--paper:#1a202b;\
        --ground:#11151d;--go:#1a7d44;--warn:#3c3210;--warnink:#ffe9a8}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        .banner{margin:0;padding:.6rem 1rem;background:var(--warn);color:var(--warnink);text-align:center}
        main{max-width:34rem;margin:1.5rem auto;padding:1.25rem;background:var(--paper);border:1px solid var(--line);\
        border-radius:.75rem}
        h1{font-size:1.35rem;line-height:1.25;margin:0 0 .75rem}
        h2,legend{font-size:1rem;font-weight:600;margin:1rem 0 .4rem;padding:0}
        fieldset{border:0;margin:0;padding:0}
        label.row{display:flex;gap:.75rem;align-items:center;padding:.6rem .75rem;margin:.4rem 0;min-height:3rem;\
        border:1px solid var(--line);border-radius:.5rem;cursor:pointer}
        label.row:has(:checked){border-color:var(--go)}
        input{width:1.15rem;height:1.15rem;accent-color:var(--go)}
        input[type=text]{width:100%;height:3rem;padding:.5rem .75rem;font:1.25rem ui-monospace,monospace;\
        text-transform:uppercase;background:var(--paper);color:var(--ink);border:1px solid var(--soft);\
        border-radius:.5rem}
        :focus-visible{outline:3px solid #3b82f6;outline-offset:2px}
        img{width:2.25rem;height:2.25rem;border-radius:50%}
        small,.soft{color:var(--soft)}
        .buttons{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
        button{flex:1 1 9rem;min-height:3rem;font:inherit;font-weight:600;border-radius:.5rem;cursor:pointer;\
        border:1px solid var(--line);background:transparent;color:inherit}
        button.go{background:var(--go);border-color:var(--go);color:#fff}
        code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
        dl{margin:0}dt{color:var(--soft)}dd{margin:0 0 .5rem}
        .problem{padding:.6rem .75rem;border:1px solid #c2410c;border-radius:.5rem}
        """
}
