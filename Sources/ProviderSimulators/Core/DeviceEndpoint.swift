import Foundation
import HTTPTypes
import ProviderKit

/// The device flow (RFC 8628): the page on which a user enters the code and decides.
enum DeviceEndpoint<State: SimulatedProvider> {
    /// Adds the page to a provider's routes.
    static func add(to routes: ProviderRoutes<State>, as endpoint: State.Endpoint) {
        let pages = routes.core.read(\.pages)
        guard let path = pages.devicePath else { return }
        let page = SimulatedDevicePage(path: path)
        routes.on(.get, path, as: endpoint) { _, request in
            page.entry(code: pages.prefillsUserCode ? try request.queryFields()["user_code"] ?? "" : "")
        }
        // First the code alone, then the code with the user's decision.
        routes.on(.post, path, as: endpoint) { state, request in try submit(request.parameters(), page, &state) }
    }

    private static func submit(_ form: FormFields, _ page: SimulatedDevicePage, _ state: inout State)
        -> SimulatorResponse
    {
        let (userCode, now) = (form["user_code"] ?? "", state.now)
        guard let device = state.memory.devices.waiting(userCode: userCode, now: now),
            let application = state.application(device.clientID)
        else { return page.entry(problem: "This code is not known, or it has expired.") }
        switch form["decision"] {
        case "authorize":
            guard let person = state.person(form["person"]) else { return page.entry(problem: "Choose a person.") }
            if let problem = state.deviceProblem(of: person, application) { return problem }
            let scopes = state.selected(device.scopes, in: form)
            state.approve(device, by: person.id, scopes: scopes)
            _ = state.memory.devices.decide(
                userCode: userCode, .approved(personID: person.id, scopes: scopes), now: now)
            return SimulatedDevicePage.done("Your device is connected.")
        case nil:
            guard state.countEntry(ofClient: device.clientID) else {
                return page.entry(problem: "Too many codes were entered. Try again later.", status: 429)
            }
            return page.consent(
                userCode: device.userCode, application: application.name, people: state.choices,
                permissions: state.permissions(device.scopes))
        default:
            _ = state.memory.devices.decide(userCode: userCode, .denied, now: now)
            return SimulatedDevicePage.done("The device was turned away.")
        }
    }
}

/// A device authorization response (RFC 8628 §3.2).
struct SimulatedDeviceAuthorization {
    let deviceCode: String
    let userCode: String
    let verificationURI: String
    /// Seconds until the codes expire, and between polls.
    let lifetime: Int, interval: Int

    var verificationURIComplete: String { verificationURI + "?user_code=" + userCode }

    /// The response; with `verification_uri_complete` where the page takes the code from its query.
    func json(complete: Bool) -> JSONValue {
        var members: JSONObject = [
            "device_code": .string(deviceCode), "user_code": .string(userCode),
            "verification_uri": .string(verificationURI),
        ]
        if complete { members["verification_uri_complete"] = .string(verificationURIComplete) }
        members["expires_in"] = .integer(Int64(lifetime))
        members["interval"] = .integer(Int64(interval))
        return .object(members)
    }
}

extension SimulatedProvider {
    /// Stores a device that awaits a user's decision.
    mutating func startDevice(
        of clientID: String, scopes: [String], lifetime: Int, interval: Int, hyphenated: Bool = true
    ) -> SimulatedDeviceAuthorization {
        let userCode = RandomText.typable(4) + (hyphenated ? "-" : "") + RandomText.typable(4)
        let deviceCode = memory.devices.start(
            .init(
                clientID: clientID, userCode: userCode, scopes: scopes,
                expiresAt: now.addingTimeInterval(TimeInterval(lifetime)), interval: interval), now: now)
        return SimulatedDeviceAuthorization(
            deviceCode: deviceCode, userCode: userCode, verificationURI: url + (pages.deviceAddress ?? ""),
            lifetime: lifetime, interval: interval)
    }

    /// Answers a device's poll.
    mutating func pollDevice(_ deviceCode: String?, by clientID: String) -> DeviceCodes<Person.ID>.Poll {
        memory.devices.poll(deviceCode ?? "", by: clientID, now: now)
    }
}
