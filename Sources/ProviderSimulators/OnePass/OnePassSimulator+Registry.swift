extension OnePassSimulator {
    /// Adds a client registration, or replaces the one with the same client ID.
    @discardableResult
    public func register(_ application: Application) -> Application {
        core.withState { $0.put(application) }
        return application
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

    /// The person who wants to be called that, in any case.
    public func person(named name: String) -> Person? {
        core.snapshot.person(named: name)
    }

    /// Changes a person: another address, or a name for somebody anonymous. Does nothing when there is no such person.
    @discardableResult
    public func update(personID: Int64, _ change: (inout Person) -> Void) -> Person? {
        core.withState { state in
            guard var person = state.person(personID) else { return nil }
            change(&person)
            state.put(person, inPlaceOf: personID)
            return person
        }
    }

    /// Closes a person's account: their tokens stop working, and applications learn it by `user.deleted`.
    public func remove(personID: Int64) {
        core.withState { $0.removePerson(personID, now: clock.now) }
        core.sendWaiting()
    }
}
