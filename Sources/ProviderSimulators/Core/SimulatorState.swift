import Foundation

/// A user of a simulated provider.
public protocol SimulatorPerson: Identifiable, Sendable where ID: Sendable & LosslessStringConvertible {}

/// A client registration at a simulated provider.
public protocol SimulatorApplication: Sendable {
    /// The client identifier (RFC 6749 §2.2); unique.
    var clientID: String { get }
    /// The name on the consent page.
    var name: String { get }
}

/// The stored state of a simulated provider. The members are this module's own.
public protocol SimulatorState: Sendable {
    /// A user.
    associatedtype Person: SimulatorPerson
    /// A client registration.
    associatedtype Application: SimulatorApplication
    /// An endpoint that can be counted and made to fail.
    associatedtype Endpoint: Hashable, Sendable, CaseIterable, RawRepresentable<String>

    /// The state that all providers store.
    var memory: SimulatorMemory<Person, Application> { get set }
}

/// The stored state of all simulated providers: users, clients, codes, devices and browser sessions.
public struct SimulatorMemory<Person: SimulatorPerson, Application: SimulatorApplication>: Sendable {
    /// The base of the endpoints, once the server listens.
    var url = ""
    /// The time of the current request.
    var now = Date.distantPast
    var people: [Person]
    var applications: [Application]
    let defaultApplication: Application
    /// Consent pages that await a decision, by their id.
    var consents: [String: PendingConsent] = [:]
    /// Authorization codes, consumed and expired ones included for an hour.
    var codes: [String: SimulatedAuthorizationCode<Person.ID>] = [:]
    var devices = DeviceCodes<Person.ID>()
    /// The signed-in user of each browser, by session cookie.
    var sessions: [String: Person.ID] = [:]
    let mint: IDTokenMint

    init(people: [Person], application: Application, mint: IDTokenMint = IDTokenMint()) {
        self.people = people
        applications = [application]
        defaultApplication = application
        self.mint = mint
    }

    func application(_ clientID: String?) -> Application? {
        applications.first { $0.clientID.hasSameBytes(as: clientID) }
    }

    func person(_ id: Person.ID) -> Person? {
        people.first { $0.id == id }
    }

    /// The user whose identifier a form or a path carries.
    func person(_ text: String?) -> Person? {
        people.first { String($0.id).hasSameBytes(as: text) }
    }

    /// Stores a user at the place of the one that it replaces, or at the end.
    mutating func put(_ person: Person, inPlaceOf id: Person.ID? = nil) {
        if let index = people.firstIndex(where: { $0.id == id ?? person.id }) {
            people[index] = person
        } else {
            people.append(person)
        }
    }

    /// Stores a client registration in place of the one with the same client ID.
    mutating func put(_ application: Application) {
        applications.removeAll { $0.clientID.hasSameBytes(as: application.clientID) }
        applications.append(application)
    }

    /// The session cookie of a user who is signed in from now on.
    mutating func session(of personID: Person.ID) -> String {
        let session = sessions.first { $0.value == personID }?.key ?? RandomText.hex(32)
        sessions[session] = personID
        return session
    }

    /// Stores an authorization code for `lifetime` seconds.
    mutating func store(
        _ value: String, for request: SimulatedAuthorizationRequest, personID: Person.ID, scopes: [String],
        lifetime: TimeInterval
    ) -> String {
        // Consumed and expired codes stay for an hour: some providers distinguish them from unknown ones.
        codes = codes.filter { $0.value.expiresAt.addingTimeInterval(3600) > now }
        codes[value] = SimulatedAuthorizationCode(
            grant: .init(clientID: request.clientID, personID: personID), redirectURI: request.redirectURI,
            scopes: scopes, nonce: request.nonce, codeChallenge: request.codeChallenge,
            expiresAt: now.addingTimeInterval(lifetime))
        return value
    }

    /// The authorization code of this value.
    func code(_ value: String) -> SimulatedAuthorizationCode<Person.ID>? {
        value.isASCII ? codes[value] : nil
    }
}

/// The common members under short names.
extension SimulatorState {
    typealias GrantKey = SimulatorGrantKey<Person.ID>

    var url: String { memory.url }
    var now: Date { memory.now }
    var people: [Person] { memory.people }
    var applications: [Application] { memory.applications }

    func application(_ clientID: String?) -> Application? { memory.application(clientID) }
    func person(_ id: Person.ID) -> Person? { memory.person(id) }
    func person(_ text: String?) -> Person? { memory.person(text) }

    /// The signed-in user of the browser that sent this session cookie.
    func signedIn(_ session: String?) -> Person? {
        session.flatMap { memory.sessions[$0] }.flatMap { memory.person($0) }
    }
}
