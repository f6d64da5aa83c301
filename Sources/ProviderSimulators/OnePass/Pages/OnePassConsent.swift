extension OnePassSimulator.Person {
    /// What the simulator's own pages call a person.
    var displayName: String { preferredName ?? fullName ?? "account \(id)" }

    /// What tells people apart who are called the same.
    var note: String {
        let marks = [isAnonymous ? "anonymous" : nil, email.map(\.description) ?? "no address"]
        return marks.compactMap(\.self).joined(separator: " · ")
    }
}

extension OnePassSimulator.Person.Email {
    fileprivate var description: String { verified == true ? address : address + " (not verified)" }
}

extension ConsentForm.Choice {
    init(_ person: OnePassSimulator.Person) {
        self.init(
            id: String(person.id), name: person.displayName, note: person.note, picturePath: "/pictures/\(person.id)")
    }
}

extension ConsentForm.Permission {
    init(onePassScope scope: String) {
        self.init(scope: scope, meaning: OnePassScopes.meanings[scope])
    }
}
