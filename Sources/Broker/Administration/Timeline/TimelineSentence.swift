import BrokerStore
import ProviderKit

/// The sentences of audit entries about users. A test wants one for each of their events.
extension TimelineNames {
    /// What happened, in one English sentence.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - proof: The user's latest proof before a link.
    /// - Returns: The sentence.
    func sentence(of entry: AuditEntry, proof: AuditEntry?) -> String {
        let text = plain(entry, proof) ?? "\(entry.event) by \(actor(of: entry))"
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// Without its full stop; nil for an event that this version does not know.
    private func plain(_ entry: AuditEntry, _ proof: AuditEntry?) -> String? {
        ofSignIn(entry) ?? ofIdentity(entry, proof) ?? ofUser(entry) ?? ofMerge(entry) ?? ofSession(entry)
            ?? ofGrant(entry)
    }

    private func ofSignIn(_ entry: AuditEntry) -> String? {
        let isCustom = entry.provider == CustomTokenVerifier.signInProvider
        return switch entry.event {
        case "user.created" where entry.provider == nil: "\(actor(of: entry)) created the user"
        case "user.created" where isCustom: "a custom token created the user"
        case "user.created" where entry.provider == Session.anonymousProvider: "the user began without any identity"
        case "user.created": "the user was created with \(subject(entry))\(because(entry))"
        case "user.signed-in" where isCustom: "signed in with a custom token"
        case "user.signed-in" where entry.joins: "\(subject(entry)) joined the user\(because(entry))"
        case "user.signed-in": "signed in with \(subject(entry))\(because(entry))"
        case "user.reauthenticated": "the user proved \(subject(entry)) again"
        case "user.reauthentication-failed": "a proof at \(provider(entry)) was another user's"
        case "sign-in.need-confirmation":
            "\(provider(entry)) brought an identity with this user's address: it was not joined\(because(entry))"
        default: nil
        }
    }

    private func ofIdentity(_ entry: AuditEntry, _ proof: AuditEntry?) -> String? {
        switch entry.event {
        case "identity.linked": "\(subject(entry)) was added\(reason(ofLink: entry, proof))"
        case "identity.unlinked": "\(subject(entry)) was removed by \(actor(of: entry))"
        case "identity.migrated": "\(subject(entry)) moved to the app's new owner"
        case "identity.promoted": "\(subject(entry)) is anonymous no more"
        case "identity.account-deleted": "\(provider(entry)) reported that \(subject(entry)) was deleted there"
        case "identity.consent-revoked": "\(provider(entry)) reported that the user withdrew the consent for the app"
        case "identity.mail-disabled": "\(provider(entry)) forwards no more mail to the relay address"
        case "identity.mail-enabled": "\(provider(entry)) forwards mail to the relay address again"
        default: nil
        }
    }

    private func ofUser(_ entry: AuditEntry) -> String? {
        let by = "by \(actor(of: entry))"
        let fields = (entry.details["fields"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        return switch entry.event {
        case "user.imported": "the user was imported \(by)"
        case "user.replaced": "an import \(by) replaced the user"
        case "user.updated": fields.isEmpty ? "the profile was changed \(by)" : "\(fields) changed \(by)"
        case "user.disabled": "the user was disabled \(by)"
        case "user.enabled": "the user was enabled \(by)"
        case "user.deleted": "the user was deleted \(by)"
        case "user.exported": "the user's own data was exported \(by)"
        default: nil
        }
    }

    private func ofMerge(_ entry: AuditEntry) -> String? {
        let (survivor, absorbed) = (entry.details["survivor"]?.string ?? "?", entry.details["absorbed"]?.string ?? "?")
        let other = survivor == entry.localID ? absorbed : survivor
        return switch entry.event {
        case "merge.pending": "a merge with the user \(other) waits for an administrator\(because(entry))"
        case "merge.dismissed": "\(actor(of: entry)) keeps this user and the user \(other) apart"
        case "user.merged": "the user \(absorbed) became part of this one\(because(entry))"
        case "user.absorbed": "the user became part of \(survivor)\(because(entry))"
        case "merge.undone": "the merge with the user \(absorbed) was undone by \(actor(of: entry))"
        case "user.restored": "the user was separated from \(survivor) again by \(actor(of: entry))"
        default: nil
        }
    }

    private func ofSession(_ entry: AuditEntry) -> String? {
        let client = client(entry.details["client"]?.string).map { " to \($0)" } ?? ""
        return switch entry.event {
        case "session.started": "signed in\(client)"
        case "session.resumed": "a session\(client) went on after a merge"
        case "session.signed-out": "signed out"
        case "session.signed-out-all": "signed out everywhere"
        case "session.revoked": "a session was ended by \(actor(of: entry))"
        case "session.revoked-all": "all sessions were ended by \(actor(of: entry))"
        case "session.revoked-by-provider": "\(provider(entry)) ended the sessions that began with it"
        case "session.reuse-detected": "a refresh token was used twice, so its session ended"
        case "session.code-reuse-detected": "an authorization code was used twice, so its session ended"
        case "session-cookie.created": "a backend made a session cookie"
        case "device.approved": "the user let a device sign in\(client)"
        case "device.added": "a device was introduced at \(provider(entry))"
        default: nil
        }
    }

    private func ofGrant(_ entry: AuditEntry) -> String? {
        if entry.event.hasPrefix("withdrawal.") {
            return "the withdrawal at \(provider(entry)) is \(entry.event.dropFirst("withdrawal.".count))"
        }
        return switch entry.event {
        case "grant.refused": "\(provider(entry)) refused the stored grant"
        case "grant.scopes-reduced": "\(provider(entry)) reduced the scopes of the grant"
        case "provider-token.read": "\(actor(of: entry)) read the provider token of \(provider(entry))"
        default: nil
        }
    }

    private func provider(_ entry: AuditEntry) -> String { entry.provider.map(name) ?? "the provider" }
}

extension HistoryRow {
    /// What the timeline says that it is about.
    var kind: ShowTimeline.Kind {
        switch self {
        case .audit(let entry): entry.kind
        case .refusal: .failure
        }
    }
}

extension AuditEntry {
    fileprivate var kind: ShowTimeline.Kind {
        switch event {
        case "sign-in.need-confirmation", "user.reauthentication-failed", "session.reuse-detected",
            "session.code-reuse-detected", "grant.refused":
            .failure
        default: rule == nil ? .change : .decision
        }
    }
}
