import BrokerStore
import ProviderKit
import ProviderSimulators
import Testing

@testable import Broker

@Suite("an address that changes between the provider and the link")
struct ChangedAddressTests {
    /// Moves an address from one user to another, as administrators do.
    private static func move(_ address: String, from former: String, to next: String, _ broker: TestBroker) async throws
    {
        try await broker.core.store.write(at: Timestamp(broker.clock.now)) { transaction in
            let holder = try #require(try transaction.user(localID: former))
            let successor = try #require(try transaction.user(localID: next))
            _ = try transaction.setEmail(
                of: holder.key, email: "moved@example.com", canonical: "moved@example.com", verified: true,
                assertedBy: nil, at: transaction.now)
            let isMoved = try transaction.setEmail(
                of: successor.key, email: address, canonical: address, verified: true, assertedBy: nil,
                at: transaction.now)
            #expect(isMoved)
        }
    }

    private static func providers(of session: Answer, _ broker: TestBroker) async throws -> Int? {
        try await broker.record(session)["providerUserInfo"]?.array?.count
    }

    @Test func `at the broker decides nothing: a pending token is its user's alone`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let other = try await broker.signIn(broker.person("ben"))
            let address = try #require(try await broker.record(holder)["email"]?.string)
            let refused = try await broker.signIn(broker.person("ada"), provider: "github.work")
            #expect(refused["needConfirmation"] == true)
            try await Self.move(
                address, from: holder.string("localId"), to: other.string("localId"), broker)
            let (holderIdentities, otherIdentities) = (
                try await Self.providers(of: holder, broker), try await Self.providers(of: other, broker)
            )

            let signIn = try await broker.usePending(refused.string("pendingToken"))
            let link = try await broker.usePending(
                refused.string("pendingToken"), idToken: holder.string("idToken"))

            // Nothing leads into the account that has the address now.
            #expect(signIn["idToken"] == nil, "\(signIn.text)")
            #expect(
                link.code?.hasPrefix("EMAIL_EXISTS") == true || link["localId"] == holder["localId"], "\(link.text)")
            #expect(try await Self.providers(of: other, broker) == otherIdentities)
            #expect(try await broker.record(other)["email"]?.string == address)
            #expect(try await broker.record(holder)["email"] == "moved@example.com")
            if link.status != 200 { #expect(try await Self.providers(of: holder, broker) == holderIdentities) }
        }
    }

    @Test func `at the provider decides nothing: the link is of the identity that was proven`() async throws {
        try await TestBroker.runWithTwoProviders { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let other = try await broker.signIn(broker.person("ben"))
            let otherAddress = try #require(try await broker.record(other)["email"]?.string)
            let refused = try await broker.signIn(broker.person("ada"), provider: "github.work")
            broker.simulator.update(personID: try broker.person("ada").id) {
                $0.emails = [.init(address: otherAddress)]
            }

            let linked = try await broker.usePending(
                refused.string("pendingToken"), idToken: holder.string("idToken"))

            #expect(linked.status == 200 && linked["localId"] == holder["localId"], "\(linked.text)")
            #expect(try await Self.providers(of: holder, broker) == 2)
            #expect(try await Self.providers(of: other, broker) == 1)
            #expect(try await broker.record(holder)["email"] != .string(otherAddress))
        }
    }

    @Test func `while the provider answers is read with the decision, not before`() async throws {
        try await TestBroker.runWithTwoProviders {
            $0.policy = .firebase
        } _: { broker in
            let holder = try await broker.signIn(broker.person("ada"))
            let other = try await broker.signIn(broker.person("ben"))
            let address = try #require(try await broker.record(holder)["email"]?.string)
            let gate = SimulatorGate()
            broker.simulator.fail(.emails, with: .hold(at: gate))
            async let joining = broker.signIn(broker.person("ada"), provider: "github.work")
            await gate.arrivals(1)
            try await Self.move(
                address, from: holder.string("localId"), to: other.string("localId"), broker)
            gate.open()

            let joined = try await joining

            // The holder at the commit is joined (S2), not the one before.
            #expect(joined["localId"] == other["localId"], "\(joined.text)")
            #expect(try await Self.providers(of: holder, broker) == 1)
        }
    }
}
