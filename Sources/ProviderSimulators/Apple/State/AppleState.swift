import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting

/// The stored state of a simulated Apple.
public struct AppleState: SimulatorState {
    public typealias Person = AppleSimulator.Person
    public typealias Application = AppleSimulator.Application
    public typealias Endpoint = AppleSimulator.Endpoint

    /// The pair of user and team: consents, subjects and first sign-ins are per team.
    struct ConsentKey: Hashable, Sendable {
        let teamID: String
        let personID: String
    }

    public var memory: SimulatorMemory<Person, Application>
    /// The team of everything that names none.
    let teamID: String
    var behaviour: AppleSimulator.Behaviour
    /// Keys that client secrets are signed with, by their name.
    var keys: [String: AppleClientKey] = [:]
    /// The reasons of refused clients; the wire does not say.
    var clientRefusals: [AppleSimulator.ClientRefusal] = []

    /// The users as a team sees them; outlives the consent.
    var accounts: [ConsentKey: AppleAccount] = [:]
    var consents: [ConsentKey: AppleConsent] = [:]
    var tokens: [String: AppleToken] = [:]
    /// Apps that went from one team to another, by client ID.
    var transfers: [String: AppleTransfer] = [:]
    var migrationTokens: [String: AppleMigrationToken] = [:]
    /// The `transfer_sub` of users who are being migrated.
    var transferSubjects: [AppleTransfer.Passage: String] = [:]
    /// The same from the `transfer_sub`.
    var passages: [String: AppleTransfer.Passage] = [:]
    /// The users by the subjects of teams.
    var subjects: [AppleTeamSubject: String] = [:]
    /// Users of a large app, by identifier; the status page does not list them.
    var crowd: [String: Person] = [:]

    init(_ options: AppleSimulator.Options) {
        let teamID = options.teamID ?? RandomText.capital(10)
        self.teamID = teamID
        behaviour = options.behaviour
        memory = SimulatorMemory(
            people: options.people ?? Person.examples(),
            application: (options.application ?? Application()).belonging(to: teamID),
            mint: IDTokenMint {
                let keys = IssuerKeys(style: .alphanumeric(count: 10))
                // Apple publishes three to five keys at once.
                for _ in 0..<2 { keys.publishUnusedKey() }
                return keys
            })
        let native = options.nativeApplication ?? Application(kind: .native)
        memory.applications.insert(native.belonging(to: teamID), at: 0)
    }

    /// The issuer in `iss`.
    var issuer: String { behaviour.issuer == .own ? url : behaviour.issuer.rawValue }

    mutating func register(_ application: Application) -> Application {
        let application = application.belonging(to: teamID)
        memory.put(application)
        return application
    }

    /// The user with this identifier, of the crowd as well.
    func person(_ id: String) -> Person? { crowd[id] ?? memory.person(id) }

    /// The user under a client's team.
    func key(_ personID: String, _ clientID: String) -> ConsentKey {
        ConsentKey(teamID: application(clientID)?.teamID ?? teamID, personID: personID)
    }

    /// A signed ID token, honest or forged as the test wants it. Apple's name no type in their header.
    mutating func idToken(_ claims: AppleClaims) -> String {
        memory.mint.token(claims.object(&self), type: nil, now: now)
    }

    /// The published keys, in another order each time as at Apple.
    var keySet: JSONValue {
        ["keys": .array((memory.mint.keys.document["keys"]?.array ?? []).shuffled())]
    }
}

/// A user as a team names them.
struct AppleTeamSubject: Hashable, Sendable {
    let teamID: String
    let subject: String
}

extension AppleSimulator.Application {
    /// The registration with `teamID` where it names no team.
    fileprivate func belonging(to teamID: String) -> AppleSimulator.Application {
        var application = self
        if application.teamID.isEmpty { application.teamID = teamID }
        return application
    }
}
