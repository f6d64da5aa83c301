import ProviderKit
import ProviderSimulators
import Testing

/// A user as the one app knows it that ever acts for them.
struct KnownUser: Sendable {
    let localID: String
    var exists = Known(true)
    /// Whose identity is linked at each provider; `nil` where there is none.
    var identities: [String: Known<GitHubSimulator.Person?>] = [:]
    var sessions: [KnownSession]
    /// The one that came with the first session.
    var pendingToken: KnownPendingToken?

    /// The user of a sign-in or sign-up that was answered.
    init(_ answer: IdentityToolkitApp.Answer, github person: GitHubSimulator.Person? = nil) throws {
        localID = try IdentityToolkitApp.Session(answer).localID
        sessions = [try KnownSession(answer)]
        identities["github.com"] = Known(person)
        identities[TwoBrokers.secondProvider] = Known(nil)
    }

    func person(at provider: String) -> GitHubSimulator.Person? { identities[provider]?.value }

    /// The sessions without a request for their revocation.
    var liveSessions: [Int] { sessions.indices.filter { sessions[$0].isLive.value && sessions[$0].isLive.isCertain } }
}

/// A session with all the refresh tokens that were answered, the latest last.
struct KnownSession: Sendable {
    let id: String
    var idToken: String
    private(set) var refreshTokens: [String]
    var isLive = Known(true)
    var generation: Known<Int>

    init(_ answer: IdentityToolkitApp.Answer) throws {
        let session = try IdentityToolkitApp.Session(answer)
        let token = try RefreshTokenText(session.refreshToken)
        (id, idToken, refreshTokens) = (token.sessionID, session.idToken, [session.refreshToken])
        generation = Known(token.generation)
    }

    /// The token to refresh with.
    var refreshToken: String { refreshTokens.last ?? "" }
    /// One that two others have followed, once the latest is used.
    var grandparent: String? { refreshTokens.dropLast().last }

    /// The answer to a refresh; what it says about the session is good from now on.
    mutating func adopt(_ answer: IdentityToolkitApp.Answer) throws {
        try #require(answer.status == 200, "\(answer)")
        idToken = try #require(answer.body["id_token"]?.string)
        refreshTokens.append(try #require(answer.body["refresh_token"]?.string))
        let token = try RefreshTokenText(refreshToken)
        #expect(token.sessionID == id)
        generation.settle(on: token.generation)
    }
}

/// A token that is good for one sign-in.
struct KnownPendingToken: Sendable {
    let text: String
    var isUsed = Known(false)
}

/// The readable parts of a refresh token.
private struct RefreshTokenText {
    let sessionID: String
    let generation: Int

    init(_ text: String) throws {
        let parts = text.split(separator: ".")
        try #require(parts.count == 4)
        sessionID = String(parts[1])
        generation = try #require(Int(parts[2]))
    }
}
