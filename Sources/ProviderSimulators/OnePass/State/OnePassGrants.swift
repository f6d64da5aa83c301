import Foundation
import ProviderKit

extension OnePassState {
    /// Adds to a user's grant to a client.
    ///
    /// - Returns: The grant's key: an absorbed account acts as its survivor.
    mutating func grant(_ scopes: [String], of personID: Int64, to clientID: String) -> GrantKey {
        let key = GrantKey(clientID: clientID, personID: survivor(of: personID))
        let known = grants[key]
        grants[key] = Grant(
            scopes: OnePassScopes.union(known?.scopes ?? [], scopes), subject: known?.subject ?? key.personID)
        return key
    }

    /// Revokes a user's grant to a client, with all tokens and unused codes.
    mutating func removeGrant(_ key: GrantKey) {
        grants[key] = nil
        memory.codes = memory.codes.filter { $0.value.grant != key }
        issuedTokens = issuedTokens.filter { $0.value.grant != key }
        refreshTokens = refreshTokens.filter { $0.value.grant != key }
    }

    /// Revokes every session of a user: browsers, refresh tokens, codes and personal keys. Access tokens stay valid
    /// until they expire: they are signed, not looked up.
    mutating func endSessions(of personID: Int64) {
        memory.sessions = memory.sessions.filter { $0.value != personID }
        memory.codes = memory.codes.filter { $0.value.grant.personID != personID }
        refreshTokens = refreshTokens.filter { $0.value.grant.personID != personID }
        personalKeys = personalKeys.filter { $0.value.personID != personID }
    }

    /// Deletes an account.
    mutating func removePerson(_ personID: Int64) {
        guard let person = person(personID) else { return }
        memory.people.removeAll { $0.id == personID }
        endSessions(of: personID)
        for key in grants.keys where key.personID == personID {
            emit(.userDeleted, about: ["sub": .string(person.subject)], to: [key.clientID])
            removeGrant(key)
        }
    }

    /// Disconnects a client from a user, as users can in their settings.
    ///
    /// - Returns: Whether the client had a grant.
    mutating func disconnect(_ clientID: String, from personID: Int64) -> Bool {
        let key = GrantKey(clientID: clientID, personID: personID)
        guard let grant = grants[key] else { return false }
        removeGrant(key)
        let subject = String(grant.subject)
        emit(.consentRevoked, about: ["sub": .string(subject)], to: [clientID])
        emit(.userUnlinked, about: ["sub": .string(subject)], to: [clientID])
        return true
    }
}
