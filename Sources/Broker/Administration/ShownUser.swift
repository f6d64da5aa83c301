import BrokerStore
import Foundation
import ProviderKit

/// A user as `broker users show` shows it to people; the JSON is the user record.
struct ShownUser {
    /// A user record (contract §6) with what administrators see below `broker`.
    let record: JSONObject

    var text: TerminalText {
        let parts: [TerminalText?] = [head, identities, sessions, claims]
        return parts.compactMap(\.self).joined(separator: "\n\n")
    }

    private var own: JSONObject { record["broker"]?.object ?? JSONObject() }

    private var head: TerminalText {
        let email = record["email"]?.string.map {
            "\($0)\(record["emailVerified"]?.bool == true ? ", verified" : ", not verified")"
        }
        let states = record.states.isEmpty ? "active" : record.states.joined(separator: ", ")
        return .facts([
            ("Name", record["displayName"]?.string), ("E-mail", email), ("Local ID", record["localId"]?.string),
            ("State", states), ("Merged into", own["mergedInto"]?.string), ("Created", time("createdAt")),
            ("Last sign-in", time("lastLoginAt")), ("Last refresh", record["lastRefreshAt"]?.string),
        ])
    }

    /// A time in the record: milliseconds since 1970, as text.
    private func time(_ name: String) -> String? {
        record[name]?.string.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0).text }
    }

    private var identities: TerminalText? {
        let identities = record["providerUserInfo"]?.array ?? []
        guard !identities.isEmpty else { return nil }
        let table = Table<JSONValue>(
            .init("PROVIDER") { $0["providerId"]?.string ?? "" }, .init("SUBJECT") { $0["rawId"]?.string ?? "" },
            .init("NAME", mayBeCut: true) { $0["screenName"]?.string ?? $0["displayName"]?.string ?? "" },
            .init("E-MAIL", mayBeCut: true) { $0["email"]?.string ?? "" },
            .init("STATE") { state(of: $0) })
        return "Identities\n\(table.text(identities))"
    }

    private func state(of identity: JSONValue) -> String {
        let provider = identity["providerId"]?.string ?? ""
        let (grant, report) = (own["grants"]?[provider], own["reports"]?[provider])
        return [
            identity["broker"]?["anonymous"]?.bool == true ? "anonymous" : nil,
            (grant?["state"]?.string).map { "grant \($0)" },
            (report?["consentRevokedAt"]?.string).map { "consent withdrawn \($0)" },
            report?["mailDisabled"]?.bool == true ? "no mail to the relay address" : nil,
            (report?["removalAt"]?.string).map { "removed \($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    private var sessions: TerminalText? {
        let sessions = own["sessions"]?.array ?? []
        guard !sessions.isEmpty else { return nil }
        let table = Table<JSONValue>(
            .init("SESSION") { $0["sid"]?.string ?? "" }, .init("PROVIDER", mayBeCut: true) { $0["idp"]?.string ?? "" },
            .init("CLIENT", mayBeCut: true) { $0["client_id"]?.string ?? "" },
            .init("LOGGED IN") { ($0["auth_time"]?.integer).map { Timestamp(seconds: $0).text } ?? "" })
        return "Latest sessions\n\(table.text(sessions))"
    }

    private var claims: TerminalText? {
        guard let claims = record["customAttributes"]?.string, claims != "{}" else { return nil }
        let left = (own["claimsLeftOutOfOpenID"]?.array ?? []).compactMap(\.string).joined(separator: ", ")
        return .facts([("Claims", claims), ("Not at clients", left.isEmpty ? nil : left)])
    }
}

extension TerminalText {
    /// Lines of a name and a value each; those without a value are left out.
    static func facts(_ facts: [(name: String, value: String?)]) -> TerminalText {
        let present = facts.compactMap { fact in fact.value.map { (name: fact.name, value: $0) } }
        let width = (present.map(\.name.count).max() ?? 0) + 2
        let lines: [TerminalText] = present.map { fact in
            "\(fact.name.padding(toLength: width, withPad: " ", startingAt: 0))\(fact.value)"
        }
        return lines.joined(separator: "\n")
    }
}
