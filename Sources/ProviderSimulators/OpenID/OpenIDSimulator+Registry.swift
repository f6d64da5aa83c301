extension OpenIDSimulator {
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

    /// Adds a person, or replaces the one with the same subject.
    @discardableResult
    public func add(_ person: Person) -> Person {
        core.withState { $0.put(person) }
        return person
    }

    /// The people who have an account.
    public func people() -> [Person] {
        core.snapshot.people
    }

    /// The person with this subject.
    public func person(subject: String) -> Person? {
        core.snapshot.person(subject)
    }

    /// Changes a person. Does nothing when there is no such person.
    @discardableResult
    public func update(subject: String, _ change: (inout Person) -> Void) -> Person? {
        core.withState { state in
            guard var person = state.person(subject) else { return nil }
            change(&person)
            state.put(person, inPlaceOf: subject)
            return person
        }
    }

    /// Closes a person's account; their tokens stop working.
    public func remove(subject: String) {
        core.withState { state in
            state.people.removeAll { $0.subject.isSame(as: subject) }
            state.removeGrants { $0.subject.isSame(as: subject) }
        }
    }
}
