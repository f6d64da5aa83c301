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

    @Test func `no edited name or picture of a squatter stays with the owner`() async throws {
        try await EmailTakeover.run(.firebase) { broker in
            let emails = [GitHubSimulator.Person.Email(address: EmailTakeover.address)]
            let squatter = broker.simulator.add(.init(login: "squatter", emails: emails))
            let owner = broker.simulator.add(.init(login: "owner", emails: emails))
            let claim = try await broker.signIn(squatter, provider: "github.other")
            _ = try await broker.update(
                claim, ["displayName": "Squatter", "photoUrl": "https://pictures.example/squatter.png"])

            let session = try await broker.signIn(owner)

            let record = try await broker.record(session)
            #expect(session["localId"] == claim["localId"], "\(session.text)")
            #expect(
                record["displayName"] != "Squatter" && record["photoUrl"] != "https://pictures.example/squatter.png")
            #expect(try await broker.user(session.string("localId"))?.user.displayNameEditedAt == nil)
        }
    }

    @Test func `an unproven claim on an address keeps its owner out of nothing, under strict`() async throws {
        try await EmailTakeover.run(.strict) { broker in
            let emails = [GitHubSimulator.Person.Email(address: EmailTakeover.address)]
            let squatter = broker.simulator.add(.init(login: "squatter", emails: emails))
            let owner = broker.simulator.add(.init(login: "owner", emails: emails))
            let claim = try await broker.signIn(squatter, provider: "github.other")

            let mine = try await broker.signIn(owner, provider: "github.other")
            let again = try await broker.signIn(owner, provider: "github.other")

            #expect(mine["isNewUser"] == true && mine["localId"] != claim["localId"], "\(mine.text)")
            #expect(again["localId"] == mine["localId"])
            #expect(try await broker.record(mine)["email"] == nil)
            #expect(try await broker.record(claim)["email"]?.string == EmailTakeover.address)
            // The user that verifies the address gets it.
            let proven = try await broker.signIn(owner, provider: "github.com")
            #expect(try await broker.record(proven)["email"]?.string == EmailTakeover.address)
        }
    }

    @Test(arguments: ["own\u{FB01}er@example.com", "owner@example\u{3002}com", "owner@e\u{24E7}ample.com"])
    func `a look-alike of an address matches no user, under either policy`(address: String) async throws {
        for policy in [Policy.strict, .firebase] {
            try await EmailTakeover.run(policy) { broker in
                let owner = broker.simulator.add(.init(login: "owner", emails: [.init(address: EmailTakeover.address)]))
                let mallory = broker.simulator.add(.init(login: "mallory", emails: [.init(address: address)]))
                let session = try await broker.signIn(owner)

                let answer = try await broker.signIn(mallory, provider: "github.work")

                #expect(answer["isNewUser"] == true && answer["localId"] != session["localId"], "\(answer.text)")
                #expect(try await broker.record(answer)["email"] == nil)
            }
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
