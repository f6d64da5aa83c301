import BrokerStore
import ProviderKit

/// The recipient of a batch of deliveries, as the store has it at the attempt.
enum EventRecipient: Sendable {
    case webhook(url: String, secrets: [WebhookSecret])
    case client(Client, uri: String)
    /// Nothing is delivered to it any more: its deliveries are dropped.
    case removed(String)
    /// Nothing is delivered to it now: its deliveries are dead letters, which can be replayed.
    case disabled(String)
    /// It cannot be addressed now.
    case unusable(String)
}

extension Events {
    /// Attempts to deliver an event, once.
    func deliver(_ delivery: EventDelivery, to recipient: EventRecipient) async -> AttemptResult {
        let now = now
        switch recipient {
        case .removed(let reason): return .dropped(reason)
        case .disabled(let reason): return .dead(reason)
        case .unusable(let reason): return .failed(reason, retryAfter: nil)
        case .webhook(let url, let secrets):
            let message = WebhookMessage(delivery)
            let answer = await sender.post(
                message.body, headers: message.headers(signedBy: secrets, at: now), to: url)
            return AttemptResult(answer, mayUnsubscribe: true)
        case .client(let client, let uri):
            guard let session = (try? JSONValue(parsing: Array(delivery.data.utf8)))?["sessionId"]?.string else {
                return .dead("the event names no session")
            }
            do {
                let token = try await logoutTokens.token(for: client, session: session, of: delivery.localID, at: now)
                let form = FormEncoding.encode([(name: "logout_token", value: token)])
                let headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
                return AttemptResult(
                    await sender.post(Array(form.utf8), headers: headers, to: uri), mayUnsubscribe: false)
            } catch {
                return .failed("the logout token cannot be signed", retryAfter: nil)
            }
        }
    }
}

extension AttemptResult {
    /// The result of a delivery.
    init(_ answer: EventSender.Answer, mayUnsubscribe: Bool) {
        self =
            switch answer {
            case .status(200..<300, _): .done(nil)
            case .status(410, _) where mayUnsubscribe: .unsubscribed("answered with status 410")
            case .status(let status, _) where (300..<400).contains(status):
                .failed("answered with status \(status): redirects are not followed", retryAfter: nil)
            case .status(let status, let retryAfter):
                .failed("answered with status \(status)", retryAfter: retryAfter)
            case .none(let reason): .failed(reason, retryAfter: nil)
            case .interrupted: .interrupted
            }
    }
}
