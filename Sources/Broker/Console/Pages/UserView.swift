import BrokerStore
import ProviderKit

/// A user: who it is, which identities became it and why, what happened to it, and what can be done.
struct UserView: Sendable {
    /// The answer of `users.show`.
    let user: JSONObject
    let timeline: ShowTimeline.Answer
    let sessions: ListUserSessions.Answer
    let labels: ProviderLabels
    /// The kind of events that the timeline shows; all when nil.
    let kind: ShowTimeline.Kind?
    /// Where the page of the timeline began.
    let after: String?
    /// Whether the administrator may change users.
    let mayChange: Bool
    let now: Timestamp

    private var localID: String { user["localId"]?.string ?? "" }
    private var own: JSONValue? { user["broker"] }
    private var isDisabled: Bool { user["disabled"]?.bool == true }
    private var name: String { user["displayName"]?.string ?? user["email"]?.string ?? localID }
    private var identities: [JSONValue] { user["providerUserInfo"]?.array ?? [] }

    var page: ConsolePage {
        let parts = [
            Markup.breadcrumb([.users], name), head, merged ?? "", picture ?? "",
            .columns([timelinePanel], [identityPanel, sessionPanel, details]),
        ]
        return ConsolePage(
            title: name, section: .users, content: parts.joined(),
            commands: [
                ShowUser(user: localID).commandLine, ShowTimeline(user: localID, kind: kind).commandLine,
                ListUserSessions(user: localID, all: nil, after: nil, limit: nil).commandLine,
            ].compactMap(\.self))
    }

    private var head: Markup {
        let states = [
            isDisabled ? Markup.badge(.bad, "Disabled") : .badge(.good, "Active"),
            own?["anonymous"]?.bool == true ? .badge(.neutral, "Anonymous") : "",
        ]
        let address: Markup? = user["email"]?.string.map { email in
            let state = user["emailVerified"]?.bool == true ? "verified" : "not verified"
            return "<p class=\"soft\"><bdi>\(email)</bdi>, \(state)</p>"
        }
        return """
            <div class="pagehead"><span class="avatar" aria-hidden="true">\(MonogramView(name).letters)</span>\
            <div class="about"><div class="title"><h1><bdi>\(name)</bdi></h1>\(states.joined())</div>\(address)</div>\
            \(mayChange ? actions : "")</div>
            """
    }

    private func button<Operation: AdminOperation>(
        _ operation: Operation.Type, _ text: String, _ style: FormView.Style = .quiet
    ) -> Markup {
        .button(OperationLink(operation, [("user", localID)]).href, text, style)
    }

    /// At most three stand in the line; the others behind the third.
    private var actions: Markup {
        let further = [
            button(UpdateUser.self, "Change the profile"), button(SetUserClaims.self, "Set claims"),
            button(CreateWithdrawals.self, "Withdraw grants"),
            button(DeleteUser.self, "Delete the user", .careful),
        ]
        return """
            <div class="actions">\(button(RevokeUserSessions.self, "Sign out everywhere"))\
            \(isDisabled ? button(EnableUserOperation.self, "Enable") : button(DisableUserOperation.self, "Disable"))\
            <details class="more"><summary class="button">More…</summary><div class="panel menu">\(further.joined())</div></details>\
            </div>
            """
    }

    private var merged: Markup? {
        own?["mergedInto"]?.string.map { survivor in
            .banner(
                .neutral, "This is another user now.",
                "\(own?["localId"]?.string ?? "The user of this id") was merged into \(Markup.code(survivor)).")
        }
    }
}

extension UserView {
    private var picture: Markup? {
        guard let reasons = timeline.identities, !reasons.isEmpty else { return nil }
        let drawing = IdentityPicture(
            identities: reasons.suffix(IdentityPicture.maximum).map { reason in
                let rule: Markup? = reason.rule.map { .rule($0, reason.ruleText) }
                return .init(
                    kind: labels.kind(reason.provider), provider: reason.providerName, label: reason.name,
                    reason: "\(reason.sentence) \(Markup.day(reason.linkedAt)) \(rule)")
            }, user: .init(name: name, localID: localID))
        let count = reasons.count
        let title = count == 1 ? "Why this identity is the user's" : "Why \(count.grouped) identities are one user"
        let aside: Markup? =
            count > IdentityPicture.maximum
            ? "<p class=\"tiny soft\">The \(IdentityPicture.maximum) newest of \(count)</p>" : nil
        return .panel(title, aside: aside ?? "", drawing.markup)
    }

    private func address(_ kind: ShowTimeline.Kind?, after: String? = nil) -> String {
        let parameters = [("show", kind?.rawValue), ("after", after)]
        return ConsoleLink.address(
            ConsoleLink.user(localID), parameters.compactMap { name, value in value.map { (name, $0) } })
    }

    private var timelinePanel: Markup {
        let tabs = Markup.tabs(
            [(address(nil), "All"), (address(.decision), "Decisions"), (address(.failure), "Failures")],
            current: address(kind))
        let shown = timeline.entries
        let line = Timeline(entries: shown.map(entry), now: now)
        let next = timeline.next.map { (address: address(kind, after: $0), text: "Older") }
        let first = after.map { _ in Markup.link(address(kind), "Newest") }
        let count = "\(shown.count.grouped) \(shown.count == 1 ? "event" : "events")"
        let content: Markup =
            shown.isEmpty && next == nil
            ? .empty(
                kind == nil && after == nil ? "Nothing is recorded about this user." : "Nothing more is recorded.")
            : line.markup + .pager(count, next: next)
        return .panel("Timeline", aside: tabs, "\(first)\(content)")
    }

    private func entry(_ entry: ShowTimeline.Entry) -> Timeline.Entry {
        var meta: [Markup] = []
        if let rule = entry.rule { meta.append(.rule(rule, entry.ruleText)) }
        if let device = entry.device { meta.append("<span>\(device)</span>") }
        if let address = entry.address { meta.append("<span>\(address)</span>") }
        if let reason = entry.reason { meta.append("<span>Reason: “\(Markup.name(reason))”</span>") }
        if let request = entry.requestId { meta.append(.requestNumber(request)) }
        let (tone, icon) = Self.sign(of: entry)
        return Timeline.Entry(at: entry.at, tone: tone, icon: icon, text: .name(entry.sentence), meta: meta)
    }

    /// Neutral for changes, green for a sign-in, amber for a refusal by policy, red for a failure.
    private static func sign(of entry: ShowTimeline.Entry) -> (PageTone, PageIcon) {
        switch entry.event {
        case "user.signed-in", "session.started", "user.reauthenticated": (.good, .check)
        case _ where entry.kind == .failure && entry.rule != nil: (.warn, .shield)
        case _ where entry.kind == .failure: (.bad, .cross)
        case "user.created", "user.imported", "user.restored": (.neutral, .person)
        case let event where event.hasPrefix("merge.") || event.hasPrefix("user.merged"): (.neutral, .merge)
        case let event where event.hasPrefix("identity."): (.neutral, .link)
        case let event where event.hasPrefix("session"): (.neutral, .laptop)
        case let event where event.hasPrefix("withdrawal.") || event.hasPrefix("grant."): (.neutral, .outgoing)
        default: (.neutral, .info)
        }
    }
}

extension UserView {
    private var identityPanel: Markup {
        guard !identities.isEmpty else {
            return .panel("Identities", .empty("This user has no identity at a provider."))
        }
        let rows = identities.map { identity -> Markup in
            let provider = identity["providerId"]?.string ?? ""
            let subject = identity["rawId"]?.string ?? ""
            let label = identity["screenName"]?.string ?? identity["email"]?.string
            let unlink: Markup? =
                mayChange
                ? .button(
                    OperationLink(UnlinkIdentity.self, [("user", localID), ("provider", provider)]).href, "Unlink",
                    spoken: labels.name(provider)) : nil
            return """
                <li>\(labels.mark(provider))<div class="about"><p class="name">\(labels.name(provider))\
                \(label.map { "<span class=\"soft\">\(Markup.name($0))</span>" as Markup })</p>\
                <p class="soft tiny">Subject \(Markup.code(subject))</p><p class="tiny">\(grant(provider))</p></div>\(unlink)</li>
                """
        }
        return .panel("Identities", .rows(rows))
    }

    /// The state of the grant that the broker keeps at a provider.
    private func grant(_ provider: String) -> Markup {
        let reports = own?["reports"]?[provider]
        if reports?["removalAt"] != nil { return .state(.bad, "Account deleted at the provider") }
        if reports?["consentRevokedAt"] != nil { return .state(.bad, "Withdrawn at the provider") }
        let grant = own?["grants"]?[provider]
        let until = grant?["expiresAt"]?.string.flatMap { Self.moment($0) }
        switch grant?["state"]?.string {
        case "valid":
            guard let until else { return .state(.good, "Grant valid") }
            return "\(Markup.state(.good, "Grant valid")) until \(Markup.moment(until))"
        case "expired": return .state(.warn, "Grant expired")
        case "refused": return .state(.bad, "Grant refused")
        default: return .state(.neutral, "No grant stored")
        }
    }

    private static func moment(_ text: String) -> Timestamp? {
        try? JSONValueDecoder().decode(Timestamp.self, from: .string(text))
    }

    private var sessionPanel: Markup {
        guard !sessions.sessions.isEmpty else {
            return .panel("Sessions", .empty("This user is not signed in anywhere."))
        }
        let rows = sessions.sessions.map { session -> Markup in
            let end: Markup? =
                mayChange
                ? .button(
                    OperationLink(RevokeSession.self, [("session", session.id)]).href, "End",
                    spoken: "the session of \(session.app)") : nil
            let icon: PageIcon = session.family == "web" ? .laptop : .phone
            let device: Markup? = session.device.map { " · \($0)" }
            return .row(
                mark: "\(icon)", .name(session.family == "web" ? session.app.capitalizedFirst : session.app),
                "Signed in with \(labels.name(session.provider))\(device) · last used \(Markup.moment(session.lastUsedAt))",
                end: end ?? "")
        }
        let more: Markup? =
            sessions.next == nil
            ? nil
            : """
            <p class="soft tiny">The \(sessions.sessions.count) newest are shown. \
            <a href="\(OperationLink(ListUserSessions.self, [("user", localID)]).href)">List all sessions</a></p>
            """
        return .panel("Sessions", "\(Markup.rows(rows))\(more)")
    }

    private var details: Markup {
        let text = { (name: String) in user[name]?.string }
        var rows: [(name: String, value: Markup)] = [("Local ID", .code(localID))]
        if let alias = own?["localId"]?.string { rows.append(("Also known as", .code(alias))) }
        if let created = Self.milliseconds(text("createdAt")) { rows.append(("Created", .moment(created))) }
        if let seen = Self.milliseconds(text("lastLoginAt")) { rows.append(("Last sign-in", .moment(seen))) }
        if let claims = text("customAttributes") { rows.append(("Claims", .code(claims))) }
        let leftOut = (own?["claimsLeftOutOfOpenID"]?.array ?? []).compactMap(\.string)
        if !leftOut.isEmpty { rows.append(("Claims not in OpenID Connect", "\(leftOut.joined(separator: ", "))")) }
        return .panel("Details", .facts(rows))
    }

    private static func milliseconds(_ text: String?) -> Timestamp? {
        text.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
    }
}
