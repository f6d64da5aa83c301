import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ProviderKit
import Synchronization

/// The endpoint for messages of providers: `POST /v1/broker/providers/<id>/notifications`.
///
/// A message proves itself by its signature, so it needs no API key. The answer is 2xx after the commit only: a provider
/// sends again what was answered otherwise.
final class NotificationRoutes: Sendable {
    private let providers: ProviderConfiguration
    private let receive: ProviderEventReceiver
    private let now: @Sendable () -> Date
    /// Each client network's messages that prove nothing.
    private let budget = Mutex(AttemptBudget())

    /// Providers give up on an answer after a while, and send again.
    private static let deadline = Duration.seconds(20)

    init(providers: ProviderConfiguration, receive: ProviderEventReceiver, now: @escaping @Sendable () -> Date) {
        self.providers = providers
        self.receive = receive
        self.now = now
    }

    func add(to routes: Routes) {
        routes.on(.post, "/v1/broker/providers/{providerId}/notifications", pages: .none) { [self] request, context in
            try await answer(request, context)
        }
    }

    private func answer(_ request: Request, _ context: BrokerRequestContext) async throws -> Response {
        guard let provider = context.parameters.get("providerId").flatMap(providers.current.provider),
            let plugin = provider.provider as? any ProviderNotifications, plugin.acceptsNotifications
        else { throw WireError.notFound }
        guard request.headers[.contentEncoding] == nil else {
            throw WireError.badRequest("Content-Encoding is not accepted: send the body as it is.")
        }
        if let client = ClientNetwork.current, let seconds = budget.withLock({ $0.take(client, at: now()) }) {
            throw Self.tooManyAttempts(retryAfter: seconds)
        }
        let message = ProviderMessage(
            headers: request.headers.map { ($0.name.rawName, $0.value) },
            body: try await RequestFields.body(of: request))
        let verified = try await verify(message, plugin, of: provider)
        do {
            for event in verified.events {
                try await receive(
                    event, signedWith: verified.keyID, from: provider, requestID: context.requestID)
            }
        } catch is ProviderEventReceiver.KeyRefused {
            throw Self.refusal(
                ProviderError(.credential, at: .verifyNotification, "the key was reported as compromised"), of: provider
            )
        }
        giveBack()
        return .json([:])
    }

    private func verify(
        _ message: ProviderMessage, _ plugin: any ProviderNotifications, of provider: ConfiguredProvider
    ) async throws -> VerifiedProviderMessage {
        do {
            return try await Deadline.run(within: Self.deadline) { try await plugin.verify(message) }
        } catch let error as ProviderError {
            switch error.fault {
            case .credential, .nonce, .cancelled: throw Self.refusal(error, of: provider)
            case .upstream, .configuration:
                giveBack()
                throw Self.unavailable(error, of: provider)
            }
        } catch is DeadlineExceeded {
            giveBack()
            throw Self.unavailable(
                ProviderError(.upstream, at: .verifyNotification, "no verdict within 20 s"), of: provider)
        }
    }

    /// Only messages that prove nothing count against a client network.
    private func giveBack() {
        if let client = ClientNetwork.current { budget.withLock { $0.giveBack(client) } }
    }

    private static func refusal(_ error: ProviderError, of provider: ConfiguredProvider) -> WireError {
        log("provider message refused", error, provider, .warning)
        return .code("INVALID_NOTIFICATION", "The message is malformed, not authentic or for another client.")
    }

    private static func unavailable(_ error: ProviderError, of provider: ConfiguredProvider) -> WireError {
        log("provider message not verifiable at present", error, provider, .error)
        return WireError(
            httpStatus: .serviceUnavailable, status: "UNAVAILABLE",
            message: "The message cannot be verified at present. Send it again.", reason: "backendError",
            headers: [.retryAfter: String(error.retryAfter ?? 30)])
    }

    private static func tooManyAttempts(retryAfter seconds: Int) -> WireError {
        var error = WireError.code("TOO_MANY_ATTEMPTS_TRY_LATER", "Too many messages from this address were refused.")
        error.httpStatus = .tooManyRequests
        error.headers[.retryAfter] = String(seconds)
        return error
    }

    private static func log(
        _ text: Logger.Message, _ error: ProviderError, _ provider: ConfiguredProvider, _ level: Logger.Level
    ) {
        Logger.current.log(
            level: level, text,
            metadata: ["provider": "\(provider.id)", "fault": "\(error.fault.rawValue)", "reason": "\(error.reason)"])
    }
}
