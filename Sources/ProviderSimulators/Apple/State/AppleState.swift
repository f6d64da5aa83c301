import Foundation

/// Everything an Apple simulator remembers. Pure: time comes in as a parameter, nothing here does I/O.
struct AppleState: Sendable {
    /// Which person uses which team's apps: Apple asks, names and forgets people per team.
    struct ConsentKey: Hashable, Sendable {
        let teamID: String
        let personID: String
    }

    /// The address of the simulator, once it listens.
    var url = ""
    /// The team things belong to unless they say otherwise.
    let teamID: String
    var behaviour: AppleSimulator.Behaviour
    var people: [AppleSimulator.Person]
    var applications: [AppleSimulator.Application] = []
    /// Keys client secrets are signed with, by their name.
    var keys: [String: AppleClientKey] = [:]
    /// Why clients were turned away; the wire does not say.
    var clientRefusals: [AppleSimulator.ClientRefusal] = []

    /// What a team sees of a person; outlives the person's consent.
    var accounts: [ConsentKey: AppleAccount] = [:]
    var consents: [ConsentKey: AppleConsent] = [:]
    /// Consent pages that await a decision, by their id.
    var pages: [String: AppleAuthorization] = [:]
    var codes: [String: AppleCode] = [:]
    var tokens: [String: AppleToken] = [:]
    /// Apps that went from one team to another, by client ID.
    var transfers: [String: AppleTransfer] = [:]
    var migrationTokens: [String: AppleMigrationToken] = [:]
    /// Where people of one team are on the way to another.
    var transferSubjects: [AppleTransfer.Passage: String] = [:]

    init(_ options: AppleSimulator.Options, teamID: String) {
        self.teamID = teamID
        behaviour = options.behaviour
        people = options.people ?? AppleSimulator.Person.examples()
    }

    /// What Apple calls itself in `iss`.
    var issuer: String { behaviour.issuer == .own ? url : behaviour.issuer.rawValue }

    func application(_ clientID: String?) -> AppleSimulator.Application? {
        guard let clientID else { return nil }
        return applications.first { $0.clientID.utf8.elementsEqual(clientID.utf8) }
    }

    func person(_ id: String?) -> AppleSimulator.Person? {
        people.first { $0.id == id }
    }

    func person(givenName: String) -> AppleSimulator.Person? {
        people.first { $0.givenName?.lowercased() == givenName.lowercased() }
    }

    /// Stores a person at the place of the one they replace, or at the end.
    mutating func put(_ person: AppleSimulator.Person) {
        if let index = people.firstIndex(where: { $0.id == person.id }) {
            people[index] = person
        } else {
            people.append(person)
        }
    }

    /// Stores a registration at the place of the one it replaces, or at the end.
    mutating func register(_ application: AppleSimulator.Application) -> AppleSimulator.Application {
        var application = application
        if application.teamID.isEmpty { application.teamID = teamID }
        applications.removeAll { $0.clientID == application.clientID }
        applications.append(application)
        return application
    }

    /// Under what a person is known to a client's team.
    func key(_ personID: String, _ clientID: String) -> ConsentKey {
        ConsentKey(teamID: application(clientID)?.teamID ?? teamID, personID: personID)
    }
}
