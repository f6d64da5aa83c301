import Crypto
import Foundation
import ProviderKit

extension OnePassState {
    /// Tells applications about something; polling shows it at once, webhooks follow.
    ///
    /// `id` is the event's name, which several applications share; a new one for each when `nil`.
    @discardableResult
    mutating func emit(
        _ type: OnePassSimulator.EventType, about data: JSONObject, to clients: [String], id: String? = nil, now: Date
    ) -> [OnePassSimulator.Event] {
        let emitted = clients.compactMap { application($0) }.map { application in
            OnePassSimulator.Event(
                id ?? "evt_" + RandomText.alphanumeric(24), type, data, to: application, now: now)
        }
        events += emitted
        waitingEvents += emitted.filter { application($0.clientID)?.webhookURL != nil }
        return emitted
    }
}

extension OnePassSimulator.Event {
    fileprivate init(
        _ id: String, _ type: OnePassSimulator.EventType, _ data: JSONObject,
        to application: OnePassSimulator.Application, now: Date
    ) {
        let document: JSONValue = [
            "event_id": .string(id), "event_type": .string(type.rawValue),
            "occurred_at": .string(now.ISO8601Format()), "data": .object(data),
        ]
        let body = document.canonical.serialized()
        let signature = OnePassSignature(of: body, by: application, now: now)
        self.init(
            id: id, type: type, clientID: application.clientID, occurredAt: now, body: body,
            headers: [
                .init(name: "content-type", value: "application/json"), .init(name: "x-logi-event-id", value: id),
            ] + (type.hasKeyedSignature ? signature.keyed : signature.legacy))
    }
}

/// The two ways a webhook is signed.
struct OnePassSignature {
    private let body: String
    private let application: OnePassSimulator.Application
    private let time: String

    init(of body: String, by application: OnePassSimulator.Application, now: Date) {
        self.body = body
        self.application = application
        time = String(now.epochSeconds)
    }

    /// Secret and body, the time beside them. While 1Pass knows no more of the secret than its digest, that is what it
    /// signs with, and says so.
    var legacy: [RecordedRequest.Header] {
        let secret = application.hasOutdatedWebhookSecret ? Self.digest(application) : application.webhookSecret
        var headers = [
            RecordedRequest.Header(name: "x-logi-signature", value: "sha256=" + hash(secret)),
            .init(name: "x-logi-timestamp", value: time),
        ]
        if application.hasOutdatedWebhookSecret {
            headers += [
                .init(name: "x-logi-secret-deprecated", value: "true"), .init(name: "deprecation", value: "true"),
            ]
        }
        return headers
    }

    /// Time, key name and signature in one field; the signature covers the body only.
    var keyed: [RecordedRequest.Header] {
        guard let key = application.webhookKeys.first else { return [] }
        return [.init(name: "x-logi-signature", value: "t=\(time),kid=\(key.id),v1=\(hash(key.secret))")]
    }

    private func hash(_ secret: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(body.utf8), using: SymmetricKey(data: Data(secret.utf8)))
        return code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// What stands for the bcrypt digest: a text that the application cannot know.
    private static func digest(_ application: OnePassSimulator.Application) -> String {
        "$2a$12$" + CodeChallenge.digest(of: application.webhookSecret + application.clientID)
    }
}

extension JSONValue {
    /// The same document with the members of all objects sorted by name (RFC 8785 §3.2.3, for names in ASCII).
    var canonical: JSONValue {
        switch self {
        case .object(let members):
            .object(JSONObject(members.map { ($0.name, $0.value.canonical) }.sorted { $0.0 < $1.0 }))
        case .array(let elements): .array(elements.map(\.canonical))
        case .null, .bool, .number, .string: self
        }
    }
}
