/// Explains the codes of `broker doctor`. It says nothing about this broker.
struct DiagnosePage: HostedPage {
    /// The pages of that kind that providers have, by the provider's name.
    private static let ofProviders = [("1Pass", "https://api.1pass.dev/diagnose")]

    func content(in language: PageLanguage) -> PageContent {
        let text = language.texts.diagnose
        let view = DiagnosesView(
            heading: text.heading, introduction: text.introduction,
            elsewhere: text.elsewhere, links: Self.ofProviders.map { LinkView($1, $0) },
            entries: Diagnosis.allCases.map { diagnosis in
                let entry = language.texts.diagnoses[diagnosis]
                return .init(
                    id: diagnosis.rawValue,
                    rows: [
                        .init(label: text.symptom, value: entry.symptom), .init(label: text.cause, value: entry.cause),
                        .init(label: text.remedy, value: entry.remedy),
                    ])
            })
        return PageContent(
            title: text.heading, template: .diagnoses, view: view,
            layout: .sections(Diagnosis.allCases.map { .init(id: $0.rawValue, text: $0.rawValue) }))
    }
}

/// The values of the `diagnoses` template.
private struct DiagnosesView: Sendable {
    let heading, introduction: String
    /// The heading of the links to the providers' own pages.
    let elsewhere: String
    let links: [LinkView]
    let entries: [Entry]

    struct Entry: Sendable {
        /// The code, which is the entry's anchor too.
        let id: String
        let rows: [StatementView.Fact]
    }
}

/// The texts around the entries.
struct DiagnoseText: Sendable, Decodable {
    let heading, introduction, symptom, cause, remedy, elsewhere: String
}

extension PageTemplate {
    /// In the scope of a ``DiagnosesView``.
    static let diagnosesSource = """
        <h1>{{heading}}</h1>
        <p class="soft">{{introduction}}</p>
        {{#entries}}
        <section class="panel" id="{{id}}" aria-labelledby="{{id}}-code">
        <div class="intro"><h2 id="{{id}}-code"><code>{{id}}</code></h2></div>
        <dl class="facts">
        {{#rows}}<div><dt>{{label}}</dt><dd>{{value}}</dd></div>{{/rows}}
        </dl>
        </section>
        {{/entries}}
        <section class="panel" aria-labelledby="elsewhere"><div class="intro"><h2 id="elsewhere">{{elsewhere}}</h2></div>
        <ul class="rows">{{#links}}<li><div class="about"><a href="{{href}}">{{text}}</a></div></li>{{/links}}</ul>
        </section>
        """
}
