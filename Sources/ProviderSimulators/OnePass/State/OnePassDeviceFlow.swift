import Foundation
import ProviderKit

extension OnePassState {
    /// Seconds until the device flow's codes die: a quarter of an hour.
    private static let deviceLifetime = 900

    /// Starts the device flow: the device's code and what it must show.
    mutating func startDevice(
        for application: OnePassSimulator.Application, scopes: OnePassScopeRequest, now: Date
    ) -> JSONValue {
        let device = DeviceCodes<Int64>.Device(
            clientID: application.clientID, userCode: RandomText.typable(4) + "-" + RandomText.typable(4),
            scopes: scopes.allowed, expiresAt: now.addingTimeInterval(TimeInterval(Self.deviceLifetime)),
            interval: behaviour.deviceInterval)
        let page = url + OnePassDeviceFlowRoutes.pagePath
        return [
            "device_code": .string(devices.start(device, now: now)), "user_code": .string(device.userCode),
            "verification_uri": .string(page),
            "verification_uri_complete": .string("\(page)?user_code=\(device.userCode)"),
            "expires_in": .integer(Self.deviceLifetime), "interval": .integer(device.interval),
        ]
    }

    /// Answers a device's poll (RFC 8628 §3.5).
    mutating func pollDevice(
        _ form: FormFields, for application: OnePassSimulator.Application, now: Date
    ) throws(OAuthFailure) -> OnePassTokens {
        switch devices.poll(form["device_code"] ?? "", by: application.clientID, now: now) {
        case .unknown: throw .invalidGrant("The device code is unknown.")
        case .expired: throw OAuthFailure("expired_token", "The device code has expired.")
        case .pending: throw OAuthFailure("authorization_pending", "The person has not decided yet.")
        case .denied: throw OAuthFailure("access_denied", "The person said no.")
        case .slowDown: throw OAuthFailure("slow_down", "Wait five seconds longer between polls.")
        case .approved(let personID, let scopes):
            let key = grant(scopes, of: personID, to: application.clientID)
            return issueTokens(for: key, scopes: scopes, nonce: nil, family: RandomText.hex(16), now: now)
        }
    }
}
