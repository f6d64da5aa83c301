import Crypto
import Foundation
import JOSE
import ProviderKit

/// The claims of ID tokens and `/oauth/userinfo` about a user.
struct SimulatedGitLabClaims {
    /// Seconds an ID token lives.
    static let lifetime: Int64 = 120

    private let person: GitLabSimulator.Person
    private let token: GitLabToken
    private let state: GitLabState

    init(_ person: GitLabSimulator.Person, _ token: GitLabToken, in state: GitLabState) {
        self.person = person
        self.token = token
        self.state = state
    }

    /// The payload of an ID token; claims without a value are left out.
    func idToken(nonce: String?) -> JSONObject {
        let issued = state.now.epochSeconds
        var claims: JSONObject = [
            "iss": .string(state.url), "sub": .string(String(person.id)), "aud": .string(token.grant.clientID),
            "exp": .integer(issued + Self.lifetime), "iat": .integer(issued),
        ]
        claims["nonce"] = nonce.map(JSONValue.string)
        claims["auth_time"] = .integer(token.authenticatedAt.epochSeconds)
        claims["sub_legacy"] = .string(legacySubject)
        claims = claims.merging(address)
        if !person.groups.isEmpty { claims["groups_direct"] = groups }
        return claims
    }

    /// The answer of `/oauth/userinfo`.
    var userinfo: JSONObject {
        var claims: JSONObject = [
            "sub": .string(String(person.id)), "sub_legacy": .string(legacySubject), "name": .string(person.name),
            "nickname": .string(person.username), "preferred_username": .string(person.username),
        ]
        claims = claims.merging(address)
        claims["profile"] = .string("\(state.url)/\(person.username)")
        claims["picture"] = .string(person.picture(at: state.url))
        claims["groups"] = groups
        if !person.groups.isEmpty { claims["https://gitlab.org/claims/groups/developer"] = groups }
        return claims
    }

    /// The primary address with the scope `email`, else the public one, without a verification where there is none.
    private var address: JSONObject {
        guard token.scopes.contains("email") else {
            guard let publicEmail = person.publicEmail else { return [:] }
            return ["email": .string(publicEmail), "email_verified": true]
        }
        return ["email": .string(person.email), "email_verified": .bool(person.confirmedAt != nil)]
    }

    private var groups: JSONValue { .array(person.groups.map(JSONValue.string)) }

    private var legacySubject: String {
        SHA256.hexadecimalHash(of: Data("\(person.id)-\(state.secretKeyBase)".utf8))
    }
}
