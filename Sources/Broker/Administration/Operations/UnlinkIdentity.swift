import BrokerStore
package import ProviderKit

/// `users.unlink`: removes a provider's identity from a user, with its provider tokens.
package struct UnlinkIdentity: AdminOperation {
    package static let name = "users.unlink"
    package static let summary = "Unlinks a provider's identity from a user."
    package static let scope: AdminScope? = .writeUsers
    package static let asksProviders = true
    /// The user record, with `withdrawals`.
    package typealias Answer = JSONObject

    /// The id of a provider entry, or its kind if only one entry has it.
    let provider: String
    /// A localId or an e-mail address.
    let user: String
    /// Whether the last sign-in method may be removed.
    let force: Bool?

    package init(provider: String, user: String, force: Bool) {
        self.provider = provider
        self.user = user
        self.force = force
    }

    package func run(for call: AdminCall) async throws -> JSONObject {
        let known = try await call.admin.user(named: user)
        // Users may have identities of a provider that is no longer configured.
        let linked = known.identities.map(\.provider).first { $0.hasSameBytes(as: provider) }
        let id = try linked ?? call.admin.providers.current.named(provider).id
        let outcome = try await unlink(id, from: known.user.localID, call)
        guard outcome.isUnlinked else {
            throw AdminFailure(code: "NO_SUCH_PROVIDER", "the user has no identity of \(id)")
        }
        var document = JSONObject(outcome.record)
        document["withdrawals"] = .array(outcome.withdrawals.map { .object(JSONObject($0)) })
        return document
    }

    private func unlink(_ id: String, from localID: String, _ call: AdminCall) async throws -> UnlinkOutcome {
        do {
            return try await call.admin.accounts.unlink(
                provider: id, from: localID, leavesNoWayIn: force ?? false, origin: call.origin)
        } catch BrokerError.lastSignInMethod {
            throw AdminFailure(
                code: .lastSignInMethod,
                "this is the user's last sign-in method: link another provider first, or add --force")
        }
    }
}
