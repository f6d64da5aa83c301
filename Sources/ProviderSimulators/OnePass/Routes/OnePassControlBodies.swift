import Foundation
import ProviderKit

/// What the control interface takes and gives.
struct OnePassCredentialRequest: Decodable, Sendable {
    let person: String
    let clientId: String?
    let redirectUri: String?
    let scopes: [String]?
    let codeChallenge: String?
    let nonce: String?

    var grantedScopes: [String] { scopes ?? OnePassSimulator.usualScopes }

    /// Whom and what the request means.
    func subject(
        in onePass: OnePassState
    ) throws(Refusal) -> (person: OnePassSimulator.Person, application: OnePassSimulator.Application) {
        guard let application = clientId == nil ? onePass.applications.first : onePass.application(clientId) else {
            throw .control("no application has this clientId", status: 404)
        }
        return (try onePass.addressed(person), application)
    }

    /// The authorization request that would have led to the code.
    func authorization(
        for application: OnePassSimulator.Application, now: Date
    ) throws(Refusal) -> OnePassAuthorization {
        guard let codeChallenge else { throw .control("codeChallenge is missing: 1Pass insists on PKCE") }
        return OnePassAuthorization(
            clientID: application.clientID, redirectURI: redirectUri ?? application.redirectURIs.first ?? "",
            scopes: .none, state: "", nonce: nonce, codeChallenge: CodeChallenge(value: codeChallenge), expiresAt: now)
    }
}

struct OnePassMergeOrder: Decodable, Sendable {
    let absorbed: String
    let survivor: String

    func merge(in onePass: inout OnePassState, now: Date) throws(Refusal) -> String {
        let (absorbed, survivor) = (try onePass.addressed(absorbed), try onePass.addressed(survivor))
        do throws(OAuthFailure) {
            return try onePass.merge(absorbed.id, into: survivor.id, via: .emailMatch, now: now).eventID
        } catch {
            throw .control(error.code, status: error.status)
        }
    }
}

struct OnePassWebhookOrder: Decodable, Sendable {
    let eventIds: [String]
}

struct OnePassBehaviourChange: Decodable, Sendable {
    let linkedSubjects: String?
    let writesNumericSubjects: Bool?
    let namesUserinfoEndpoint: Bool?
    let rotatesRefreshTokens: Bool?
    let refreshesIDTokens: Bool?
    let holdsWebhooks: Bool?

    func apply(to behaviour: inout OnePassSimulator.Behaviour) throws(Refusal) {
        if let linkedSubjects {
            guard let style = OnePassSimulator.LinkedSubjects(rawValue: linkedSubjects) else {
                throw .control("linkedSubjects must be objects, strings, integers or absent")
            }
            behaviour.linkedSubjects = style
        }
        behaviour.writesNumericSubjects = writesNumericSubjects ?? behaviour.writesNumericSubjects
        behaviour.namesUserinfoEndpoint = namesUserinfoEndpoint ?? behaviour.namesUserinfoEndpoint
        behaviour.rotatesRefreshTokens = rotatesRefreshTokens ?? behaviour.rotatesRefreshTokens
        behaviour.refreshesIDTokens = refreshesIDTokens ?? behaviour.refreshesIDTokens
        behaviour.holdsWebhooks = holdsWebhooks ?? behaviour.holdsWebhooks
    }
}

struct OnePassNewPerson: Decodable, Sendable {
    let name: String?
    let fullName: String?
    let email: String?
    let emailVerified: Bool?
    let isAnonymous: Bool?

    var person: OnePassSimulator.Person {
        OnePassSimulator.Person(
            preferredName: name, fullName: fullName, email: email.map { .init($0, verified: emailVerified ?? true) },
            isAnonymous: isAnonymous ?? false)
    }
}

struct OnePassNewApplication: Decodable, Sendable {
    let name: String?
    let type: OnePassSimulator.Application.ClientType?
    let redirectUris: [String]?
    let webhookUrl: String?
    let scopePolicy: OnePassSimulator.Application.ScopePolicy?
    let allowsAnonymousGrants: Bool?

    var application: OnePassSimulator.Application {
        var application = OnePassSimulator.Application(
            type: type ?? .confidential, scopePolicy: scopePolicy ?? .block,
            allowsAnonymousGrants: allowsAnonymousGrants ?? false, webhookURL: webhookUrl)
        application.name = name ?? application.name
        application.redirectURIs = redirectUris ?? application.redirectURIs
        return application
    }
}

extension OnePassState {
    /// The person a control call names.
    fileprivate func addressed(_ name: String) throws(Refusal) -> OnePassSimulator.Person {
        guard let person = Int64(name).flatMap({ person($0) }) ?? person(named: name) else {
            throw .control("nobody is called that", status: 404)
        }
        return person
    }
}

extension OnePassSimulator.Person {
    var json: JSONValue {
        [
            "id": .integer(id), "sub": .string(subject), "name": JSONValue(preferredName),
            "fullName": JSONValue(fullName), "email": JSONValue(email?.address),
            "emailVerified": .bool(email?.verified ?? false), "isAnonymous": .bool(isAnonymous),
        ]
    }
}

extension OnePassSimulator.Application {
    var json: JSONValue {
        [
            "clientId": .string(clientID), "clientSecret": JSONValue(clientSecret), "name": .string(name),
            "type": .string(type.rawValue), "redirectUris": .array(redirectURIs.map(JSONValue.string)),
            "webhookSecret": .string(webhookSecret),
            "webhookKeys": .array(webhookKeys.map { ["id": .string($0.id), "secret": .string($0.secret)] }),
        ]
    }
}
