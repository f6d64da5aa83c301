import Foundation
import HTTPTypes
import ProviderKit

/// The device flow (RFC 8628): `POST /device_authorization` and the page on which a person types the code.
struct OpenIDDeviceRoutes: Sendable {
    private static let page = DevicePage(path: OpenIDSimulator.Endpoint.devicePage.path)

    let core: OpenIDCore

    func add(to routes: SimulatorRoutes<OpenIDSimulator.Endpoint>) {
        routes.on(
            .post, OpenIDSimulator.Endpoint.deviceAuthorization.path, as: .deviceAuthorization, answer: start)
        routes.on(.get, Self.page.path, as: .devicePage) { _ in Self.page.entry() }
        routes.on(.post, Self.page.path, as: .devicePage, answer: submit)
    }

    @Sendable
    private func start(_ request: SimulatorRequest) throws -> SimulatorResponse {
        let form = try request.parameters()
        return core.withState { state in
            guard let application = state.application(form["client_id"]) else {
                return OAuthFailure("invalid_client", status: 401).response
            }
            let now = core.clock.now
            let device = DeviceCodes<String>.Device(
                clientID: application.clientID, userCode: RandomText.typable(4) + "-" + RandomText.typable(4),
                scopes: (form["scope"] ?? "").split(separator: " ").map(String.init),
                expiresAt: now.addingTimeInterval(600), interval: 5)
            let deviceCode = state.devices.start(device, now: now)
            return SimulatorResponse.json([
                "device_code": .string(deviceCode), "user_code": .string(device.userCode),
                "verification_uri": .string(state.url + Self.page.path), "expires_in": 600, "interval": 5,
            ]).uncached
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
                guard let person = state.person(form["person"]) else {
                    return Self.page.entry(problem: "Choose a person.")
                }
                let kept = device.scopes.filter { form.all("scope").contains($0) }
                _ = state.devices.decide(
                    userCode: userCode, .approved(personID: person.subject, scopes: kept), now: now)
                return DevicePage.done("Your device is connected.")
            case nil:
                return Self.page.consent(
                    userCode: device.userCode, application: application.name,
                    people: state.people.map(ConsentForm.Choice.init),
                    permissions: device.scopes.map { .init(scope: $0, meaning: nil) })
            default:
                _ = state.devices.decide(userCode: userCode, .denied, now: now)
                return DevicePage.done("The device was turned away.")
            }
        }
    }
}

extension OpenIDState {
    /// Answers a device's poll (RFC 8628 §3.5).
    mutating func pollDevice(
        _ deviceCode: String, for application: OpenIDSimulator.Application, now: Date
    ) throws(OAuthFailure) -> OpenIDTokenPair {
        switch devices.poll(deviceCode, by: application.clientID, now: now) {
        case .unknown: throw OAuthFailure("invalid_grant", "The device code is unknown.")
        case .expired: throw OAuthFailure("expired_token")
        case .pending: throw OAuthFailure("authorization_pending")
        case .denied: throw OAuthFailure("access_denied")
        case .slowDown: throw OAuthFailure("slow_down")
        case .approved(let subject, let scopes):
            return issue(
                OpenIDGrant(clientID: application.clientID, subject: subject, scopes: scopes), now: now)
        }
    }
}
