import Foundation

/// Everything an OpenID simulator remembers. Pure: time comes in as a parameter, nothing here does I/O.
struct OpenIDState: Sendable {
    /// The address of the simulator, once it listens: its issuer.
    var url = ""
    var people: [OpenIDSimulator.Person]
    var applications: [OpenIDSimulator.Application]
    /// What it says that is not true.
    var lies = OpenIDSimulator.Lies()

    /// Consent pages that await a decision, by their id.
    var consents: [String: OpenIDAuthorization] = [:]
    var codes: [String: OpenIDCode] = [:]
    /// What people granted, by the number that their tokens carry.
    var grants: [Int: OpenIDGrant] = [:]
    var accessTokens: [String: OpenIDToken] = [:]
    var refreshTokens: [String: OpenIDToken] = [:]
    var devices = DeviceCodes<String>()
    /// `jti` of client assertions that were used.
    var usedAssertions: Set<String> = []
    private var nextGrant = 1

    init(_ options: OpenIDSimulator.Options, application: OpenIDSimulator.Application) {
        people = options.people ?? OpenIDSimulator.Person.examples()
        applications = [application]
    }

    func application(_ clientID: String?) -> OpenIDSimulator.Application? {
        applications.first { $0.clientID.isSame(as: clientID) }
    }

    func person(_ subject: String?) -> OpenIDSimulator.Person? {
        people.first { $0.subject.isSame(as: subject) }
    }

    /// Stores a person at the place of the one they replace, or at the end.
    mutating func put(_ person: OpenIDSimulator.Person, inPlaceOf subject: String? = nil) {
        if let index = people.firstIndex(where: { $0.subject.isSame(as: subject ?? person.subject) }) {
            people[index] = person
        } else {
            people.append(person)
        }
    }

    /// Adds a registration, or replaces the one with the same client ID.
    mutating func put(_ application: OpenIDSimulator.Application) {
        applications.removeAll { $0.clientID.isSame(as: application.clientID) }
        applications.append(application)
    }

    /// Keeps what a person granted, and returns its number.
    mutating func keep(_ grant: OpenIDGrant) -> Int {
        defer { nextGrant += 1 }
        grants[nextGrant] = grant
        return nextGrant
    }

    /// Ends some grants with all their tokens.
    mutating func removeGrants(where isOver: (OpenIDGrant) -> Bool) {
        grants = grants.filter { !isOver($0.value) }
        let alive = Set(grants.keys)
        accessTokens = accessTokens.filter { alive.contains($0.value.grant) }
        refreshTokens = refreshTokens.filter { alive.contains($0.value.grant) }
    }

    /// Ends one grant with all its tokens.
    mutating func removeGrant(_ number: Int) {
        grants[number] = nil
        accessTokens = accessTokens.filter { $0.value.grant != number }
        refreshTokens = refreshTokens.filter { $0.value.grant != number }
    }
}
