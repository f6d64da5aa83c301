import HTTPTypes
import Hummingbird
import Logging
import ProviderKit

/// The endpoint for messages of providers: `POST /v1/broker/providers/<id>/notifications`.
///
/// A message proves itself by its signature, so it needs no API key. The answer is 2xx after the commit only: a provider
/// sends again what was answered otherwise.
struct NotificationRoutes: Sendable {
    let accounts: AccountContext

    /// Providers give up on an answer after a while, and send again.
    private static let deadline = Duration.seconds(20)

    func add(to routes: Routes) {
        routes.on(.post, "/v1/broker/providers/{providerId}/notifications", pages: .none, counting: .byProof, answer)
    }

    @Sendable
    private func answer(_ request: Request, context: BrokerRequestContext) async throws -> Response {
        guard
            let provider = context.parameters[PathParameter.providerID.name].flatMap(
                accounts.providers.current.provider),
            let plugin = provider.provider as? any ProviderNotifications, plugin.acceptsNotifications
        else { throw WireError.notFound }
        guard request.headers[.contentEncoding] == nil else {
            throw WireError.badRequest("Content-Encoding is not accepted: send the body as it is.")
        }
        do {
            try RequestAdmission.current?.checkAddress()
        } catch {
            throw Self.tooManyRequests(error)
        }
        let message = ProviderMessage(
            headers: request.headers.map { ($0.name.rawName, $0.value) },
            body: try await RequestFields.body(of: request))
        let verified = try await verify(message, plugin, of: provider)
        do {
            for event in verified.events {
                try await accounts.receive(
                    event, signedWith: verified.keyID, from: provider, requestID: context.requestID)
            }
        } catch is NotificationKeyRefused {
            throw Self.refusal(
                ProviderError(.credential, at: .verifyNotification, "the key was reported as compromised"), of: provider
            )
        }
        return .json([:])
    }

    private func verify(
        _ message: ProviderMessage, _ plugin: any ProviderNotifications, of provider: ConfiguredProvider
    ) async throws -> VerifiedProviderMessage {
        do {
            let verified = try await provider.calls.run(within: Self.deadline) { try await plugin.verify(message) }
            RequestAdmission.current?.prove()
            return verified
        } catch let error as ProviderError {
            switch error.fault {
            case .credential, .nonce, .cancelled: throw Self.refusal(error, of: provider)
            case .upstream, .configuration:
                RequestAdmission.current?.prove()
                throw Self.unavailable(error, of: provider)
            }
        } catch is DeadlineExceeded {
            RequestAdmission.current?.prove()
            throw Self.unavailable(
                ProviderError(.upstream, at: .verifyNotification, "no verdict within 20 s"), of: provider)
        }
    }

    /// Providers know the HTTP status only.
    static func tooManyRequests(_ error: BrokerError) -> WireError {
        var refusal = WireError(error)
        refusal.httpStatus = .tooManyRequests
        return refusal
    }

    private static func refusal(_ error: ProviderError, of provider: ConfiguredProvider) -> WireError {
        log("provider message refused", error, provider, .warning)
        do {
            try RequestAdmission.current?.fail()
        } catch {
            return WireError(error)
        }
        return .code(.invalidNotification, "The message is malformed, not authentic or for another client.")
    }

    private static func unavailable(_ error: ProviderError, of provider: ConfiguredProvider) -> WireError {
        log("provider message not verifiable at present", error, provider, .error)
        return WireError(
            httpStatus: .serviceUnavailable, status: .unavailable,
            text: "The message cannot be verified at present. Send it again.", reason: "backendError",
            headers: [.retryAfter: String(error.retryAfter ?? 30)])
    }

    private static func log(
        _ text: Logger.Message, _ error: ProviderError, _ provider: ConfiguredProvider, _ level: Logger.Level
    ) {
        Logger.current.log(
            level: level, text,
            metadata: ["provider": "\(provider.id)", "fault": "\(error.fault.rawValue)", "reason": "\(error.reason)"])
    }
}
