import Broker
import BrokerStore
import Foundation
import OAuth
import ProviderKit

/// People who signed in before: a user each, with an identity at ``StubProvider`` and a session.
enum Population {
    private static let rowsPerTransaction = 500

    /// Fills an empty `store` with `count` of them and returns them in the order of their numbers, from 0.
    static func settle(
        _ count: Int, in store: Store, at now: Timestamp = Timestamp(Date())
    ) async throws -> [SessionFacts] {
        let keys = KeyGenerator()
        let people = (0..<count).map { person($0, keys, now) }
        for start in stride(from: 0, to: count, by: rowsPerTransaction) {
            let some = people[start..<min(start + rowsPerTransaction, count)]
            try await store.write { transaction in
                for person in some {
                    guard try transaction.insert(person.user) else { throw BenchmarkFailure("the store is not empty") }
                    for identity in person.identities { _ = try transaction.insert(identity) }
                    try transaction.insert(person.session)
                }
            }
        }
        return people
    }

    private static func person(_ number: Int, _ keys: KeyGenerator, _ now: Timestamp) -> SessionFacts {
        let email = StubProvider.email(number)
        let user = User(
            key: keys.next(at: now.date), localID: RandomText.alphanumeric(28), email: email, emailCanonical: email,
            isEmailVerified: true, emailAssertedBy: StubProvider.entryID, emailAssertedAt: now,
            displayName: StubProvider.displayName, photoURL: StubProvider.pictureURL, createdAt: now, lastLoginAt: now,
            lastRefreshAt: now)
        let identity = Identity(
            key: keys.next(at: now.date), userKey: user.key,
            identity: IdentityKey(
                provider: StubProvider.entryID, issuer: StubProvider.serviceURL, subject: StubProvider.subject(number)),
            email: email, isEmailVerified: true, displayName: StubProvider.displayName,
            photoURL: StubProvider.pictureURL, profile: StubProvider.profile(number).serialized(), linkedAt: now,
            lastSignInAt: now)
        let session = Session(
            key: keys.next(at: now.date), id: RandomText.alphanumeric(22), userKey: user.key,
            signInProvider: StubProvider.entryID, authTime: now.seconds, createdAt: now, epoch: user.epoch)
        return SessionFacts(session: session, user: user, identities: [identity])
    }
}
