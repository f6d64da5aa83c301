extension GitLabSimulator {
    /// Adds a client registration, or replaces the one with the same client ID.
    @discardableResult
    public func register(_ application: Application) -> Application {
        core.withState { state in
            state.applications.removeAll { $0.clientID == application.clientID }
            state.applications.append(application)
        }
        return application
    }

    /// Deletes a client registration, with every grant and token.
    public func remove(clientID: String) {
        core.withState { $0.removeApplication(clientID) }
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

    /// The person with this user name, in any case.
    public func person(username: String) -> Person? {
        core.snapshot.person(username: username)
    }

    /// Changes a person: a rename, another address. Does nothing when there is no such person.
    @discardableResult
    public func update(personID: Int64, _ change: (inout Person) -> Void) -> Person? {
        core.withState { state in
            guard var person = state.person(personID) else { return nil }
            change(&person)
            state.put(person, inPlaceOf: personID)
            return person
        }
    }

    /// Closes a person's account; their tokens stop working.
    public func remove(personID: Int64) {
        core.withState { state in
            state.people.removeAll { $0.id == personID }
            for key in state.grants.keys where key.personID == personID { state.removeGrant(key) }
        }
    }
}

extension GitLabState {
    /// Stores a person at the place of the one they replace, or at the end.
    mutating func put(_ person: GitLabSimulator.Person, inPlaceOf id: Int64? = nil) {
        if let index = people.firstIndex(where: { $0.id == id ?? person.id }) {
            people[index] = person
        } else {
            people.append(person)
        }
    }
}
