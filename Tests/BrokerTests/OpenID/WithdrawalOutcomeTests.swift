import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("The outcome of a withdrawal")
struct WithdrawalOutcomeTests {
    @Test func `is told to who has the receipt, after the deletion of the user, and to no one else`() async throws {
        try await TestProviders.run { broker, providers in
            let native = try await NativeApp(at: broker)
            let session = try await native.exchange(try providers.codeCredential(at: "gitlab.com"))
            let deleted = try await native.post(":delete", session)
            let receipt = try #require(deleted["broker"]?["withdrawals"]?.array?.first?["receipt"]?.string)

            let answer = try await broker.get("/v1/broker/withdrawals/\(receipt)")
            let others = [String(receipt.dropLast()), receipt + "0", receipt.uppercased() + "x", "%25", "*"]

            #expect(answer.status == 200, "\(answer.text)")
            #expect(
                answer.body == [
                    "kind": "broker#Withdrawal", "providerId": "gitlab.com", "state": "queued",
                    "receipt": .string(receipt),
                ])
            for other in others {
                #expect(try await broker.get("/v1/broker/withdrawals/\(other)").status == 404, "\(other)")
            }
        }
    }
}
