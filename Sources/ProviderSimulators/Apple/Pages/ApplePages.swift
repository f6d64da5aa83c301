import Crypto
import Foundation
import HTTPTypes

/// What a person sees in the browser.
enum ApplePages {
    /// Asks whether a web site may sign a person in.
    static func consent(
        id: String, application: AppleSimulator.Application, _ authorization: AppleAuthorization, _ apple: AppleState
    ) -> SimulatorResponse {
        let form = ConsentForm(
            action: AppleAuthorizeRoutes.path, reference: ("consent", id),
            people: apple.people.map(ConsentForm.Choice.init),
            extra: authorization.scopes.contains("email") ? emailChoice : "")
        return ConsentPage(provider: "Apple", application: application.name, form: form).response
    }

    /// Tells what is wrong with a request; the site learns nothing.
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

    private static let emailChoice: HTML = """
        <fieldset><legend>E-mail, the first time</legend>
        <label class="row"><input type="radio" name="email" value="" checked>As the person usually does</label>
        <label class="row"><input type="radio" name="email" value="share">Share my e-mail</label>
        <label class="row"><input type="radio" name="email" value="hide">Hide my e-mail</label>
        </fieldset>
        """
}

extension ConsentForm.Choice {
    init(_ person: AppleSimulator.Person) {
        let note = person.email.map { $0 + (person.hidesEmail ? " (hidden)" : "") } ?? "managed account without address"
        self.init(id: person.id, name: person.name, note: note, picturePath: "/avatars/\(person.id)")
    }
}
