import HTTPTypes

/// The device flow: `POST /login/device/code` and the page on which a person types the code.
struct GitHubDeviceRoutes: Sendable {
    static let pagePath = "/login/device"
    private static let page = DevicePage(path: pagePath)

    let core: GitHubCore

    func add(to routes: SimulatorRoutes<GitHubSimulator.Endpoint>) {
        routes.on(.post, "/login/device/code", as: .deviceCode, answer: start)
        routes.on(.get, Self.pagePath, as: .devicePage) { _ in Self.page.entry() }
        routes.on(.post, Self.pagePath, as: .devicePage, answer: submit)
    }

    @Sendable
    private func start(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let scopes = GitHubScopes.parse(form["scope"]) ?? []
        let answer = try core.withState { state throws(Refusal) in
            guard let application = state.application(form["client_id"]) else {
                throw Refusal(GitHubNotFound.unknownClient)
            }
            return start(application, scopes, &state)
        }
        return answer.response(accepting: request.acceptedTypes)
    }

    private func start(
        _ application: GitHubSimulator.Application, _ scopes: [String], _ state: inout GitHubState
    ) -> GitHubOAuthAnswer {
        do {
            let (deviceCode, device) = try state.startDevice(
                for: application, scopes: scopes, interval: core.options.deviceInterval, now: core.clock.now)
            return GitHubOAuthAnswer(device, deviceCode: deviceCode, url: state.url)
        } catch {
            return GitHubOAuthAnswer(error)
        }
    }

    /// First the code alone, then the code with the person's decision.
    @Sendable
    private func submit(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let userCode = form["user_code"] ?? ""
        let now = core.clock.now
        return core.withState { state in
            guard let device = state.devices.waiting(userCode: userCode, now: now),
                let application = state.application(device.clientID)
            else { return Self.page.entry(problem: "This code is not known, or it has expired.") }
            switch form["decision"] {
            case "authorize":
                guard let person = form["person"].flatMap({ Int64($0) }).flatMap({ state.person($0) }) else {
                    return Self.page.entry(problem: "Choose a person.")
                }
                let kept = device.scopes.filter { form.all("scope").contains($0) }
                _ = state.decideDevice(userCode: userCode, .approved(personID: person.id, scopes: kept), now: now)
                return DevicePage.done("Your device is connected.")
            case nil:
                guard state.enterDeviceCode(of: device.clientID, now: now) else {
                    return Self.page.entry(problem: "Too many codes were entered. Try again later.", status: 429)
                }
                return Self.page.consent(
                    userCode: device.userCode, application: application.name,
                    people: state.people.map(ConsentForm.Choice.init),
                    permissions: device.scopes.map(ConsentForm.Permission.init(gitHubScope:)))
            default:
                _ = state.decideDevice(userCode: userCode, .denied, now: now)
                return DevicePage.done("The device was turned away.")
            }
        }
    }
}
