import Foundation
import ProviderKit

extension ExternalIdentity {
    /// The fields that differ from `other`; empty when both are equal.
    func differences(
        from other: ExternalIdentity, comparingProfile: Bool = true, comparingGrant: Bool = true
    ) -> [String] {
        var fields: [String] = []
        func compare(_ name: String, _ isSame: Bool) {
            if !isSame { fields.append(name) }
        }
        compare("subject", subject.utf8.elementsEqual(other.subject.utf8))
        compare("merge", merge == other.merge)
        compare("transferSubject", transferSubject == other.transferSubject)
        compare("isAnonymous", isAnonymous == other.isAnonymous)
        compare("wasAnonymous", wasAnonymous == other.wasAnonymous)
        compare("email", email == other.email)
        compare("displayName", displayName == other.displayName)
        compare("givenName", givenName == other.givenName)
        compare("familyName", familyName == other.familyName)
        compare("screenName", screenName == other.screenName)
        compare("pictureURL", pictureURL == other.pictureURL)
        if comparingProfile { compare("profile", profile == other.profile) }
        if comparingGrant { compare("grant", grant.isSame(as: other.grant)) }
        return fields
    }

    /// The fields that assert more than `other`: another subject, merge or transfer subject, or a newly verified address.
    ///
    /// - Parameters:
    ///   - other: The valid identity.
    ///   - besidesSubject: Whether a different subject is ignored.
    /// - Returns: The names of the fields.
    func excesses(over other: ExternalIdentity, besidesSubject: Bool = false) -> [String] {
        var fields: [String] = []
        if !besidesSubject, !subject.utf8.elementsEqual(other.subject.utf8) { fields.append("subject") }
        if merge != nil, merge != other.merge { fields.append("merge") }
        if transferSubject != nil, transferSubject != other.transferSubject { fields.append("transferSubject") }
        if let email, email.isVerified, email != other.email { fields.append("verified e-mail address") }
        return fields
    }
}

extension UpstreamGrant? {
    func isSame(as other: UpstreamGrant?) -> Bool {
        self?.clientID == other?.clientID && self?.accessToken == other?.accessToken
            && self?.refreshToken == other?.refreshToken && self?.idToken == other?.idToken
            && self?.scopes == other?.scopes && self?.expiresAt == other?.expiresAt
    }
}
