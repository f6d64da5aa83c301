import Broker
import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@Suite("taking an account over by its address")
struct EmailTakeoverTests {
    @Test(arguments: EmailTakeover.allCases, Policy.Preset.allCases)
    func `nothing the attacker holds leads into the owner's account`(
        attack: EmailTakeover, preset: Policy.Preset
    ) async throws {
        try await EmailTakeover.run(Policy(preset)) { broker in
            let owner = broker.simulator.add(.init(login: "owner", emails: [.init(address: EmailTakeover.address)]))
            if !attack.isBeforeOwner { _ = try await broker.signIn(owner) }

            let loot = try await attack(on: broker)
            let session = try await broker.signIn(owner)

            let localID = try session.string("localId")
            for answer in loot.answers {
                #expect(try await !reaches(localID, with: answer, on: broker), "\(answer.text)")
            }
            for (person, provider) in loot.identities {
                let back = try await broker.signIn(person, provider: provider)
                #expect(back["idToken"] == nil || back["localId"]?.string != localID, "\(provider)")
            }
            let record = try await broker.record(session)
            #expect(record["email"]?.string == EmailTakeover.address && record["emailVerified"] == true)
            #expect(record["providerUserInfo"]?.array?.map { $0["providerId"] } == ["github.com"])
            #expect(record["providerUserInfo"]?.array?.first?["rawId"]?.string == String(owner.id))
            #expect(try await broker.signIn(owner)["localId"]?.string == localID)
        }
    }

    /// Whether the tokens of an answer, old as they are, still open the account.
    private func reaches(_ localID: String, with answer: Answer, on broker: TestBroker) async throws -> Bool {
        if let idToken = answer["idToken"]?.string {
            let users = try await broker.lookup(idToken)["users"]?.array ?? []
            if users.contains(where: { $0["localId"]?.string == localID }) { return true }
        }
        guard let refreshToken = answer["refreshToken"]?.string else { return false }
        return try await broker.refresh(refreshToken)["user_id"]?.string == localID
    }
}
