/// Asks a person whether an application may sign them in.
struct ConsentPage {
    /// The provider that is simulated.
    let provider: String
    /// What the application calls itself.
    let application: String
    let form: ConsentForm

    var response: SimulatorResponse {
        SimulatorPage(
            title: "Authorize \(application)",
            content: """
                <h1>Let \(application) sign you in?</h1>
                <p class="soft">It will learn who you are at this simulated \(provider). Take permissions away to see \
                how it copes.</p>
                \(form.html)
                """
        ).response()
    }
}
