import ProviderKit

/// A user's profile at 1Pass, in any of its response formats.
struct OnePassProfile: Sendable {
    /// The domain of generated addresses of accounts without one, which receive no mail.
    private static let syntheticDomain = "@1pass.internal"

    /// The claims of ID token and userinfo.
    let claims: JSONObject
    /// The subject of the sign-in's account. It stays the same when accounts are merged.
    let subject: String

    /// - Throws: ``ProviderError`` when there is no subject, or the claims contradict each other about it.
    init(_ claims: JSONObject) throws(ProviderError) {
        guard let subject = claims["sub"]?.subject else {
            throw ProviderError(.upstream, at: .readProfile, "sub is neither a string nor an integer")
        }
        if claims["is_canonical"]?.bool == true, let canonical = claims["canonical_sub"]?.subject,
            !canonical.utf8.elementsEqual(subject.utf8)
        {
            throw ProviderError(
                .upstream, at: .readProfile, "is_canonical is true, and canonical_sub is another account than sub")
        }
        self.claims = claims
        self.subject = subject
    }

    /// Whether the account has no known user. Only an explicit value makes it known.
    var isAnonymous: Bool {
        guard let says = claims["anonymous"], !says.isNull else { return false }
        return says.bool ?? true
    }

    /// Whether the account began without a known user. Accounts that 1Pass says nothing of did not.
    var wasAnonymous: Bool { claims["previously_anonymous"]?.bool ?? false }

    /// The remaining account, and the accounts that were merged into it.
    var merge: ExternalIdentity.Merge? {
        let survivor = claims["canonical_sub"]?.subject ?? subject
        var seen: Set<[UInt8]> = [Array(survivor.utf8), Array(subject.utf8)]
        let linked = claims["linked_subs"]?.array ?? []
        let absorbed = linked.compactMap(\.linkedSubject).filter { seen.insert(Array($0.utf8)).inserted }
        guard !absorbed.isEmpty || !survivor.utf8.elementsEqual(subject.utf8) else { return nil }
        let proven = linked.filter(\.isProvenLink).compactMap(\.linkedSubject)
        return ExternalIdentity.Merge(survivor: survivor, absorbed: absorbed, proven: proven)
    }

    /// The address, unless 1Pass generated it; verified only where 1Pass asserts it.
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
    /// The subject of an element of `linked_subs`, which is an object or the subject alone.
    fileprivate var linkedSubject: String? { self["sub"]?.subject ?? subject }

    /// Whether an element of `linked_subs` is an account that its user has merged by proving it. The trigger
    /// `t2_email_match` proves nothing, and neither does one this plugin does not know.
    var isProvenLink: Bool {
        guard let trigger = self["merged_via"]?.string else { return false }
        return ["t1_device_link", "t3_otp", "session_token"].contains { $0.utf8.elementsEqual(trigger.utf8) }
    }

    /// A subject, which 1Pass sends as a string or as a number.
    var subject: String? {
        if let number = integer { return String(number) }
        return string.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension JSONObject {
    /// The members of both objects, with precedence of the other's.
    func overridden(by other: JSONObject) -> JSONObject {
        var merged = self
        for (name, value) in other { merged[name] = value }
        return merged
    }
}
