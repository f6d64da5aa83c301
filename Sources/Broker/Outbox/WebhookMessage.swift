import BrokerStore
import Foundation
import ProviderKit

/// The message of a webhook (Standard Webhooks; JSON schema in Docs/Webhooks.md): the same bytes at every attempt.
struct WebhookMessage: Sendable {
    let id: String
    let body: [UInt8]

    /// The type of the message that an administrator sends to test a webhook.
    static let testType = "webhook.test"

    init(_ delivery: EventDelivery) {
        id = delivery.eventID
        var object: JSONObject = [
            "id": .string(delivery.eventID), "type": .string(delivery.type),
            "timestamp": .string(delivery.occurredAt.millisecondText), "localId": .string(delivery.localID),
            "sequence": .integer(delivery.sequence),
        ]
        object["data"] = (try? JSONValue(parsing: Array(delivery.data.utf8))) ?? .object(JSONObject())
        body = object.serializedBytes()
    }

    /// A message about no user.
    init(testing id: String, at now: Timestamp) {
        self.id = id
        let object: JSONObject = [
            "id": .string(id), "type": .string(Self.testType), "timestamp": .string(now.millisecondText),
            "data": .object(JSONObject()),
        ]
        body = object.serializedBytes()
    }

    /// The headers of one attempt: a signature for each secret.
    func headers(signedBy secrets: [WebhookSecret], at now: Timestamp) -> [(name: String, value: String)] {
        [
            ("Content-Type", "application/json"), ("webhook-id", id), ("webhook-timestamp", String(now.seconds)),
            (
                "webhook-signature",
                secrets.map { $0.signature(id: id, timestamp: now.seconds, body: body) }.joined(separator: " ")
            ),
        ]
    }
}
