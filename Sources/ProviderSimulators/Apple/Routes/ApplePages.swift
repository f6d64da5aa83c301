import Crypto
import Foundation
import HTTPTypes

/// Apple's own pages.
enum ApplePages {
    /// Shows the error of a request; it does not go to the site.
    static func problem(_ failure: OAuthFailure) -> SimulatorResponse {
        SimulatorPage(
            title: "Sign-in not possible",
            content: """
                <h1>Your request could not be completed</h1>
                <p class="problem" role="alert"><code>\(failure.code)</code> \(failure.description ?? "")</p>
                """
        ).response(status: 400)
    }

    static let notFound = SimulatorPage(
        title: "Page not found", content: "<h1>404</h1><p>There is nothing here.</p>"
    ).response(status: 404)

    /// Posts the answer to the site as soon as a browser has it (OAuth 2.0 Form Post Response Mode §2).
    static func formPost(to redirectURI: String, _ fields: FormFields) -> SimulatorResponse {
        let inputs: [HTML] = fields.pairs.map { field in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Signing in</title></head>
            <body><form method="post" action="\(redirectURI)">
            \(inputs)<noscript><button>Continue</button></noscript>
            </form><script>\(script)</script></body></html>

            """
        var response = SimulatorResponse(
            status: 200, contentType: "text/html; charset=utf-8", body: Array(page.markup.utf8)
        ).uncached
        let digest = Data(SHA256.hash(data: Data(script.markup.utf8))).base64EncodedString()
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'sha256-\(digest)'; base-uri 'none'; frame-ancestors 'none'"
        return response
    }

    private static let script: HTML = "document.forms[0].submit()"

    /// The choice between the own and the relay address.
    static let emailChoice: HTML = """
        <fieldset><legend>E-mail, the first time</legend>
        <label class="row"><input type="radio" name="email" value="" checked>As the person usually does</label>
        <label class="row"><input type="radio" name="email" value="share">Share my e-mail</label>
        <label class="row"><input type="radio" name="email" value="hide">Hide my e-mail</label>
        </fieldset>
        """
}
