package import ProviderKit

/// User records (contract §6) as text.
extension JSONObject {
    /// The localId and the e-mail address.
    package var userLabel: TerminalText {
        "\(self["localId"]?.string ?? "unknown") (\(self["email"]?.string ?? "no e-mail"))"
    }

    /// The user in one line, for a question at the terminal.
    package var userSummary: TerminalText {
        let providers = linkedProviders.joined(separator: ", ")
        let isVerified = self["emailVerified"]?.bool == true
        let email = self["email"] == nil ? "" : isVerified ? ", e-mail verified" : ", e-mail not verified"
        return """
            \(self["localId"]?.string ?? "unknown"): \(userNames)\(email), \
            signs in with \(providers.isEmpty ? "nothing" : providers)\(states.map { ", \($0)" }.joined())
            """
    }

    private var userNames: TerminalText { TerminalText(names: [self["displayName"]?.string, self["email"]?.string]) }

    /// What is unusual about the user.
    var states: [String] {
        (self["disabled"]?.bool == true ? ["disabled"] : []) + (isAnonymousUser ? ["anonymous"] : [])
    }

    private var isAnonymousUser: Bool { self["broker"]?["anonymous"]?.bool == true }

    fileprivate var linkedProviders: [String] {
        (self["providerUserInfo"]?.array ?? []).compactMap { $0["providerId"]?.string }
    }
}

extension Table<JSONObject> {
    /// A table of user records.
    package static var users: Table<JSONObject> {
        Table(
            Table.Column("LOCAL ID") { $0["localId"]?.string ?? "" },
            Table.Column("E-MAIL", mayBeCut: true) { $0["email"]?.string ?? "-" },
            Table.Column("NAME", mayBeCut: true) { $0["displayName"]?.string ?? "-" },
            Table.Column("PROVIDERS", mayBeCut: true) { $0.linkedProviders.joined(separator: ",") },
            Table.Column("STATE") { $0.states.joined(separator: ",") })
    }
}
