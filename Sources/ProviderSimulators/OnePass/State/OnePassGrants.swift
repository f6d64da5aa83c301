import Foundation
import ProviderKit

extension OnePassState {
    /// Adds to what a person lets an application do.
    ///
    /// - Returns: Whose grant it is: somebody whose account went into another one acts as that one.
    mutating func grant(_ scopes: [String], of personID: Int64, to clientID: String) -> GrantKey {
        let key = GrantKey(clientID: clientID, personID: survivor(of: personID))
        let known = grants[key]
        grants[key] = Grant(
            scopes: OnePassScopes.union(known?.scopes ?? [], scopes), subject: known?.subject ?? key.personID)
        return key
    }

    /// Ends what a person let an application do, with all tokens and unused codes.
    mutating func removeGrant(_ key: GrantKey) {
        grants[key] = nil
        codes = codes.filter { $0.value.grant != key }
        accessTokens = accessTokens.filter { $0.value.grant != key }
        refreshTokens = refreshTokens.filter { $0.value.grant != key }
    }

    /// Ends every session of a person: browsers, refresh tokens, codes and personal keys. Access tokens live on until
    /// they expire: they are signed, not looked up.
    mutating func endSessions(of personID: Int64) {
        sessions = sessions.filter { $0.value != personID }
        codes = codes.filter { $0.value.grant.personID != personID }
        refreshTokens = refreshTokens.filter { $0.value.grant.personID != personID }
        personalKeys = personalKeys.filter { $0.value.personID != personID }
    }

    /// Closes an account.
    mutating func removePerson(_ personID: Int64, now: Date) {
        guard let person = person(personID) else { return }
        people.removeAll { $0.id == personID }
        endSessions(of: personID)
        for key in grants.keys where key.personID == personID {
            emit(.userDeleted, about: ["sub": .string(person.subject)], to: [key.clientID], now: now)
            removeGrant(key)
        }
    }

    /// Takes an application off a person's list, as they can do themselves.
    ///
    /// - Returns: Whether it was on the list.
    mutating func disconnect(_ clientID: String, from personID: Int64, now: Date) -> Bool {
        let key = GrantKey(clientID: clientID, personID: personID)
        guard let grant = grants[key] else { return false }
        removeGrant(key)
        let subject = String(grant.subject)
        emit(.consentRevoked, about: ["sub": .string(subject)], to: [clientID], now: now)
        emit(.userUnlinked, about: ["sub": .string(subject)], to: [clientID], now: now)
        return true
    }
}
