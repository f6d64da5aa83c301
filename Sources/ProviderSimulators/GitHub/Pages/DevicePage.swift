/// The pages on which a person connects a device.
enum DevicePage {
    /// Asks for the code the device shows.
    static func entry(problem: String? = nil, status: Int? = nil) -> SimulatorResponse {
        let notice: HTML = problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" } ?? ""
        return SimulatorPage(
            title: "Connect a device",
            content: """
                <h1>Connect a device</h1>
                \(notice)
                <form method="post" action="\(GitHubDeviceRoutes.pagePath)">
                <p><label for="code">Code shown on your device</label>
                <input type="text" id="code" name="user_code" autocomplete="off" autocapitalize="characters" \
                spellcheck="false" maxlength="16" required autofocus></p>
                <div class="buttons"><button class="go">Continue</button></div>
                </form>
                """
        ).response(status: status ?? (problem == nil ? 200 : 422))
    }

    /// Asks whether the device may act for a person.
    static func consent(
        _ device: GitHubDevice, _ application: GitHubSimulator.Application, _ people: [GitHubSimulator.Person]
    ) -> SimulatorResponse {
        let form = ConsentForm(
            action: GitHubDeviceRoutes.pagePath, reference: ("user_code", device.userCode), scopes: device.scopes,
            people: people, preselected: nil)
        return SimulatorPage(
            title: "Connect a device",
            content: """
                <h1>Connect the device of \(application.name)?</h1>
                <p>It shows the code <code>\(device.userCode)</code>. Cancel if yours shows another one.</p>
                \(form.html)
                """
        ).response()
    }

    /// Says that it is over.
    static func done(_ message: String) -> SimulatorResponse {
        SimulatorPage(
            title: "Connect a device", content: "<h1>\(message)</h1><p>You may close this page.</p>"
        ).response()
    }
}
