/// The pages on which a user connects a device.
struct SimulatedDevicePage {
    /// The path that its forms are posted to.
    let path: String

    /// Asks for the code the device shows.
    func entry(code: String = "", problem: String? = nil, status: Int? = nil) -> SimulatorResponse {
        let notice: HTML = problem.map { "<p class=\"problem\" role=\"alert\">\($0)</p>" } ?? ""
        return SimulatorPage(
            title: "Connect a device",
            content: """
                <h1>Connect a device</h1>
                \(notice)
                <form method="post" action="\(path)">
                <p><label for="code">Code shown on your device</label>
                <input type="text" id="code" name="user_code" value="\(code)" autocomplete="off" \
                autocapitalize="characters" spellcheck="false" maxlength="16" required autofocus></p>
                <div class="buttons"><button class="go">Continue</button></div>
                </form>
                """
        ).response(status: status ?? (problem == nil ? 200 : 422))
    }

    /// Asks whether the device that shows `userCode` may act for a user.
    func consent(
        userCode: String, application: String, people: [ConsentForm.Choice], permissions: [ConsentForm.Permission]
    ) -> SimulatorResponse {
        let form = ConsentForm(
            action: path, reference: ("user_code", userCode), people: people, permissions: permissions)
        return SimulatorPage(
            title: "Connect a device",
            content: """
                <h1>Connect the device of \(application)?</h1>
                <p>It shows the code <code>\(userCode)</code>. Cancel if yours shows another one.</p>
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
