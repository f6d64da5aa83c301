package import BrokerStore
import OAuth
import ProviderKit

/// The registered OAuth clients. They are read from the store on each use, so a change takes effect at once in every broker;
/// only the origins of their pages are in memory.
package struct Clients: StoreLayer {
    package let stored: StoreContext
    /// The origins of the pages of public clients.
    package let origins: ClientOrigins

    init(_ stored: StoreContext) {
        self.stored = stored
        origins = ClientOrigins(stored)
    }

    /// How long the previous secret stays valid after a rotation, to bring the new one to every server of a client.
    package static let secretOverlap = Duration.seconds(24 * 3600)

    /// The client with this `client_id`.
    package func client(id: String) async throws -> Client? {
        // The store is not asked for what cannot be an id.
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return try await store.pointRead { try $0.client(id: id) }
    }

    /// All clients, in the order in which they were registered.
    package func all() async throws -> [Client] {
        try await store.read { try $0.clients() }
    }

    /// The names of all clients, by their ids.
    func names() async throws -> [String: String] {
        Dictionary(try await all().map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// The content of a client's logo.
    ///
    /// - Parameters:
    ///   - name: As the client has it.
    ///   - id: The client.
    /// - Returns: The bytes that were checked; nil where the client has no such logo.
    /// - Throws: A store's error.
    package func logo(named name: String, ofClient id: String) async throws -> [UInt8]? {
        guard let client = try await client(id: id) else { return nil }
        return try await store.pointRead { try $0.logo(named: name, of: client) }
    }

    /// Registers a client.
    ///
    /// - Returns: The client, and its secret if it is confidential. The secret is not stored, so this is the only time.
    package func add(
        _ registration: ClientRegistration, origin: Origin
    ) async throws -> (client: Client, secret: ClientSecret?) {
        let secret = registration.kind == .confidential ? ClientSecret.generate() : nil
        let id = RandomText.alphanumeric(22)
        let client = try await write(by: origin) { transaction in
            var client = registration.client(key: transaction.nextKey(), id: id, at: transaction.now)
            client.secretHash = secret?.hash
            try transaction.insert(client)
            try transaction.keepLogos(of: client, adding: registration.presentation.newLogos(of: client))
            try transaction.audit("client.added", of: nil, detail: ["client": .string(id)])
            return client
        }
        await haveChanged()
        return (client, secret)
    }

    /// Changes a registered client. Its sessions and its secret stay as they are.
    ///
    /// - Returns: The client as it is now, with its registration for ``ClientRegistration/warnings(providerHosts:)``; `nil`
    ///   if there is no such client.
    /// - Throws: ``AdminFailure``, then nothing was written; or a store's error.
    package func update(
        id: String, _ changes: ClientChanges, origin: Origin
    ) async throws -> (client: Client, registration: ClientRegistration)? {
        let updated = try await write(by: origin) {
            transaction -> (client: Client, registration: ClientRegistration)? in
            guard let current = try transaction.client(id: id) else { return nil }
            let registration = try ClientRegistration(current, changing: changes)
            let changed = registration.client(key: current.key, id: id, at: current.createdAt)
            guard let client = try transaction.update(changed) else { return nil }
            try transaction.keepLogos(of: client, adding: registration.presentation.newLogos(of: client))
            try transaction.audit("client.updated", of: nil, detail: ["client": .string(id)])
            return (client, registration)
        }
        await haveChanged()
        return updated
    }

    /// Rotates the secret of a confidential client.
    ///
    /// - Parameters:
    ///   - id: The client.
    ///   - endsPrevious: Whether the previous secret becomes invalid at once, for a compromised one.
    ///   - origin: The administrator, for the audit.
    /// - Returns: The client and its new secret; `nil` if there is no such client with a secret.
    /// - Throws: A store's error.
    package func rotateSecret(
        ofClient id: String, endingPrevious endsPrevious: Bool, origin: Origin
    ) async throws -> (client: Client, secret: ClientSecret)? {
        let secret = ClientSecret.generate()
        let client = try await write(by: origin) { transaction -> Client? in
            guard let current = try transaction.client(id: id)?.secretHash else { return nil }
            let until = transaction.now.advanced(by: Self.secretOverlap)
            let previous = endsPrevious ? nil : Client.PreviousSecret(hash: current, until: until)
            let client = try transaction.rotateSecret(ofClient: id, hash: secret.hash, keeping: previous)
            try transaction.audit("client.secret-rotated", of: nil, detail: ["client": .string(id)])
            return client
        }
        return client.map { ($0, secret) }
    }

    /// Deletes a client and ends its sessions, which makes their tokens invalid.
    ///
    /// - Returns: How many sessions had not ended; `nil` if there is no such client.
    package func remove(id: String, origin: Origin) async throws -> Int? {
        let ended = try await write(by: origin) { transaction -> Int? in
            guard try transaction.removeClient(id: id) else { return nil }
            let count = try transaction.revokeSessions(
                ofClient: id, at: transaction.now, reason: "the client was removed")
            try transaction.audit("client.removed", of: nil, detail: ["client": .string(id)])
            return count
        }
        await haveChanged()
        return ended
    }

    /// Has this process know a change at once that was committed.
    private func haveChanged() async {
        store.forgetEventSubscriptions()
        // In an outage that begins now, the change is known with the next periodic read.
        try? await origins.reload()
    }
}
