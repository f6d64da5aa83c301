import BrokerStore
import Foundation
import ProviderKit

@testable import Broker

extension TestBroker {
    /// A worker as a server has one, whose turns the test takes.
    func withdrawalWorker(days: Int = 7) -> WithdrawalWorker {
        WithdrawalWorker(core.outbox.withdrawals, lifetime: .seconds(days * 86_400))
    }

    /// Every withdrawal the store has, oldest first.
    func withdrawals() async throws -> [Withdrawal] {
        try await core.outbox.withdrawals.list(QueueSelection(), includesSettled: true, limit: 1000)
    }

    /// The only withdrawal the store has.
    func withdrawal() async throws -> Withdrawal {
        let all = try await withdrawals()
        guard all.count == 1 else { throw TestFailure("\(all.count) withdrawals") }
        return all[0]
    }

    /// The access tokens that are stored for a user.
    func storedTokens(of session: Answer) async throws -> [String] {
        let localID = try session.string("localId")
        return try await core.store.read { [vault = core.stored.vault] transaction in
            guard let user = try transaction.user(localID: localID) else { return [] }
            let identities = try transaction.identities(of: user.key)
            return try transaction.grants(of: user.key).compactMap { grant in
                try identities.first { $0.key == grant.identityKey }.map { try vault.open(grant, of: $0).accessToken }
            }
        }
    }
}

extension Answer {
    /// The receipts of the answer.
    var receipts: [JSONValue] { body["broker"]?["withdrawals"]?.array ?? [] }
}
