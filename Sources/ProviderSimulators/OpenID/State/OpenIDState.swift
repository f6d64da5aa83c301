import Crypto
import Foundation
import JOSE
import ProviderKit
import ProviderKitTesting

/// The stored state of a simulated OpenID provider.
public struct OpenIDState: SimulatorState {
    public typealias Person = OpenIDSimulator.Person
    public typealias Application = OpenIDSimulator.Application
    public typealias Endpoint = OpenIDSimulator.Endpoint

    public var memory: SimulatorMemory<Person, Application>
    let options: OpenIDSimulator.Options
    /// The false answers that a test asks for.
    var lies = OpenIDSimulator.Lies()

    /// Grants by the number that their tokens carry.
    var grants: [Int: OpenIDGrant] = [:]
    var accessTokens: [String: OpenIDToken] = [:]
    var refreshTokens: [String: OpenIDToken] = [:]
    /// `jti` of consumed client assertions.
    var usedAssertions: Set<String> = []
    private var nextGrant = 1

    init(_ options: OpenIDSimulator.Options) {
        self.options = options
        let application = options.application ?? Application()
        let secret = options.quirks.contains(.signsWithClientSecret) ? application.clientSecret : nil
        memory = SimulatorMemory(
            people: options.people ?? Person.examples(), application: application,
            mint: IDTokenMint { secret.map(IssuerKeys.init(clientSecret:)) ?? IssuerKeys(algorithm: options.algorithm) }
        )
    }

    /// Stores a grant and returns its number.
    mutating func store(_ grant: OpenIDGrant) -> Int {
        defer { nextGrant += 1 }
        grants[nextGrant] = grant
        return nextGrant
    }

    /// Revokes some grants with all their tokens.
    mutating func removeGrants(where isRevoked: (OpenIDGrant) -> Bool) {
        for (number, grant) in grants where isRevoked(grant) { removeGrant(number) }
    }

    /// Revokes one grant with all its tokens.
    mutating func removeGrant(_ number: Int) {
        grants[number] = nil
        accessTokens = accessTokens.filter { $0.value.grant != number }
        refreshTokens = refreshTokens.filter { $0.value.grant != number }
    }

    /// An ID token (OpenID Connect Core §2), honest or forged as the test wants it.
    func idToken(for person: Person, clientID: String, nonce: String?, accessToken: String?) -> String {
        var claims = person.claims
        claims["iss"] = .string(url)
        claims["sub"] = .string(person.subject)
        claims["aud"] = .string(clientID)
        claims["iat"] = .integer(now.epochSeconds)
        claims["exp"] = .integer(now.epochSeconds + 3600)
        claims["auth_time"] = .integer(now.epochSeconds)
        claims["nonce"] = nonce.map(JSONValue.string)
        claims["at_hash"] = accessToken.map(IDTokenMint.halfHash)
        return memory.mint.token(claims, now: now)
    }
}
