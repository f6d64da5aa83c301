/// Asks a person whether an application may sign them in.
struct ConsentPage {
    /// The consent's id.
    let id: String
    let application: GitHubSimulator.Application
    let scopes: [String]?
    let people: [GitHubSimulator.Person]
    let preselected: Int64?

    var response: SimulatorResponse {
        let form = ConsentForm(
            action: GitHubAuthorizeRoutes.path, reference: ("consent", id), scopes: scopes ?? [], people: people,
            preselected: preselected)
        return SimulatorPage(
            title: "Authorize \(application.name)",
            content: """
                <h1>Let \(application.name) sign you in?</h1>
                <p class="soft">It will learn who you are at this simulated GitHub. Take permissions away to see how \
                it copes.</p>
                \(form.html)
                """
        ).response()
    }
}
