import Foundation
import HTTPTypes
import ProviderKit

/// `POST /auth/usermigrationinfo`: migrates users when an app goes to another team.
extension AppleState {
    mutating func migrate(_ form: FormFields, bearer: String?) throws(OAuthFailure) -> JSONObject {
        let caller = try migrationCaller(form)
        guard let bearer, bearer.isASCII, let token = migrationTokens[bearer], token.expiresAt > now,
            token.teamID == caller.team || behaviour.acceptsForeignMigrationToken
        else { throw .appleInvalidToken }
        if let subject = form["sub"], let target = form["target"] {
            guard let personID = person(subject: subject, team: caller.team) else {
                throw .invalidRequest("The user is unknown or has stopped using the app.")
            }
            let passage = AppleTransfer.Passage(personID: personID, from: caller.team, to: target)
            return ["transfer_sub": .string(transferSubject(passage))]
        }
        guard let transferSubject = form["transfer_sub"] else {
            throw .invalidRequest("sub with target, or transfer_sub, is missing.")
        }
        return try exchange(transferSubject, caller)
    }
}

/// The authenticated caller of the migration endpoint.
struct AppleMigrationCaller: Sendable {
    let application: AppleSimulator.Application
    /// The team whose key signed: the app's own, or the one it came from.
    let team: String
}

extension AppleState {
    /// The app's team, or the one it came from while users can be migrated.
    mutating func migrationCaller(_ form: FormFields) throws(OAuthFailure) -> AppleMigrationCaller {
        let application = try authenticate(form, includesFormerTeam: true)
        let team = form["client_secret"].flatMap { AppleClientSecret.issuer(of: $0) }
        return AppleMigrationCaller(application: application, team: team ?? application.teamID)
    }

    /// The recipient's own subject of a user who is being migrated.
    fileprivate mutating func exchange(
        _ transferSubject: String, _ caller: AppleMigrationCaller
    ) throws(OAuthFailure) -> JSONObject {
        guard let transfer = transfer(of: caller.application.clientID), transfer.from != caller.team,
            transferSubject.isASCII, let passage = passages[transferSubject], passage.from == transfer.from,
            passage.to == caller.team
        else { throw .invalidRequest("The transfer_sub is unknown, or the sixty days are over.") }
        let key = ConsentKey(teamID: caller.team, personID: passage.personID)
        guard consents[key] != nil else { throw .invalidRequest("The user has stopped using the app.") }
        var answer: JSONObject = ["sub": .string(account(key).subject)]
        if let address = address(key) {
            answer["email"] = .string(address.email)
            answer["is_private_email"] = .bool(address.isPrivate)
        }
        return answer
    }
}
