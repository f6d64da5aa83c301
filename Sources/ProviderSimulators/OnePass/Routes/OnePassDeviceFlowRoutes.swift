import HTTPTypes

/// The device flow: `POST /oauth/device_authorization` and the page on which a person types the code.
struct OnePassDeviceFlowRoutes: Sendable {
    static let path = "/oauth/device_authorization"
    static let pagePath = "/oauth/device"

    let core: OnePassCore
    private let page = DevicePage(path: pagePath)

    init(core: OnePassCore) {
        self.core = core
    }

    func add(to routes: SimulatorRoutes<OnePassSimulator.Endpoint>) {
        routes.on(.post, Self.path, as: .deviceAuthorization, answer: start)
        routes.on(.get, Self.pagePath, as: .devicePage) { request in
            page.entry(code: try request.queryFields()["user_code"] ?? "")
        }
        routes.on(.post, Self.pagePath, as: .devicePage, answer: submit)
    }

    /// A client ID is enough here; a secret that comes along has to be right.
    @Sendable
    private func start(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let client = PresentedClient(form, request)
        return OnePassAPI.answer(core) { () throws(OAuthFailure) in
            try core.withState { state throws(OAuthFailure) in
                let hasSecret = client.basic != nil || client.bodySecret != nil
                guard let application = hasSecret ? try state.client(client) : state.application(client.bodyID) else {
                    throw .invalidClient("Nobody is registered under this client_id.")
                }
                let scopes = try OnePassScopeRequest(OnePassScopes.parse(form["scope"]), by: application)
                let answer = state.startDevice(for: application, scopes: scopes, now: core.clock.now)
                return SimulatorResponse.json(answer).uncached.reporting(scopes.drift)
            }
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
            else { return page.entry(problem: "This code is not known, or it has expired.") }
            switch form["decision"] {
            case nil:
                return page.consent(
                    userCode: device.userCode, application: application.name,
                    people: state.people.map(ConsentForm.Choice.init),
                    permissions: device.scopes.map(ConsentForm.Permission.init(onePassScope:)))
            case "authorize":
                let person = form["person"].flatMap { Int64($0) }.flatMap { state.person($0) }
                guard let person, !person.isAnonymous || application.allowsAnonymousGrants else {
                    return page.entry(problem: "Choose a person who may use this application.")
                }
                let kept = device.scopes.filter { form.all("scope").contains($0) }
                _ = state.devices.decide(
                    userCode: userCode, .approved(personID: person.id, scopes: kept), now: now)
                return DevicePage.done("Your device is connected.")
            default:
                _ = state.devices.decide(userCode: userCode, .denied, now: now)
                return DevicePage.done("The device was turned away.")
            }
        }
    }
}
