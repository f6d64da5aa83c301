import Foundation
package import ProviderKit

/// Signs somebody in who sits at another device than the browser: the provider shows nothing here, the person types a
/// code in there (RFC 8628).
///
/// Waiting holds nothing: no transaction, no connection of the store.
package struct DeviceFlowClient: Sendable {
    let proof: ProviderProof
    let now: @Sendable () -> Date
    /// Waits; tests let time pass by themselves.
    let sleep: @Sendable (Duration) async throws -> Void

    /// So many polls in a row may go unanswered before waiting is given up.
    static let patience = 5

    /// A code somebody is about to type in.
    package struct Attempt: Sendable {
        let provider: ConfiguredProvider
        let device: any DeviceSignIn
        package let authorization: DeviceAuthorization
        let expires: Date
    }

    /// Asks the provider for a code.
    ///
    /// - Throws: ``BrokerError/deviceSignInNotOffered(_:)`` and what every question to a provider may come to.
    package func start(at id: String) async throws -> Attempt {
        guard let provider = proof.providers.current.provider(id) else { throw BrokerError.unknownProvider(id) }
        guard let device = provider.provider as? any DeviceSignIn else { throw BrokerError.deviceSignInNotOffered(id) }
        let started = now()
        let answer = try await proof.asking(provider) { try await device.startDeviceAuthorization(scopes: []) }
        guard let authorization = DeviceAuthorization(checked: answer) else {
            throw BrokerError.providerAnswerUnusable("The provider sent a code or an address that cannot be shown.")
        }
        return Attempt(
            provider: provider, device: device, authorization: authorization,
            expires: started.addingTimeInterval(TimeInterval(authorization.expiresIn)))
    }

    /// Waits until the person has finished.
    ///
    /// - Parameters:
    ///   - attempt: The code they type in.
    ///   - progress: Told the seconds that are left before each wait.
    /// - Returns: Whom the provider named, proven as any credential is.
    /// - Throws: ``BrokerError``: ``BrokerError/cancelledAtProvider`` when they declined,
    ///   ``BrokerError/deviceCodeExpired`` when they took too long; `CancellationError` when the task was cancelled.
    package func callAsFunction(
        _ attempt: Attempt, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws -> FederatedSource {
        var interval = attempt.authorization.interval
        var unanswered = 0
        while true {
            let left = Int(attempt.expires.timeIntervalSince(now()).rounded(.up))
            guard left > 0 else { throw BrokerError.deviceCodeExpired }
            progress(left)
            try await sleep(.seconds(min(interval, left)))
            switch try await poll(attempt) {
            case .answer(.granted(let identity)):
                let evidence = try await proof.evidence(of: identity, from: attempt.provider)
                return .proven(
                    ProvenSource(
                        evidence: evidence, pendingToken: nil, idToken: nil, isOneTime: false,
                        mergesAutomatically: attempt.provider.mergesAutomatically))
            case .answer(.pending): unanswered = 0
            case .answer(.slowDown(let wanted)):
                unanswered = 0
                // RFC 8628 §3.5: five seconds more, or what the provider says when that is longer.
                interval = min(max(wanted, interval + 5), 60)
            case .unanswered(let error):
                unanswered += 1
                guard unanswered < Self.patience else { throw BrokerError(error) }
                // RFC 8628 §3.5: a provider that does not answer is asked less often.
                interval = min(max(error.retryAfter ?? 0, interval * 2), 60)
            }
        }
    }

    private enum Poll {
        case answer(DeviceAuthorizationAnswer)
        case unanswered(ProviderError)
    }

    private func poll(_ attempt: Attempt) async throws -> Poll {
        do {
            return try await proof.asking(attempt.provider) {
                do {
                    return .answer(
                        try await attempt.device.pollDeviceAuthorization(attempt.authorization.deviceCode))
                } catch let error as ProviderError where error.step == .authorizeDevice && error.fault == .upstream {
                    // Later steps have used the code up; this one can be repeated.
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
    /// The same with times that make sense, or `nil` when a terminal should not show it.
    fileprivate init?(checked answer: DeviceAuthorization) {
        let hosts = ["https://", "http://127.0.0.1", "http://localhost", "http://[::1]"]
        func isShowable(_ url: String) -> Bool {
            url.utf8.count <= 2048 && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
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
