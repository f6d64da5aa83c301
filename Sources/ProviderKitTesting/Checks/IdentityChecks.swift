import Foundation
import ProviderKit

extension ConformanceSuite {
    /// The checks of the identities that a plugin returns.
    static let identityChecks = [
        ConformanceCheck(
            "verifies-valid-credentials", "a valid credential returns the fixture's identity",
            fix: "Compare the fixture's identity with what verify returns, field by field."
        ) { fixture in
            try fixture.checkMarks()
            try await fixture.eachSignIn { rehearsal, position in
                let expected = rehearsal.script.signIns[position].identity
                let differences = try await rehearsal.identity(position).differences(
                    from: expected, comparingProfile: expected.profile.object?.isEmpty == false,
                    comparingGrant: expected.grant != nil)
                try require(differences.isEmpty, "the identity differs in \(differences.joined(separator: ", "))")
            }
        },
        ConformanceCheck(
            "shows-every-kind-it-accepts", "the fixture signs in by every kind the plugin accepts",
            fix: "Add a sign-in of the kind to the fixture, or remove it from accepts."
        ) {
            let rehearsal = try Rehearsal($0, $0.script())
            let shown = Set(rehearsal.script.signIns.map(\.credential.kind))
            try require(!rehearsal.provider.accepts.isEmpty, "accepts nothing")
            let missing = rehearsal.provider.accepts.subtracting(shown).map(\.rawValue).sorted()
            try require(missing.isEmpty, "no valid sign-in by \(missing.joined(separator: ", "))")
        },
        ConformanceCheck(
            "names-a-person-the-same-twice", "one credential returns the same subject every time",
            fix: "Take every field from the responses, and none from the time or from chance."
        ) {
            let script = $0.script()
            try await $0.eachSignIn(in: script) { rehearsal, position in
                let first = try await rehearsal.identity(position)
                let second = try await Rehearsal(rehearsal.fixture, script).identity(position)
                let differences = second.differences(from: first)
                try require(differences.isEmpty, "the second time differs in \(differences.joined(separator: ", "))")
            }
        },
        ConformanceCheck(
            "same-identity-in-parallel", "fifty concurrent sign-ins return the same subject",
            fix: "Keep no state of a sign-in in the instance."
        ) {
            try await $0.eachSignIn { rehearsal, position in
                let first = try await rehearsal.identity(position)
                try await rehearsal.inParallel(fifty: .signIn(position)) { outcome in
                    let differences = outcome.identity?.differences(from: first) ?? ["everything"]
                    try require(differences.isEmpty, "one of fifty differs in \(differences.joined(separator: ", "))")
                }
            }
        },
        ConformanceCheck(
            "subject-is-an-id", "a subject is printable ASCII of 1 to 255 bytes and no e-mail address",
            fix: "Take the provider's stable id as subject: no address, no name."
        ) {
            try await $0.eachSignIn { rehearsal, position in
                let identity = try await rehearsal.identity(position)
                let subject = identity.subject
                let isPrintable = subject.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                try require((1...255).contains(subject.utf8.count) && isPrintable, "the subject cannot be stored")
                try require(!subject.utf8.contains(UInt8(ascii: "@")), "the subject looks like an address")
                let address = identity.email?.address.lowercased()
                try require(subject.lowercased() != address, "the subject is the user's address")
            }
        },
        ConformanceCheck(
            "profile-is-an-object", "the profile is the object the provider told",
            fix: "Set profile to the provider's response about the user."
        ) {
            try await $0.eachSignIn { rehearsal, position in
                let identity = try await rehearsal.identity(position)
                try require(identity.profile.object?.isEmpty == false, "the profile is no object, or an empty one")
            }
        },
        ConformanceCheck(
            "profile-holds-no-token", "no token and no secret stands in the profile",
            fix: "Set profile to the response of the profile endpoint, not of the token endpoint."
        ) {
            try await $0.eachSignIn { rehearsal, position in
                let identity = try await rehearsal.identity(position)
                let isMarked = Marks(rehearsal).isMarked(identity.profile.serialized())
                try require(!isMarked, "the profile, which apps are shown, holds a token")
            }
        },
        ConformanceCheck(
            "grant-is-what-was-issued", "the grant of a redeemed code has the tokens of the response and their end",
            fix: "Pass on the grant of OAuth2Client.redeem, as ExternalIdentity.grant."
        ) {
            try await $0.eachSignIn { rehearsal, position in
                let identity = try await rehearsal.identity(position)
                guard case .authorizationCode(let code) = rehearsal.script.signIns[position].credential.proof,
                    rehearsal.provider is any GrantRefresh || rehearsal.provider is any GrantRevocation
                else { return }
                let redemption = rehearsal.upstream.exchanges.first { $0.request.contains(token: code.code) }
                guard let body = redemption?.answer?.body, let answer = try? JSONValue(parsing: body) else { return }
                guard let accessToken = answer["access_token"]?.string else { return }
                guard let grant = identity.grant else { throw Deviation.broken("returns no grant") }
                try require(grant.accessToken.hasSameBytes(as: accessToken), "the grant has another access token")
                let refreshToken = answer["refresh_token"]?.string
                try require(grant.refreshToken == refreshToken, "the grant has another refresh token")
                guard let lifetime = answer["expires_in"]?.number?.integer else { return }
                let end = rehearsal.fixture.now.addingTimeInterval(Double(lifetime))
                try require(grant.expiresAt == end, "the grant has another end than expires_in says")
            }
        },
        ConformanceCheck(
            "grant-is-our-own", "a grant names the client it was issued to",
            fix: "Set the grant's clientID to the client that the tokens were issued to."
        ) {
            try await $0.eachSignIn { rehearsal, position in
                guard let grant = try await rehearsal.identity(position).grant else { return }
                try require(!grant.clientID.isEmpty && !grant.accessToken.isEmpty, "a grant without client or token")
                let options = rehearsal.fixture.options.serialized()
                try require(options.contains(grant.clientID), "the grant's client is none of the configured ones")
            }
        },
    ]
}

/// Throws ``Deviation/broken(_:)`` unless the condition is true.
func require(_ isKept: Bool, _ reason: @autoclosure () -> String) throws {
    if !isKept { throw Deviation.broken(reason()) }
}
