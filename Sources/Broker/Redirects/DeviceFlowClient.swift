import Foundation
package import ProviderKit

/// A device authorization that has begun, with the code to type in.
package struct DeviceFlowAttempt: Sendable {
    let provider: ConfiguredProvider
    let device: any DeviceSignIn
    package let authorization: DeviceAuthorization
    let polling: DevicePolling
}

/// The broker as a client of a provider's device authorization grant (RFC 8628): the user types a code in at the provider,
/// on another device.
///
/// Polling holds no transaction and no connection of the store.
extension RedirectContext {
    /// Requests a device authorization.
    ///
    /// - Throws: ``BrokerError/deviceSignInNotOffered(_:)``, and what ``ConfiguredProvider/ask(about:in:_:)`` throws.
    package func startDeviceFlow(at id: String) async throws -> DeviceFlowAttempt {
        guard let provider = providers.current.provider(id) else { throw BrokerError.unknownProvider(id) }
        guard let device = provider.provider as? any DeviceSignIn else { throw BrokerError.deviceSignInNotOffered(id) }
        let started = clock()
        let answer = try await provider.ask { try await device.startDeviceAuthorization(scopes: []) }
        guard let authorization = DeviceAuthorization(checked: answer) else {
            throw BrokerError.providerAnswerUnusable("The provider sent a code or an address that cannot be shown.")
        }
        return DeviceFlowAttempt(
            provider: provider, device: device, authorization: authorization,
            polling: DevicePolling(authorization, from: started, clock: clock))
    }

    /// Polls until the user has finished.
    ///
    /// - Parameters:
    ///   - attempt: The device authorization.
    ///   - progress: Called before each wait with the seconds that are left.
    ///   - sleep: Waits; tests let time pass by themselves.
    /// - Returns: The identity the provider granted, re-validated like that of any credential.
    /// - Throws: ``BrokerError``: ``BrokerError/cancelledAtProvider`` when the user declined,
    ///   ``BrokerError/deviceCodeExpired`` when the code expired first; `CancellationError` when the task was cancelled.
    package func finishDeviceFlow(
        _ attempt: DeviceFlowAttempt, progress: @Sendable (Int) -> Void = { _ in },
        sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) async throws -> VerifiedCredential {
        let identity = try await attempt.polling.value(progress: progress, sleep: sleep) { try await poll(attempt) }
        return try await accounts.verify(granted: identity, from: attempt.provider)
    }

    private func poll(_ attempt: DeviceFlowAttempt) async throws -> DevicePoll<ExternalIdentity> {
        do {
            return try await attempt.provider.ask {
                do {
                    return switch try await attempt.device.pollDeviceAuthorization(attempt.authorization.deviceCode) {
                    case .granted(let identity): .granted(identity)
                    case .pending: .pending
                    case .slowDown(let interval): .slowDown(interval)
                    }
                } catch let error as ProviderError where error.step == .authorizeDevice && error.fault == .upstream {
                    // Later steps have consumed the code; this one can be repeated.
                    return .unanswered(error)
                } catch let error as ProviderError where error.step == .authorizeDevice && error.fault == .credential {
                    throw BrokerError.deviceCodeExpired
                }
            }
        } catch {
            try Task.checkCancellation()
            throw error
        }
    }
}

extension DeviceAuthorization {
    /// The same with its times clamped, or `nil` when a terminal should not show it.
    fileprivate init?(checked answer: DeviceAuthorization) {
        let hosts = ["https://", "http://127.0.0.1", "http://localhost", "http://[::1]"]
        func isShowable(_ url: String) -> Bool {
            url.utf8.count <= 2048 && url.isASCII(from: 0x21)
                && hosts.contains { url.utf8.starts(with: $0.utf8) }
        }
        guard !answer.deviceCode.isEmpty, (1...64).contains(answer.userCode.utf8.count),
            answer.userCode.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), isShowable(answer.verificationURI)
        else { return nil }
        self.init(
            deviceCode: answer.deviceCode, userCode: answer.userCode, verificationURI: answer.verificationURI,
            verificationURIComplete: answer.verificationURIComplete.flatMap { isShowable($0) ? $0 : nil },
            expiresIn: min(max(answer.expiresIn, 1), 3600), interval: min(max(answer.interval, 1), 60))
    }
}
