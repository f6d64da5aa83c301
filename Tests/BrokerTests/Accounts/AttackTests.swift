import Broker
import BrokerStore
import Foundation
import ProviderKit
import ProviderSimulators
import Testing

@Suite("Attacks with another user's tokens and identities")
struct AttackTests {
    // A plain sign-in, a reauthentication and a link.
    @Test(arguments: ["", "autoCreate", "idToken"])
    func `another application's token is refused for a known user`(flow: String) async throws {
        try await TestBroker.run { broker in
            let victim = try await broker.signIn(broker.person("ada"))
            let mallory = try await broker.signUp()
            let before = [try await broker.record(victim), try await broker.record(mallory)]
            let foreign = broker.simulator.register(GitHubSimulator.Application(name: "Another app"))
            let token = broker.simulator.accessToken(for: try broker.person("ada"), application: foreign)
            var extra = JSONObject()
            if flow == "autoCreate" { extra["autoCreate"] = false }
            if flow == "idToken" { extra["idToken"] = mallory["idToken"] }

            let answer = try await broker.signIn(
                postBody: [("access_token", token), ("providerId", "github.com")], extra: extra)

            #expect(answer.status == 400 && answer.code == "INVALID_IDP_RESPONSE")
            #expect(answer["localId"] == nil && answer["pendingToken"] == nil && !answer.text.contains(token))
            #expect([try await broker.record(victim), try await broker.record(mallory)] == before)
        }
    }

    @Test func `an identity that one process signs in while another links it has one owner`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondBroker { other in
                for round in 0..<50 {
                    let person = broker.simulator.add(.init(login: "s\(round)", emails: []))
                    let session = try await broker.signUp()

                    async let linking = broker.link(person, to: session)
                    async let signingIn = other.signIn(person)
                    let (linked, signedIn) = try await (linking, signingIn)

                    #expect(signedIn.status == 200)
                    let owner = try signedIn.string("localId")
                    if linked.status == 200 {
                        #expect(owner == session["localId"]?.string, "round \(round)")
                    } else {
                        #expect(linked.code == "FEDERATED_USER_ID_ALREADY_LINKED", "round \(round)")
                        #expect(try await broker.record(session)["providerUserInfo"] == nil)
                    }
                    #expect(try await broker.signIn(person)["localId"]?.string == owner)
                }
            }
        }
    }

    @Test func `reuse of a refresh token revokes the session with its ID tokens, and no other session`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondBroker { other in
                let session = try await broker.signIn(broker.person("ada"))
                let bystander = try await broker.signIn(broker.person("ada"))
                let stolen = try session.string("refreshToken")
                let thief = try await other.refresh(stolen)
                let thiefLater = try await other.refresh(thief.string("refresh_token"))

                let victim = try await broker.refresh(stolen)

                #expect(victim.code == "TOKEN_EXPIRED")
                #expect(try await other.refresh(thiefLater.string("refresh_token")).code == "TOKEN_EXPIRED")
                let idTokens = [
                    try session.string("idToken"), try thief.string("id_token"), try thiefLater.string("id_token"),
                ]
                for process in [broker, other] {
                    for idToken in idTokens {
                        #expect(try await process.lookup(idToken).code == "TOKEN_EXPIRED")
                    }
                    #expect(try await process.lookup(bystander.string("idToken")).status == 200)
                }
                #expect(try await broker.refresh(bystander.string("refreshToken")).status == 200)
                #expect(try await broker.events(of: session.string("localId")).contains("session.reuse-detected"))
            }
        }
    }

    @Test func `one refresh token used in two processes at once has one successor`() async throws {
        try await TestBroker.run { broker in
            try await broker.withSecondBroker { other in
                var token = try await broker.signUp().string("refreshToken")
                for round in 0..<50 {
                    let current = token
                    async let one = broker.refresh(current)
                    async let two = other.refresh(current)
                    let answers = try await [one, two]

                    #expect(answers.allSatisfy { $0.status == 200 }, "round \(round)")
                    let successors = Set(try answers.map { try $0.string("refresh_token") })
                    #expect(successors.count == 1, "round \(round)")
                    token = try #require(successors.first)
                }
            }
        }
    }

    /// Runs a test with another process's half of a broker, reached over HTTP as well.
}
