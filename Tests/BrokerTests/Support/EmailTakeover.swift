import Broker
import ProviderKit
import ProviderSimulators

/// An attack on the account of an address's owner, and the tokens that the attacker gets.
enum EmailTakeover: String, Sendable, CaseIterable {
    /// Signs up with the address, unproven, and waits for its owner.
    case squat
    /// The same with a second identity linked, as a back door.
    case squatWithSecondIdentity
    /// An account of the attacker's own takes the address in `accounts:update` and waits.
    case changeOfAddress
    /// The owner is there; the provider has not proven the address.
    case unprovenAddress
    /// The owner is there; a provider the operator does not trust says that it has proven it.
    case untrustedProvider
    /// The owner is there; the same provider has given the address to another user.
    case recycledAddress
    /// The owner is there; the pending token of a refused sign-in goes to an account of the attacker's.
    case pendingToken

    static let address = "owner@example.com"

    var isBeforeOwner: Bool {
        switch self {
        case .squat, .squatWithSecondIdentity, .changeOfAddress: true
        case .unprovenAddress, .untrustedProvider, .recycledAddress, .pendingToken: false
        }
    }

    /// The answers the attacker got and the identities to come back with.
    struct Loot: Sendable {
        var answers: [Answer] = []
        var identities: [(person: GitHubSimulator.Person, provider: String)] = []
    }

    /// Runs a broker with two trusted providers and one, `github.other`, that is not.
    static func run<Value>(_ policy: Policy, _ test: (TestBroker) async throws -> Value) async throws -> Value {
        try await TestBroker.run({ $0.policy = policy }) { simulator in
            [
                TestBroker.gitHub(simulator), TestBroker.gitHub(simulator, id: "github.work"),
                TestBroker.gitHub(simulator, id: "github.other", trustEmail: false),
            ]
        } _: { broker in
            try await test(broker)
        }
    }

    func callAsFunction(on broker: TestBroker) async throws -> Loot {
        let isVerified = self != .squat && self != .squatWithSecondIdentity && self != .unprovenAddress
        let emails = [GitHubSimulator.Person.Email(address: Self.address, verified: isVerified)]
        let imposter = broker.simulator.add(.init(login: "imposter", emails: emails))
        let mallory = broker.simulator.add(.init(login: "mallory", emails: []))
        var loot = Loot()
        switch self {
        case .squat, .unprovenAddress, .untrustedProvider, .squatWithSecondIdentity:
            loot = try await Self.signIn(imposter, "github.other", on: broker)
            guard self == .squatWithSecondIdentity, let squatted = loot.answers.first else { break }
            loot.answers.append(try await broker.link(mallory, to: squatted, provider: "github.work"))
            loot.identities.append((mallory, "github.work"))
        case .recycledAddress:
            loot = try await Self.signIn(imposter, "github.com", on: broker)
        case .changeOfAddress:
            loot = try await Self.signIn(mallory, "github.work", on: broker)
            guard let session = loot.answers.first else { break }
            loot.answers.append(try await broker.update(session, ["email": .string(Self.address)]))
        case .pendingToken:
            loot = try await Self.signIn(imposter, "github.other", on: broker)
            let pending = try loot.answers.first?.string("pendingToken") ?? ""
            let mine = try await broker.signIn(mallory, provider: "github.work")
            loot.identities.append((mallory, "github.work"))
            loot.answers += [mine, try await broker.usePending(pending)]
            loot.answers.append(try await broker.usePending(pending, idToken: mine.string("idToken")))
        }
        return loot
    }

    private static func signIn(
        _ person: GitHubSimulator.Person, _ provider: String, on broker: TestBroker
    ) async throws -> Loot {
        Loot(answers: [try await broker.signIn(person, provider: provider)], identities: [(person, provider)])
    }
}
