import Foundation
import HTTPTypes
import ProviderKit

/// The device flow: `POST /oauth/authorize_device` and the page on which a person types the code.
struct GitLabDeviceRoutes: Sendable {
    static let pagePath = "/oauth/device"
    /// Five minutes.
    static let lifetime = 300
    /// Seconds between polls.
    static let interval = 5

    let core: GitLabCore

    func add(to routes: SimulatorRoutes<GitLabSimulator.Endpoint>) {
        routes.on(.post, core.prefix + "/oauth/authorize_device", as: .deviceCode, answer: start)
        routes.on(.get, core.prefix + Self.pagePath, as: .devicePage) { request in
            page.entry(code: try request.queryFields()["user_code"] ?? "")
        }
        routes.on(.post, core.prefix + Self.pagePath, as: .devicePage, answer: submit)
    }

    private var page: DevicePage { DevicePage(path: core.prefix + Self.pagePath) }

    @Sendable
    private func start(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        let scopes = GitLabScopes.parse(form["scope"]) ?? GitLabScopes.standard
        let answer = Result { () throws(OAuthFailure) in
            try core.withState { state throws(OAuthFailure) in
                let application = try state.authenticate(PresentedClient(form, request))
                guard GitLabScopes.areAllowed(scopes, for: application) else { throw GitLabFailure.invalidScope }
                return state.startDevice(of: application, scopes: scopes, now: core.clock.now)
            }
        }
        switch answer {
        case .success(let answer): return SimulatorResponse.json(answer).uncached
        case .failure(let failure): return failure.response
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
            case "authorize":
                guard let person = form["person"].flatMap({ Int64($0) }).flatMap({ state.person($0) }) else {
                    return page.entry(problem: "Choose a person.")
                }
                if let problem = GitLabNotFound.signInProblem(of: person) { return problem }
                _ = state.decideDevice(
                    userCode: userCode, .approved(personID: person.id, scopes: device.scopes), now: now)
                return DevicePage.done("Your device is connected.")
            case nil:
                let people = state.people.map { ConsentForm.Choice($0, below: core.prefix) }
                return page.consent(
                    userCode: device.userCode, application: application.name, people: people, permissions: [])
            default:
                _ = state.decideDevice(userCode: userCode, .denied, now: now)
                return DevicePage.done("The device was turned away.")
            }
        }
    }
}

extension GitLabState {
    /// Lets a device wait, and says what it must show.
    mutating func startDevice(
        of application: GitLabSimulator.Application, scopes: [String], now: Date
    ) -> JSONValue {
        let userCode = RandomText.typable(8)
        let lifetime = GitLabDeviceRoutes.lifetime
        let deviceCode = devices.start(
            .init(
                clientID: application.clientID, userCode: userCode, scopes: scopes,
                expiresAt: now.addingTimeInterval(TimeInterval(lifetime)), interval: GitLabDeviceRoutes.interval),
            now: now)
        let page = url + GitLabDeviceRoutes.pagePath
        return [
            "device_code": .string(deviceCode), "user_code": .string(userCode), "verification_uri": .string(page),
            "verification_uri_complete": .string(page + "?user_code=" + userCode),
            "expires_in": .integer(Int64(lifetime)), "interval": .integer(Int64(GitLabDeviceRoutes.interval)),
        ]
    }

    /// Records what the person decided; `false` when no device waits for this code.
    mutating func decideDevice(userCode: String, _ decision: DeviceCodes<Int64>.Decision, now: Date) -> Bool {
        guard let device = devices.waiting(userCode: userCode, now: now) else { return false }
        if case .approved(let personID, let scopes) = decision {
            grant(scopes, to: GrantKey(clientID: device.clientID, personID: personID))
        }
        return devices.decide(userCode: userCode, decision, now: now)
    }
}
