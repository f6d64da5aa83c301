import ProviderKit

/// What 1Pass says about a person, in any of the shapes it says it in.
struct OnePassPerson: Sendable {
    /// Addresses 1Pass makes up for accounts without one; nobody receives mail there.
    private static let syntheticDomain = "@1pass.internal"

    /// Everything that was said, ID token and userinfo together.
    let claims: JSONObject
    /// The account the person came with. It stays when accounts merge.
    let subject: String

    /// - Throws: ``ProviderError`` when nobody is named.
    init(_ claims: JSONObject) throws(ProviderError) {
        guard let subject = claims["sub"]?.subject else {
            throw ProviderError(.upstream, at: .readProfile, "sub is neither a text nor a whole number")
        }
        self.claims = claims
        self.subject = subject
    }

    /// Nobody is known behind the account yet. Anything but a clear answer counts as such.
    var isAnonymous: Bool {
        guard let says = claims["anonymous"], !says.isNull else { return false }
        return says.bool ?? true
    }

    /// The account that stands for the person now, and those that went into it.
    var merge: ExternalIdentity.Merge? {
        let survivor = claims["canonical_sub"]?.subject ?? subject
        var seen: Set<[UInt8]> = [Array(survivor.utf8), Array(subject.utf8)]
        let linked = (claims["linked_subs"]?.array ?? []).compactMap { $0["sub"]?.subject ?? $0.subject }
        let absorbed = linked.filter { seen.insert(Array($0.utf8)).inserted }
        guard !absorbed.isEmpty || !survivor.utf8.elementsEqual(subject.utf8) else { return nil }
        return ExternalIdentity.Merge(survivor: survivor, absorbed: absorbed)
    }

    /// The address, unless 1Pass made it up; proven only where it says so.
    var email: ExternalIdentity.Email? {
        guard let address = claims["email"]?.string, !address.isEmpty,
            !address.lowercased().hasSuffix(Self.syntheticDomain)
        else { return nil }
        return .init(address, isVerified: claims["email_verified"]?.bool ?? false)
    }

    var displayName: String? {
        ["preferred_name", "full_name", "name"].lazy.compactMap { claims[$0]?.string }.first { !$0.isEmpty }
    }

    var pictureURL: String? { claims["picture"]?.string }
}

extension JSONValue {
    /// A subject: some of 1Pass's answers write it as text, some as a number.
    fileprivate var subject: String? {
        if let number = integer { return String(number) }
        return string.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension JSONObject {
    /// Both objects' members; where both have one, the other's.
    func overridden(by other: JSONObject) -> JSONObject {
        var merged = self
        for (name, value) in other { merged[name] = value }
        return merged
    }
}
