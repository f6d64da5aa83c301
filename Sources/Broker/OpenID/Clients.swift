package import BrokerStore
import Foundation
import ProviderKit

/// The apps that are registered at the broker as OpenID Provider. Read from the store on each use: what an operator
/// changes counts at once, in every broker on it.
package struct Clients: Sendable {
    let store: Store
    let keys: KeyGenerator
    let now: @Sendable () -> Date

    /// How long the secret before a rotation still counts: time enough to bring the new one to every server of an app.
    package static let secretOverlap = Duration.seconds(24 * 3600)

    /// The client with this `client_id`.
    package func client(id: String) async throws -> Client? {
        // What no id looks like the store need not be asked for.
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return try await store.read { try $0.client(id: id) }
    }

    /// All clients, in the order in which they were registered.
    package func all() async throws -> [Client] {
        try await store.read { try $0.clients() }
    }

    /// Registers an app.
    ///
    /// - Returns: The client, and its secret if it is confidential: the only time it is to be had.
    package func add(
        _ registration: ClientRegistration, origin: Origin
    ) async throws -> (client: Client, secret: ClientSecret?) {
        let date = now()
        let secret = registration.kind == .confidential ? ClientSecret.generate() : nil
        var registered = registration.client(
            key: keys.next(at: date), id: RandomText.alphanumeric(22), at: Timestamp(date))
        registered.secretHash = secret?.hash
        let client = registered
        let entry = entry("client.added", client.id, at: date, origin)
        try await store.write { transaction in
            try transaction.insert(client)
            try transaction.append(entry)
        }
        return (client, secret)
    }

    /// Changes a registered client. Its sessions and its secret stay as they are.
    ///
    /// - Returns: The client as it is now, with its registration for ``ClientRegistration/warnings(providerHosts:)``; `nil`
    ///   if there is no such client.
    /// - Throws: ``ClientRegistration/Refusal``, then nothing was written; or a store's error.
    package func update(
        id: String, _ changes: ClientChanges, origin: Origin
    ) async throws -> (client: Client, registration: ClientRegistration)? {
        let date = now()
        let entry = entry("client.updated", id, at: date, origin)
        return try await store.write { transaction in
            guard let current = try transaction.client(id: id) else { return nil }
            let registration = try ClientRegistration(current, changing: changes)
            let changed = registration.client(key: current.key, id: id, at: current.createdAt)
            guard let client = try transaction.update(changed) else { return nil }
            try transaction.append(entry)
            return (client, registration)
        }
    }

    /// Gives a confidential client another secret.
    ///
    /// - Parameters:
    ///   - id: The client.
    ///   - endsPrevious: Whether the secret of until now dies at once, since somebody else may know it.
    ///   - origin: Who does it.
    /// - Returns: The client and its new secret; `nil` if there is no such client with a secret.
    /// - Throws: A store's error.
    package func rotateSecret(
        ofClient id: String, endingPrevious endsPrevious: Bool, origin: Origin
    ) async throws -> (client: Client, secret: ClientSecret)? {
        let date = now()
        let secret = ClientSecret.generate()
        let until = Timestamp(date).advanced(by: Self.secretOverlap)
        let entry = entry("client.secret-rotated", id, at: date, origin)
        let client = try await store.write { transaction -> Client? in
            guard let current = try transaction.client(id: id)?.secretHash else { return nil }
            let previous = endsPrevious ? nil : Client.PreviousSecret(hash: current, until: until)
            let client = try transaction.rotateSecret(ofClient: id, hash: secret.hash, keeping: previous)
            try transaction.append(entry)
            return client
        }
        return client.map { ($0, secret) }
    }

    /// Removes a client and ends its sessions: their tokens are worth nothing from now on.
    ///
    /// - Returns: How many sessions were still alive; `nil` if there is no such client.
    package func remove(id: String, origin: Origin) async throws -> Int? {
        let date = now()
        let entry = entry("client.removed", id, at: date, origin)
        return try await store.write { transaction -> Int? in
            guard try transaction.removeClient(id: id) else { return nil }
            let count = try transaction.revokeSessions(
                ofClient: id, at: Timestamp(date), reason: "the client was removed")
            try transaction.append(entry)
            return count
        }
    }

    /// Whether a page at `origin` may be one of a client's own that runs in browsers.
    func areServed(at origin: String) async throws -> Bool {
        try await all().contains { client in
            client.kind == .public
                && client.redirectURIs.contains {
                    RedirectURI(registered: $0).origin?.hasSameBytes(as: origin) ?? false
                }
        }
    }

    private func entry(_ event: String, _ id: String, at date: Date, _ origin: Origin) -> AuditEntry {
        AuditEntry(
            event, of: nil, key: keys.next(at: date), at: Timestamp(date), origin, detail: ["client": .string(id)])
    }
}
