import BrokerStore
import Foundation
import ProviderKit

/// Every page of the console in its states, with made-up users and apps: for the preview of the pages and for tests.
struct ConsoleSamples {
    var site = "Fernwick"
    var administrator = "Noa Linden"
    var person = "Robin Vale"
    var email = "robin.vale@example.com"
    /// The user's name at a provider.
    var label = "robin-vale"
    var app = "Notebook"
    var acme = "Acme Staff Login"
    var reason = "Two accounts, ticket 4471"
    var requestID = "sBM9aTTWwneysC21cVDy"
    var localID = "u7Qd0rYt5mKc2Vnx41b6"

    let now = Timestamp(milliseconds: 1_790_009_520_000)

    var frame: ConsoleFrame {
        ConsoleFrame(
            site: site, name: administrator, role: "Operator",
            signOut: HiddenForm(action: ConsolePaths.signOut, fields: [("form", "c2VhbGVk")]),
            waiting: [.webhooks: 2, .merges: 1])
    }

    var all: [(name: String, page: ConsolePage)] { people + settings + [("console-parts", parts)] }

    var labels: ProviderLabels {
        ProviderLabels([
            ("github.com", "github", "GitHub"), ("gitlab.com", "gitlab", "GitLab"), ("apple.com", "apple", "Apple"),
            ("1pass.dev", "1pass", "1Pass"), ("oidc.acme", "oidc", acme),
        ])
    }

    /// The parts that no other sample shows.
    private var parts: ConsolePage {
        ConsolePage(
            title: "Parts", section: nil,
            content: .head(
                "Parts", .actions([.button("/console", "Disable", .careful), .button("/console", "Add", .primary)]))
                + .banner(.bad, "The secret was not rotated.", "Another administrator rotated it a moment ago.")
                + .panel("Empty", .empty("No failed sign-ins in 24 hours", isGood: true))
                + .panel("Empty", .empty("Apps that sign users in stand here.", .button("/console", "Add a client"))),
            commands: ["broker clients list"])
    }

    private func at(_ secondsAgo: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds - secondsAgo * 1000) }
}

/// The start, the search and a user.
extension ConsoleSamples {
    private var people: [(name: String, page: ConsolePage)] {
        var long = self
        long.person = "Maximiliana Wolfeschlegelsteinhausenbergerdorff-Rosenbaum von der Hohenlohe"
        long.email = "maximiliana.wolfeschlegelsteinhausenbergerdorff@subdomain.example.com"
        long.app = "The Extraordinarily Long Named Notes and Calendars of Example Incorporated"
        long.acme = "Donaudampfschifffahrtsgesellschaft Mitarbeiteranmeldung"
        return [
            ("console-home", home(isNew: false, showsDays: false)),
            ("console-home-days", home(isNew: false, showsDays: true)),
            ("console-home-new", home(isNew: true, showsDays: false)),
            ("console-users", search("ro")), ("console-users-none", search("zebra", users: 0)),
            ("console-user", user(isFull: true)), ("console-user-bare", user(isFull: false)),
            ("console-user-failures", user(isFull: true, kind: .failure)),
            ("console-requests", requests()), ("console-requests-none", requests(isEmpty: true)),
            ("console-requests-unknown", requests(unknown: requestID, RefusalFilter(provider: "gitlab.com"))),
            ("console-request", request(.refused)), ("console-request-decided", request(.decided)),
            ("console-request-unrecorded", request(.unrecorded)), ("console-rules", RulesView().page),
            ("console-home-long", long.home(isNew: false, showsDays: false)),
            ("console-users-long", long.search("ma")), ("console-user-long", long.user(isFull: true)),
        ]
    }

    private func requests(
        unknown: String? = nil, isEmpty: Bool = false, _ filter: RefusalFilter = RefusalFilter()
    ) -> ConsolePage {
        let causes: [(String, String?, String?)] = [
            ("INVALID_IDP_RESPONSE", "gitlab.com", "notebook-web"), ("access_denied", "oidc.acme", nil),
            ("redirectNotRegistered", nil, "notebook-web"), ("TOKEN_EXPIRED", nil, nil),
        ]
        let refusals = causes.enumerated().map { index, cause in
            ExplainDecisions.RefusalAnswer(
                at: at(Int64(index + 1) * 4000), requestId: requestID, route: "/oauth/callback/{provider}", status: 400,
                code: cause.0, text: nil, provider: cause.1, clientId: cause.2)
        }
        return RequestsView(
            unknown: unknown, filter: filter,
            answer: .init(refusals: isEmpty ? [] : refusals, next: isEmpty ? nil : "1"), labels: labels
        ).page
    }

    private enum Request { case refused, decided, unrecorded }

    private func request(_ request: Request) -> ConsolePage {
        let decision = ExplainDecisions.DecisionAnswer(
            at: at(4000), requestId: requestID, provider: "gitlab.com", issuer: "https://gitlab.com", subjectHash: "",
            rule: AccountRule.unprovenAddress.rawValue, ruleText: AccountRule.unprovenAddress.sentence,
            result: "needConfirmation", evidence: [:], localId: localID)
        let refusal = ExplainDecisions.RefusalAnswer(
            at: at(4000), requestId: requestID, route: "/oauth/callback/{provider}", status: 400,
            code: "INVALID_IDP_RESPONSE", text: reason, provider: "gitlab.com", clientId: "notebook-web")
        let answer = ExplainDecisions.Answer(
            decisions: request == .unrecorded ? [] : [decision], mergedInto: nil,
            refusal: request == .refused ? refusal : nil,
            unrecorded: request == .unrecorded
                ? .init(at: at(4000), logLine: #""request_id":"\#(requestID)""#) : nil)
        return RequestView(
            id: requestID, answer: answer,
            causes: [
                .init(code: "INVALID_IDP_RESPONSE", provider: "gitlab.com", clientId: "notebook-web", count: 142)
            ], labels: labels, now: now
        ).page
    }

    private func home(isNew: Bool, showsDays: Bool) -> ConsolePage {
        HomeView(status: status(isNew: isNew), statistics: statistics(isNew: isNew), showsDays: showsDays).page
    }

    private func status(isNew: Bool) -> ShowStatus.Answer {
        func provider(
            _ id: String, _ use: String, _ name: String, _ state: ShowStatus.Provider.State, _ text: String? = nil
        ) -> ShowStatus.Provider {
            .init(id: id, use: use, displayName: name, state: state, text: text, fix: nil, checkedAt: at(120))
        }
        let providers = [
            provider("github.com", "github", "GitHub", .works),
            provider("gitlab.com", "gitlab", "GitLab", .fails, "its token endpoint answered 503"),
            provider("apple.com", "apple", "Apple", .paused, "24 of 30 checks of grants were refused"),
            provider("1pass.dev", "1pass", "1Pass", .off), provider("oidc.acme", "oidc", acme, .notCheckable),
        ]
        return ShowStatus.Answer(
            now: now, version: "1.4.0", providers: isNew ? [] : providers,
            queues: .init(
                withdrawals: isNew ? 0 : 4, parkedWithdrawals: isNew ? 0 : 1, deadWithdrawals: 0,
                deliveries: isNew ? 0 : 12, deadDeliveries: isNew ? 0 : 2, merges: isNew ? 0 : 1),
            brokers: isNew
                ? []
                : [
                    .init(id: "dWk4fJqW8xT0aPzTmLq9bC", host: "broker-a", version: "1.4.0", seenAt: at(4)),
                    .init(id: "q7TmLq9bCdWk4fJqW8xT0a", host: "broker-b", version: nil, seenAt: at(11)),
                ],
            findings: isNew
                ? [] : [ShowStatus.Finding(DoctorFinding(.relaySenderUnregistered, "declarations.relaySenders"))])
    }

    private func statistics(isNew: Bool) -> ShowStatistics.Answer {
        let day = [
            612, 548, 590, 671, 705, 640, 512, 388, 241, 160, 118, 97, 104, 131, 208, 377, 566, 742, 861, 905, 884, 921,
        ]
        func period(_ count: Int, length: Int64) -> ShowStatistics.Period {
            let intervals = (0..<count).map { index in
                ShowStatistics.Interval(
                    start: at(Int64(count - 1 - index) * length), signIns: isNew ? 0 : Int64(day[index % day.count]),
                    failedSignIns: isNew ? 0 : Int64(index == count - 4 ? 88 : index % 13))
            }
            let causes: [(String, String?, String?, Int64)] = [
                ("providerUnavailable", "gitlab.com", nil, 142), ("access_denied", "github.com", nil, 71),
                ("INVALID_IDP_RESPONSE", "1pass.dev", nil, 38), ("TOKEN_EXPIRED", nil, nil, 19),
                ("redirectNotRegistered", nil, "billing-web", 10),
            ]
            return ShowStatistics.Period(
                intervals: intervals, signIns: intervals.reduce(0) { $0 + $1.signIns },
                failedSignIns: intervals.reduce(0) { $0 + $1.failedSignIns },
                providers: isNew ? [] : [.init(provider: "github.com", signIns: 8120, failedSignIns: 71)],
                causes: isNew ? [] : causes.map { .init(code: $0.0, provider: $0.1, clientId: $0.2, count: $0.3) })
        }
        return ShowStatistics.Answer(hours: period(24, length: 3600), days: period(30, length: 86_400))
    }

    private func search(_ text: String, users: Int = 3) -> ConsolePage {
        let found: [FoundUser] = [
            FoundUser(
                localId: localID, displayName: person, email: email, emailVerified: true, photoUrl: nil,
                providers: ["github.com", "gitlab.com", "oidc.acme"], anonymous: false, disabled: false,
                createdAt: at(9_000_000),
                lastLoginAt: at(600), word: text),
            FoundUser(
                localId: "u2HkP9sWe3Lb7Tqm08b6", displayName: nil, email: "rosa@example.com", emailVerified: false,
                photoUrl: nil, providers: ["apple.com"], anonymous: false, disabled: true, createdAt: at(90_000),
                lastLoginAt: at(80_000), word: text),
            FoundUser(
                localId: "robHkP9sWe3Lb7Tqm08b", displayName: nil, email: nil, emailVerified: false, photoUrl: nil,
                providers: [], anonymous: true, disabled: false, createdAt: at(900), lastLoginAt: nil, word: text),
        ]
        let answer = SearchUsers.Answer(
            users: Array(found.prefix(users)), next: users > 0 ? "bmV4dA" : nil, complete: users > 0, requestId: nil)
        return SearchView(
            text: text, filters: .init(provider: nil, state: nil, created: .month, signedIn: nil), answer: answer,
            labels: labels, providers: ["github.com", "gitlab.com", "apple.com", "1pass.dev", "oidc.acme"],
            buttons: buttons, now: now
        ).page
    }

    private func user(isFull: Bool, kind: ShowTimeline.Kind? = nil) -> ConsolePage {
        UserView(
            user: record(isFull: isFull), timeline: timeline(isFull: isFull, kind: kind),
            sessions: sessions(isFull: isFull),
            labels: labels, kind: kind, after: nil, mayChange: isFull, now: now
        ).page
    }

    private func record(isFull: Bool) -> JSONObject {
        guard isFull else {
            return [
                "localId": .string(localID), "disabled": true, "createdAt": "1789000000000",
                "broker": ["anonymous": true],
            ]
        }
        func identity(_ provider: String, _ subject: String, _ name: String?) -> JSONValue {
            var identity: JSONObject = ["providerId": .string(provider), "rawId": .string(subject)]
            identity["screenName"] = name.map(JSONValue.string)
            return .object(identity)
        }
        return [
            "localId": .string(localID), "displayName": .string(person), "email": .string(email), "emailVerified": true,
            "createdAt": "1773341220000", "lastLoginAt": "1790009220000", "customAttributes": #"{"plan":"team"}"#,
            "providerUserInfo": [
                identity("github.com", "7240183", label), identity("gitlab.com", "551902", "rvale"),
                identity("1pass.dev", "9f2c81d0", nil), identity("oidc.acme", "a-17", email),
            ],
            "broker": [
                "reports": ["1pass.dev": ["consentRevokedAt": "2026-09-21T09:30:00Z"]],
                "grants": [
                    "github.com": ["state": "valid"],
                    "gitlab.com": ["state": "valid", "expiresAt": "2026-09-22T09:30:00Z"],
                    "oidc.acme": ["state": "refused"],
                ],
            ],
        ]
    }

    private func sessions(isFull: Bool) -> ListUserSessions.Answer {
        func session(_ app: String, _ family: String, _ device: String?, _ ago: Int64) -> ListUserSessions.SessionAnswer
        {
            .init(
                id: "4fJqW8xT0aPz", app: app, family: family, state: "live", provider: "github.com", authTime: 0,
                createdAt: at(ago + 90), lastUsedAt: at(ago), clientId: nil, device: device, revokedAt: nil,
                revokedReason: nil)
        }
        return .init(
            sessions: isFull
                ? [
                    session(app, "oauth", "Firefox · Linux", 300),
                    session("account pages", "web", "Safari · iPhone", 70_000),
                ]
                : [], next: isFull ? "next" : nil)
    }

    private func timeline(isFull: Bool, kind: ShowTimeline.Kind?) -> ShowTimeline.Answer {
        func entry(
            _ ago: Int64, _ event: String, _ kind: ShowTimeline.Kind, _ sentence: String, rule: String? = nil,
            device: String? = nil, because reason: String? = nil
        ) -> ShowTimeline.Entry {
            .init(
                at: at(ago), event: event, kind: kind, sentence: sentence, rule: rule,
                ruleText: rule.map { "The sentence of rule \($0)." }, provider: nil, device: device, address: nil,
                actorKind: "user", actor: nil, reason: reason, requestId: kind == .failure ? requestID : nil)
        }
        func origin(
            _ provider: String, _ providerName: String, _ name: String?, _ ago: Int64, _ sentence: String,
            _ rule: String
        ) -> ShowTimeline.IdentityReason {
            .init(
                provider: provider, providerName: providerName, name: name, linkedAt: at(ago), sentence: sentence,
                rule: rule, ruleText: "The sentence of rule \(rule).", requestId: requestID)
        }
        guard isFull else { return .init(user: localID, identities: [], entries: [], next: nil) }
        return .init(
            user: localID,
            identities: [
                origin("github.com", "GitHub", label, 16_600_000, "The user was created with it.", "S5"),
                origin(
                    "gitlab.com", "GitLab", "rvale", 4_300_000,
                    "It was added because the user proved GitHub 41 seconds before.", "L3"),
                origin(
                    "1pass.dev", "1Pass", nil, 90_000, "It came with a merge that \(administrator) approved.",
                    "M-approved"),
            ],
            entries: [
                entry(
                    300, "user.signed-in", .decision, "Signed in to \(app) with GitHub, because the identity is known.",
                    rule: "S1", device: "Firefox · Linux"),
                entry(4000, "sign-in.refused", .failure, "A sign-in to \(app) failed: GitLab answered 503."),
                entry(
                    90_000, "user.merged", .decision, "\(administrator) merged u2HkP9sWe3Lb7Tqm08b6 into this user.",
                    rule: "M-approved", because: reason),
                entry(
                    4_300_000, "identity.linked", .decision,
                    "GitLab’s rvale was added, because the user had proved GitHub 41 seconds before.", rule: "L3",
                    device: "Firefox · Linux"),
                entry(
                    4_300_060, "sign-in.need-confirmation", .failure,
                    "GitLab brought an identity with this user’s address: it was not joined.", rule: "S4"),
                entry(
                    16_600_000, "user.created", .decision,
                    "The user was created with GitHub’s \(label), because no user has the identity or its address.",
                    rule: "S5"),
            ].filter { kind == nil || $0.kind == kind }, next: "older")
    }
}
