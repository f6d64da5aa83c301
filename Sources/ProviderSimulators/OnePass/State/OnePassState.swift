import Foundation

/// Everything a 1Pass simulator remembers. Time comes in as a parameter, nothing here does I/O.
struct OnePassState: Sendable {
    /// Which person lets which application do something.
    struct GrantKey: Hashable, Sendable {
        let clientID: String
        let personID: Int64
    }

    /// What a person lets an application do.
    struct Grant: Sendable {
        var scopes: [String]
        /// The account the application knows the person by: the one that came first, whatever merged since.
        let subject: Int64
    }

    /// The address of the simulator, once it listens.
    var url = ""
    /// What tokens say about who made them, if not the address.
    let configuredIssuer: String?
    let keys: OnePassKeys
    var behaviour: OnePassSimulator.Behaviour
    var people: [OnePassSimulator.Person]
    var applications: [OnePassSimulator.Application]

    var grants: [GrantKey: Grant] = [:]
    /// Consent pages that await a decision, by their id.
    var consents: [String: OnePassAuthorization] = [:]
    var codes: [String: OnePassCode] = [:]
    var accessTokens: [String: OnePassAccessToken] = [:]
    var refreshTokens: [String: OnePassRefreshToken] = [:]
    var devices = DeviceCodes<Int64>()
    /// Who is signed in, by session cookie.
    var sessions: [String: Int64] = [:]
    var merges: [OnePassMerge] = []
    var mergeCredentials = OnePassMergeCredentials()
    /// Every event that ever happened, oldest first, and those no listener has taken yet.
    var events: [OnePassSimulator.Event] = []
    var waitingEvents: [OnePassSimulator.Event] = []
    var personalKeys: [String: OnePassPersonalKey] = [:]
    var deviceKeys: [String: OnePassDeviceKey] = [:]
    /// When device keys were exchanged, by person.
    var exchanges: [Int64: [Date]] = [:]

    init(_ options: OnePassSimulator.Options, application: OnePassSimulator.Application, keys: OnePassKeys) {
        configuredIssuer = options.issuer
        behaviour = options.behaviour
        people = options.people ?? OnePassSimulator.Person.examples()
        applications = [application]
        self.keys = keys
    }

    /// What 1Pass calls itself in tokens and in its discovery document.
    var issuer: String { configuredIssuer ?? url }

    func application(_ clientID: String?) -> OnePassSimulator.Application? {
        guard let clientID else { return nil }
        return applications.first { $0.clientID.utf8.elementsEqual(clientID.utf8) }
    }

    func person(_ id: Int64?) -> OnePassSimulator.Person? {
        people.first { $0.id == id }
    }

    func person(named name: String) -> OnePassSimulator.Person? {
        people.first { $0.preferredName?.lowercased() == name.lowercased() }
    }

    mutating func put(_ application: OnePassSimulator.Application) {
        applications.removeAll { $0.clientID == application.clientID }
        applications.append(application)
    }

    /// Stores a person at the place of the one they replace, or at the end.
    mutating func put(_ person: OnePassSimulator.Person, inPlaceOf id: Int64? = nil) {
        if let index = people.firstIndex(where: { $0.id == id ?? person.id }) {
            people[index] = person
        } else {
            people.append(person)
        }
    }
}
