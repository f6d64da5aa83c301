import Crypto
import Foundation
import ProviderKit

extension OnePassState {
    /// Notifies clients of an event; polling shows it at once, webhooks follow.
    ///
    /// `id` is the event's name, which several applications share; a new one for each when `nil`.
    @discardableResult
    mutating func emit(
        _ type: OnePassSimulator.EventType, about data: JSONObject, to clients: [String], id: String? = nil
    ) -> [OnePassSimulator.Event] {
        let now = now
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
        return Hexadecimal.encode(code)
    }

    /// The stand-in for the bcrypt digest: a text that the application cannot know.
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

extension SimulatorCore<OnePassState> {
    /// Sends the waiting events; those that no listener accepted go on waiting.
    ///
    /// - Returns: The answers' statuses, `nil` where none came.
    func deliverWaiting() async -> [Int?] {
        let waiting = withState { state in
            defer { state.waitingEvents = [] }
            return state.waitingEvents
        }
        let statuses = await deliver(waiting)
        withState { state in
            for (event, status) in zip(waiting, statuses) where !(200..<300).contains(status ?? 0) {
                state.waitingEvents.append(event)
            }
        }
        return statuses
    }

    /// Sends these events in this order, whether or not they were sent before.
    func deliver(_ events: [OnePassSimulator.Event]) async -> [Int?] {
        var statuses: [Int?] = []
        for event in events {
            guard let url = read({ $0.application(event.clientID)?.webhookURL }) else {
                statuses.append(nil)
                continue
            }
            let headers = event.headers.map { (name: $0.name, value: $0.value) }
            statuses.append(await Delivery(url: url, headers: headers, body: Array(event.body.utf8)).send())
        }
        return statuses
    }

    /// Sends the waiting events in the background, unless webhooks are held back.
    func sendWaiting() {
        guard !read(\.behaviour.holdsWebhooks) else { return }
        Task { await deliverWaiting() }
    }
}
