import BrokerStore
import Foundation
import ProviderKit

/// The recipient of a batch of deliveries, as the store has it at the attempt.
enum EventRecipient: Sendable {
    case webhook(url: String, secrets: [WebhookSecret])
    case client(Client, uri: String)
    /// Nothing is delivered to it any more.
    case gone(EventDelivery.State, String)
    /// It cannot be addressed now.
    case unusable(String)
}

/// The result of one delivery's attempt.
enum EventAttemptResult: Sendable, Hashable {
    case delivered
    case failed(String, retryAfter: Int?)
    /// The webhook answered that it wants nothing more.
    case unsubscribed(String)
    case ended(EventDelivery.State, String)
    /// The broker stops.
    case interrupted
}

/// One attempt to deliver an event.
struct EventAttempt: Sendable {
    let sender: EventSender
    let logoutTokens: LogoutTokens
    let now: @Sendable () -> Date

    func callAsFunction(_ delivery: EventDelivery, to recipient: EventRecipient) async -> EventAttemptResult {
        let now = Timestamp(now())
        switch recipient {
        case .gone(let state, let reason): return .ended(state, reason)
        case .unusable(let reason): return .failed(reason, retryAfter: nil)
        case .webhook(let url, let secrets):
            let message = WebhookMessage(delivery)
            let answer = await sender.post(
                message.body, headers: message.headers(signedBy: secrets, at: now), to: url)
            return Self.result(answer, mayUnsubscribe: true)
        case .client(let client, let uri):
            guard let session = (try? JSONValue(parsing: Array(delivery.data.utf8)))?["sessionId"]?.string else {
                return .ended(.dead, "the event names no session")
            }
            do {
                let token = try await logoutTokens.token(for: client, session: session, of: delivery.localID, at: now)
                let form = FormEncoding.encode([(name: "logout_token", value: token)])
                let headers = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
                return Self.result(
                    await sender.post(Array(form.utf8), headers: headers, to: uri), mayUnsubscribe: false)
            } catch {
                return .failed("the logout token cannot be signed", retryAfter: nil)
            }
        }
    }

    static func result(_ answer: EventSender.Answer, mayUnsubscribe: Bool) -> EventAttemptResult {
        switch answer {
        case .status(200..<300, _): .delivered
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

/// The state of a delivery after an attempt.
struct EventVerdict: Sendable, Hashable {
    let state: EventDelivery.State
    let reason: String?
    /// Nil for states without a further attempt.
    let nextAttempt: Timestamp?

    static let backoff = RetryBackoff(first: .seconds(5), longest: .seconds(3600))

    /// - Parameters:
    ///   - result: The result of the attempt.
    ///   - delivery: The row as it was claimed.
    ///   - now: The moment.
    ///   - end: When a delivery that still fails becomes a dead letter.
    init(_ result: EventAttemptResult, of delivery: EventDelivery, at now: Timestamp, end: Timestamp) {
        switch result {
        case .delivered: (state, reason, nextAttempt) = (.delivered, nil, nil)
        case .ended(let ended, let why): (state, reason, nextAttempt) = (ended, why, nil)
        case .unsubscribed(let why): (state, reason, nextAttempt) = (.dead, why, nil)
        case .interrupted: (state, reason, nextAttempt) = (.queued, "the broker stopped meanwhile", now)
        case .failed(let why, let retryAfter):
            reason = why
            guard now < end else {
                (state, nextAttempt) = (.dead, nil)
                return
            }
            let wait = Self.backoff.wait(afterAttempt: delivery.attempts, retryAfter: retryAfter)
            (state, nextAttempt) = (.queued, min(now.advanced(by: wait), end))
        }
    }
}
