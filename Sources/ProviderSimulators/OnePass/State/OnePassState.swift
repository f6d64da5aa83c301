import Foundation
import ProviderKit
import ProviderKitTesting

/// The stored state of a simulated 1Pass.
public struct OnePassState: SimulatorState {
    public typealias Person = OnePassSimulator.Person
    public typealias Application = OnePassSimulator.Application
    public typealias Endpoint = OnePassSimulator.Endpoint

    /// A user's grant to a client.
    struct Grant: Sendable {
        var scopes: [String]
        /// The account that the client knows the user by: the first one, whatever merged since.
        let subject: Int64
    }

    public var memory: SimulatorMemory<Person, Application>
    /// The issuer, where it is not the address.
    let configuredIssuer: String?
    var behaviour: OnePassSimulator.Behaviour
    /// Signs access tokens, with the keys of ID tokens.
    let accessTokens: IDTokenMint
    /// When the signing key was last rotated.
    var rotatedAt: Date?

    var grants: [GrantKey: Grant] = [:]
    var issuedTokens: [String: OnePassAccessToken] = [:]
    var refreshTokens: [String: OnePassRefreshToken] = [:]
    var merges: [OnePassMerge] = []
    var mergeCredentials = OnePassMergeCredentials()
    /// Every event, oldest first, and those that no listener has accepted yet.
    var events: [OnePassSimulator.Event] = []
    var waitingEvents: [OnePassSimulator.Event] = []
    var personalKeys: [String: OnePassPersonalKey] = [:]
    var deviceKeys: [String: OnePassDeviceKey] = [:]
    /// When device keys were exchanged, by user.
    var exchanges: [Int64: [Date]] = [:]

    init(_ options: OnePassSimulator.Options) {
        // RSA keys with hexadecimal names, beside a key of another type that clients must ignore.
        let idTokens = IDTokenMint {
            let keys = IssuerKeys(style: .hexadecimal(count: 16))
            keys.publishUnusedKey(.es256)
            return keys
        }
        memory = SimulatorMemory(
            people: options.people ?? Person.examples(), application: options.application ?? Application(),
            mint: idTokens)
        accessTokens = IDTokenMint { idTokens.keys }
        configuredIssuer = options.issuer
        behaviour = options.behaviour
    }

    /// The issuer of tokens and of the discovery document.
    var issuer: String { configuredIssuer ?? url }

    func person(preferredName name: String) -> Person? {
        people.first { $0.preferredName?.lowercased() == name.lowercased() }
    }

    /// Signs with a new key from now on; the earlier one stays published for ninety days.
    mutating func rotateKeys() {
        memory.mint.keys.rotate()
        rotatedAt = now
    }

    /// The published key set.
    var keySet: JSONValue {
        if let rotatedAt, now >= rotatedAt.addingTimeInterval(90 * 86_400) { memory.mint.keys.retireEarlierKeys() }
        return memory.mint.keys.document
    }
}
