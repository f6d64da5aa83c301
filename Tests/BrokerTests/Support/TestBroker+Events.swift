import BrokerStore
import BrowserTesting
import Crypto
import Foundation
import ProviderKit
import Synchronization

@testable import Broker

extension TestBroker {
    /// A broker, and a backend on this machine that answers with these statuses in turn, then with 204.
    static func runWithBackend(
        statuses: [Int] = [], headers: [String: String] = [:], _ test: (TestBroker, EventReceiver) async throws -> Void
    ) async throws {
        let left = Mutex(statuses)
        try await LocalSite.run { _ in
            let status = left.withLock { $0.isEmpty ? 204 : $0.removeFirst() }
            return LocalSite.Page("", status: status, headers: status == 204 ? [:] : headers)
        } _: { site in
            try await run({ $0.allowsInsecureLoopbackDeliveries = true }) { broker in
                try await test(broker, EventReceiver(site: site))
            }
        }
    }

    /// A worker as a server has one, whose turns the test takes.
    func eventWorker(_ core: BrokerCore? = nil, days: Int = 3) -> EventWorker {
        EventWorker((core ?? self.core).outbox.events, lifetime: .seconds(days * 86_400))
    }

    /// Adds a webhook.
    func addWebhook(at url: String, events: [String] = []) async throws -> (id: String, secret: String) {
        let added = try await core.outbox.events.webhooks.add(
            url: url, events: events, origin: Origin(.admin, actor: "test"))
        return (added.webhook.id, added.secret.text)
    }

    /// Every delivery the store has, oldest first.
    func deliveries() async throws -> [EventDelivery] {
        try await core.outbox.events.list(QueueSelection(), includesSettled: true, limit: 1000)
    }
}

/// A backend that gets webhook messages.
struct EventReceiver: Sendable {
    let site: LocalSite

    var url: String { "http://127.0.0.1:\(site.port)/events?tenant=1" }

    /// The messages so far, each verified by the rules of Standard Webhooks with all of these secrets.
    func messages(signedWith secrets: String...) throws -> [JSONValue] {
        try site.visits.map { visit in
            guard visit.method == "POST", visit.headers["content-type"] == "application/json",
                let id = visit.headers["webhook-id"], let timestamp = visit.headers["webhook-timestamp"],
                let signatures = visit.headers["webhook-signature"]
            else { throw TestFailure("no message: \(visit)") }
            let expected = try secrets.map { secret in
                guard secret.hasPrefix("whsec_"), let key = Data(base64Encoded: String(secret.dropFirst(6))) else {
                    throw TestFailure("no secret")
                }
                let code = HMAC<SHA256>.authenticationCode(
                    for: Data("\(id).\(timestamp).\(visit.body)".utf8), using: SymmetricKey(data: key))
                return "v1,\(Data(code).base64EncodedString())"
            }
            guard signatures == expected.joined(separator: " ") else { throw TestFailure("signatures: \(signatures)") }
            let body = try JSONValue(parsing: Array(visit.body.utf8))
            guard body["id"]?.string == id else { throw TestFailure("the ids differ") }
            return body
        }
    }
}
