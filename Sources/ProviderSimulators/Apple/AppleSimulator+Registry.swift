extension AppleSimulator {
    /// Adds a client registration, or replaces the one with the same client ID.
    @discardableResult
    public func register(_ application: Application) -> Application {
        core.withState { $0.register(application) }
    }

    /// The client registrations.
    public func applications() -> [Application] {
        core.snapshot.applications
    }

    /// Adds a person, or replaces the one with the same identifier.
    @discardableResult
    public func add(_ person: Person) -> Person {
        core.withState { $0.put(person) }
        return person
    }

    /// The people who have an account.
    public func people() -> [Person] {
        core.snapshot.people
    }

    /// The person with this given name, in any case.
    public func person(givenName: String) -> Person? {
        core.snapshot.person(givenName: givenName)
    }

    /// Changes a person: another name, another address. Does nothing when there is no such person.
    @discardableResult
    public func update(personID: String, _ change: (inout Person) -> Void) -> Person? {
        core.withState { state in
            guard var person = state.person(personID) else { return nil }
            change(&person)
            person.id = personID
            state.put(person)
            return person
        }
    }

    /// Closes a person's account; what they granted ends.
    public func remove(personID: String) {
        core.withState { state in
            state.people.removeAll { $0.id == personID }
            for key in state.consents.keys where key.personID == personID { state.removeConsent(key) }
        }
    }

    /// Whom an application's tokens name when they are about `person`: the same for all clients of a team.
    public func subject(of person: Person, for application: Application) -> String {
        core.withState { $0.account($0.key(person.id, application.clientID)).subject }
    }

    /// The relay address an application's team gets for `person`.
    public func relayAddress(of person: Person, for application: Application) -> String {
        core.withState { $0.account($0.key(person.id, application.clientID)).relayAddress }
    }
}
