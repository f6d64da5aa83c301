import Foundation
import ProviderKit

/// What the control interface takes and gives.
struct GitLabCredentialRequest: Decodable, Sendable {
    let username: String
    let clientId: String?
    let redirectUri: String?
    let scopes: [String]?
    let codeChallenge: String?
    let nonce: String?

    /// Whom and what the request means.
    func grant(
        in gitlab: GitLabState
    ) throws(Refusal) -> (key: GitLabState.GrantKey, application: GitLabSimulator.Application) {
        guard let person = gitlab.person(username: username) else {
            throw .control("nobody has this username", status: 404)
        }
        guard let application = clientId == nil ? gitlab.applications.first : gitlab.application(clientId) else {
            throw .control("no application has this clientId", status: 404)
        }
        return (.init(clientID: application.clientID, personID: person.id), application)
    }
}

struct GitLabNewPerson: Decodable, Sendable {
    let username: String
    let name: String?
    let email: String
    let confirmed: Bool?
    let publicEmail: String?
    let state: GitLabSimulator.Person.State?
    let locked: Bool?

    var person: GitLabSimulator.Person {
        var person = GitLabSimulator.Person(username: username, name: name, email: email, publicEmail: publicEmail)
        if confirmed == false { person.confirmedAt = nil }
        person.state = state ?? .active
        person.isLocked = locked ?? false
        return person
    }
}

struct GitLabNewApplication: Decodable, Sendable {
    let name: String?
    let redirectUris: [String]?
    let scopes: [String]?
    let confidential: Bool?

    var application: GitLabSimulator.Application {
        var application = GitLabSimulator.Application(isConfidential: confidential ?? true)
        application.name = name ?? application.name
        application.redirectURIs = redirectUris ?? application.redirectURIs
        application.scopes = scopes ?? application.scopes
        return application
    }
}

extension GitLabSimulator.Person {
    var json: JSONValue {
        [
            "id": .integer(id), "username": .string(username), "name": .string(name), "email": .string(email),
            "confirmed": .bool(confirmedAt != nil), "publicEmail": JSONValue(publicEmail),
            "state": .string(state.rawValue), "locked": .bool(isLocked),
        ]
    }
}

extension GitLabSimulator.Application {
    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": .string(clientSecret), "name": .string(name),
            "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "scopes": .array(scopes.map(JSONValue.string)), "confidential": .bool(isConfidential),
        ]
    }
}
