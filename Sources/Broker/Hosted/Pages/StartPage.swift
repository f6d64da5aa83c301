/// The broker's own start, for a browser that opens its address.
struct StartPage: HostedPage {
    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.start
        let rows = [
            StartView.Row(.person, "/account", text.account, text.accountText),
            StartView.Row(.phone, OAuthPaths.devicePage, text.device, text.deviceText),
            StartView.Row(.question, "/diagnose", text.diagnose, text.diagnoseText),
            StartView.Row(.terminal, "/docs", text.api, text.apiText),
        ]
        return PageContent(title: text.title, template: .start, view: StartView(heading: text.title, rows: rows))
    }
}

/// The values of the `start` template.
private struct StartView: Sendable {
    let heading: String
    let rows: [Row]

    struct Row: Sendable {
        let drawing, href, name, explanation: String

        init(_ icon: PageIcon, _ path: String, _ name: String, _ explanation: String) {
            (drawing, href, self.name, self.explanation) = (icon.svg, path, name, explanation)
        }
    }
}

/// The texts of the start.
struct StartText: Sendable, Decodable {
    let title: String
    let account, accountText, device, deviceText: String
    let diagnose, diagnoseText, api, apiText: String
}

extension PageTemplate {
    /// In the scope of a ``StartView``.
    static let startSource = """
        <div class="card">
        <div class="head"><h1>{{heading}}</h1></div>
        <ul class="rows">
        {{#rows}}
        <li>{{{drawing}}}<div class="about"><a class="name" href="{{href}}">{{name}}</a><p class="soft small">{{explanation}}</p></div></li>
        {{/rows}}
        </ul>
        </div>
        """
}
