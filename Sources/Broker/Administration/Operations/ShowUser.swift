import BrokerStore
package import ProviderKit

/// `users.show`: one user with all identities, and what providers have reported about them.
package struct ShowUser: AdminOperation {
    package static let declaration = OperationDeclaration(
        "users.show", "Returns one user with all identities and the latest sessions.", .readUsers, .reads, [.user],
        answer: .user(
            """
            A user record, of a merged user that of the other one, with reports, the states of grants and the latest sessions \
            below `broker`.
            """
        ),
        command: DeclaredCommand(
            "show", "Show one user with all identities.",
            """
            For the localId of a user who was merged into another one it shows that one, with "mergedInto" below
            "broker" in the JSON. An anonymous user has "anonymous" there, and an anonymous identity below its own "broker". What
            providers have reported about an identity since its last sign-in is below "broker" as well:
            consent withdrawn, mail to the relay address not delivered, removal of a deleted account's identity. So is the
            state of each stored grant: valid, expired, or refused by the provider.

            It prints a page for people; all of it is in the JSON alone.

            Examples:
              broker users show ann@example.com
              broker users show kX3… --json
            """))
    /// A user record (contract §6), with reports, the states of grants and the latest sessions below `broker`.
    package typealias Answer = JSONObject

    let user: String

    package init(user: String) {
        self.user = user
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let survivor = try await call.admin.survivor(of: user)
        let found = try await call.admin.user(named: survivor ?? user)
        let record = UserRecord(
            user: found.user, identities: found.identities, alias: survivor == nil ? nil : user)
        var document = JSONObject(record)
        document.addReports(about: record.identities)
        document.addReservedClaims(of: record.user)
        let (now, stepUp) = (call.admin.now, call.admin.accounts.policy.stepUp)
        document.addGrants(try await call.admin.store.read { try $0.grants(of: record.user.key) }, at: now)
        let sessions = try await call.admin.sessions.listSessions(of: record.user).sessions
        if !sessions.isEmpty {
            document.addOwn(
                "sessions",
                .array(
                    sessions.map {
                        .object(SessionClaim.login(of: $0.session, record.user, stepUp: stepUp, at: now))
                    }))
        }
        return document
    }

    package func text(of answer: JSONObject) -> TerminalText { ShownUser(record: answer).text }
}

extension JSONObject {
    /// Adds what providers have reported about identities: `broker.reports.<provider>`.
    fileprivate mutating func addReports(about identities: [Identity]) {
        var reports = JSONObject()
        for identity in identities {
            var report = JSONObject()
            if identity.isMailDisabled { report["mailDisabled"] = true }
            report["consentRevokedAt"] = identity.consentRevokedAt.map { .string($0.text) }
            report["removalAt"] = identity.removalAt.map { .string($0.text) }
            if !report.isEmpty { reports[identity.provider] = .object(report) }
        }
        guard !reports.isEmpty else { return }
        addOwn("reports", .object(reports))
    }

    /// Adds the states of the stored grants, without a token: `broker.grants.<provider>`.
    fileprivate mutating func addGrants(_ grants: [ProviderGrant], at now: Timestamp) {
        var states = JSONObject()
        for grant in grants {
            var state = JSONObject()
            let lasts = grant.sealedRefreshToken != nil || grant.expiresAt.map { $0 > now } ?? true
            let isRefused = grant.refusedVersion == grant.version
            state["state"] = isRefused ? "refused" : lasts ? "valid" : "expired"
            state["obtainedAt"] = .string(grant.obtainedAt.text)
            // A grant with a refresh token lasts longer than its access token.
            if grant.sealedRefreshToken == nil { state["expiresAt"] = grant.expiresAt.map { .string($0.text) } }
            if isRefused { state["refusedAt"] = grant.refusedAt.map { .string($0.text) } }
            states[grant.provider] = .object(state)
        }
        if !states.isEmpty { addOwn("grants", .object(states)) }
    }

    /// Adds the names of custom claims that clients of OpenID Connect do not get.
    fileprivate mutating func addReservedClaims(of user: User) {
        let names = CustomClaims.ofOpenID(user, nil).reserved
        guard !names.isEmpty else { return }
        addOwn("claimsLeftOutOfOpenID", .array(names.map(JSONValue.string)))
    }
}

extension DeclaredArgument {
    static let user = positional(
        "user", "The user's localId or e-mail address.", example: "ann@example.com"
    ).of(.user)
}
