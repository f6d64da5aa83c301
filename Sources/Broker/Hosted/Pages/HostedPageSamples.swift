import Foundation

/// Every page in every state, with made-up users and apps: for ``PagePreview`` and for tests.
struct HostedPageSamples {
    var person = "Robin Vale"
    var email = "robin.vale@example.com"
    var app = "Notebook"
    var site = "Fernwick"
    var gitHub = "GitHub"
    /// The user's name at a provider.
    var label = "robin-vale"
    var acme = "Acme Staff Login"
    var token = "c2VhbGVk"
    var browser = "Firefox · Linux"
    var network = "192.0.2.17"
    var host = "notebook.example.com"
    var clientID = "notebook-web"
    var scope = "gist"
    var claim = "role"
    var userCode = "BCDF-GHJK"
    var requestID = "sBM9aTTWwneysC21cVDy"
    var address = "https://notebook.example.com/back?state=1&error=access_denied"

    var all: [(name: String, page: any HostedPage)] { states + longNames }

    private var states: [(name: String, page: any HostedPage)] {
        [("start", StartPage())] + choosers + errors + account + confirmations + devices + closings
            + [("diagnose", DiagnosePage())]
    }

    /// Those that show most names, with names as long as they come.
    private var longNames: [(name: String, page: any HostedPage)] {
        var long = self
        long.person = "Maximiliana Wolfeschlegelsteinhausenbergerdorff-Rosenbaum von der Hohenlohe"
        long.email = "maximiliana.wolfeschlegelsteinhausenbergerdorff@subdomain.example.com"
        long.app = "The Extraordinarily Long Named Notes and Calendars of Example Incorporated"
        long.acme = "Donaudampfschifffahrtsgesellschaft Mitarbeiteranmeldung"
        let shown = ["chooser", "chooser-known", "account", "confirm-continue", "confirm-link", "device-confirm-app"]
        return long.states.filter { shown.contains($0.name) }.map { ("\($0.name)-long", $0.page) }
    }

    private var details: ConsentDetails {
        ConsentDetails(
            app: AppView(name: app, logo: picture, termsHref: address, privacyHref: address),
            site: PageBrand(name: site, logo: picture), name: person, email: email, provider: gitHub,
            scopes: Scopes([.openid, .profile, .email, .offlineAccess]), otherAccountHref: address,
            destination: .host(host))
    }

    /// Of an app on the user's device that asks for everything but a profile.
    private var controlling: ConsentDetails {
        ConsentDetails(
            app: AppView(name: app), site: PageBrand(name: site), name: nil, email: nil,
            scopes: Scopes([.openid, .claims, .account]), destination: .device)
    }

    /// One that the preview serves.
    private let picture = LogoView(lightHref: DefaultIcon.path, darkHref: DefaultIcon.path)

    private var form: HiddenForm { HiddenForm(action: "/account/change", fields: [("form", token)]) }

    private var buttons: [ProviderButton] {
        [
            ("github.com", "github", gitHub), ("gitlab.com", "gitlab", "GitLab"), ("apple.com", "apple", "Apple"),
            ("1pass.dev", "1pass", "1Pass"), ("oidc.acme", "oidc", acme),
        ].map { ProviderButton(id: $0.0, kind: $0.1, name: $0.2, href: address) }
    }

    /// Those of entries that name their colours.
    private var colored: [ProviderButton] {
        [
            ("oauth2.blue", "Azurite", SRGBColor(0x58, 0x65, 0xf2), SRGBColor(0xff, 0xff, 0xff)),
            ("oauth2.white", "Calcite", SRGBColor(0xff, 0xff, 0xff), SRGBColor(0x1f, 0x1f, 0x1f)),
            ("oauth2.black", "Obsidian", SRGBColor(0, 0, 0), SRGBColor(0xff, 0xff, 0xff)),
        ].map { id, name, background, foreground in
            ProviderButton(
                id: id, kind: "oauth2", name: name,
                colors: ButtonColors(background: background, foreground: foreground), href: address)
        }
    }

    /// Those that a chooser folds.
    private var further: [ProviderButton] {
        (1...4).map { ProviderButton(id: "oidc.further-\($0)", kind: "oidc", name: "\(acme) \($0)", href: address) }
    }

    private func chooser(_ providers: [ProviderButton], usedLast: String? = nil) -> ChooserPage {
        ChooserPage(
            app: app, providers: providers, usedLast: usedLast, cancelHref: address, termsHref: address,
            privacyHref: address)
    }

    private var choosers: [(String, any HostedPage)] {
        [
            ("chooser", chooser(buttons)), ("chooser-used-last", chooser(buttons, usedLast: "gitlab.com")),
            ("chooser-one", chooser(Array(buttons.prefix(1)), usedLast: "github.com")),
            ("chooser-colours", chooser(colored + Array(buttons.suffix(1)))),
            ("chooser-nine", chooser(buttons + further, usedLast: "oidc.further-3")),
            ("chooser-plain", ChooserPage(providers: Array(buttons.prefix(2)), notice: nil)),
            ("chooser-exists", ChooserPage(app: app, providers: buttons, notice: .accountExists(provider: gitHub))),
            (
                "chooser-exists-ways",
                ChooserPage(
                    app: app, providers: buttons, notice: .accountExists(provider: gitHub, ways: [acme, label]),
                    cancelHref: address)
            ),
            ("chooser-again", ChooserPage(providers: buttons, notice: .signInAgain, cancelHref: address)),
            ("chooser-other", ChooserPage(providers: buttons, notice: .otherAccount, cancelHref: address)),
            ("chooser-cancelled", ChooserPage(providers: buttons, notice: .cancelled(provider: gitHub))),
            ("chooser-unavailable", ChooserPage(providers: buttons, notice: .providerUnavailable(provider: gitHub))),
            (
                "chooser-known",
                ChooserPage(
                    app: app, providers: buttons, continueAs: .init(name: person, email: email, form: form),
                    cancelHref: address)
            ),
            ("chooser-empty", ChooserPage(providers: [])),
        ]
    }

    private var errors: [(String, any HostedPage)] {
        let causes = sequence(first: ErrorPage.Cause.attemptUnknownOrUsed) { sample($0).next }.map {
            (sample($0).name, $0)
        }
        let exits: [ErrorPage.Exit?] = [
            .startAgain(href: address), .home(name: app, href: address), .account(href: "/account"), nil,
            .app(name: app, href: address),
        ]
        return causes.enumerated().map { index, cause in
            (
                "error-\(cause.0)",
                ErrorPage(
                    cause: cause.1, requestID: requestID, exit: exits[index % exits.count])
            )
        }
    }

    /// The name of a cause's sample, and the cause that follows. No `default`: a new cause does not compile until it has
    /// a sample.
    private func sample(_ cause: ErrorPage.Cause) -> (name: String, next: ErrorPage.Cause?) {
        switch cause {
        case .attemptUnknownOrUsed: ("attempt", .expired)
        case .expired: ("expired", .otherBrowser)
        case .otherBrowser: ("browser", .providerRefused(gitHub))
        case .providerRefused: ("refused", .cancelled(gitHub))
        case .cancelled: ("cancelled", .providerUnavailable(gitHub))
        case .providerUnavailable: ("unavailable", .providerMisconfigured(gitHub))
        case .providerMisconfigured: ("misconfigured", .profileUnusable(gitHub))
        case .profileUnusable: ("profile", .clientUnknown(id: clientID))
        case .clientUnknown: ("client", .redirectNotRegistered(uri: address))
        case .redirectNotRegistered: ("redirect", .badRequest("code_challenge_method must be S256."))
        case .badRequest: ("request", .accountDisabled)
        case .accountDisabled: ("disabled", .linkRefused(.alreadyLinkedElsewhere, provider: gitHub))
        case .linkRefused(.alreadyLinkedElsewhere, _):
            ("elsewhere", .linkRefused(.providerAlreadyLinked, provider: gitHub))
        case .linkRefused(.providerAlreadyLinked, _): ("already", .linkRefused(.emailTaken, provider: gitHub))
        case .linkRefused(.emailTaken, _): ("email", .mergeRefused(.noAccount, provider: gitHub))
        case .mergeRefused(.noAccount, _): ("merge-none", .mergeRefused(.sameAccount, provider: ""))
        case .mergeRefused(.sameAccount, _): ("merge-same", .mergeRefused(.twoOfOneProvider, provider: gitHub))
        case .mergeRefused(.twoOfOneProvider, _): ("merge-two", .mergeRefused(.needsAdministrator, provider: ""))
        case .mergeRefused(.needsAdministrator, _):
            ("merge-waits", .mergeRefused(.undoNeedsAdministrator, provider: ""))
        case .mergeRefused(.undoNeedsAdministrator, _): ("merge-undo", .mergeRefused(.loginEnded, provider: ""))
        case .mergeRefused(.loginEnded, _): ("merge-ended", .lastWayIn)
        case .lastWayIn: ("last", .signUpOff)
        case .signUpOff: ("sign-up-off", .deletionOff)
        case .deletionOff: ("deletion-off", .notFound)
        case .notFound: ("missing", .unavailable)
        case .unavailable: ("down", .notAllowed)
        case .notAllowed: ("forbidden", .tooManyRequests)
        case .tooManyRequests: ("too-many", nil)
        }
    }

    private var account: [(String, any HostedPage)] {
        [
            ("account", page(nil)), ("account-linked", page(.linked(gitHub))),
            ("account-unlinked", page(.unlinked(gitHub, nil))),
            (
                "account-withdrawn",
                page(.unlinked(gitHub, .init(provider: gitHub, state: .queued, receipt: "0123456789abcdef")))
            ), ("account-ended", page(.sessionEnded)), ("account-merged", page(.merged)),
            ("account-saved", page(.profileSaved)), ("account-exported", page(.exportedRecently)),
            ("account-history", AccountHistoryPage(entries: happenings, olderHref: address)),
            ("account-history-empty", AccountHistoryPage(entries: [], olderHref: nil)),
            ("profile", profile(.provider(gitHub), nil)), ("profile-name", profile(.none, .nameTooLong)),
            ("profile-picture", profile(.address, .addressInvalid)),
            ("account-bare", page(.init(displayName: nil, email: nil, isEmailVerified: false), [], [], nil)),
        ]
    }

    private func page(_ notice: AccountPage.Notice?) -> AccountPage {
        let connections: [AccountPage.Connection] = [
            .init(
                kind: "github", name: gitHub, label: label, lastUsedAt: then,
                permissions: .init(scopes: ["read:user", "user:email", scope]), disconnect: form),
            .init(
                kind: "apple", name: "Apple", label: email, lastUsedAt: then, permissions: .init(scopes: ["name"]),
                disconnect: form),
            .init(kind: "oidc", name: acme, label: nil, lastUsedAt: then, permissions: nil, disconnect: nil),
        ]
        let offers: [AccountPage.Offer] = [
            .init(kind: "gitlab", name: "GitLab", href: "/depart?form=sealed"),
            .init(kind: "1pass", name: "1Pass", href: "/depart?form=sealed"),
        ]
        return page(
            .init(displayName: person, email: email, isEmailVerified: notice == nil), connections, offers, notice)
    }

    private func page(
        _ person: AccountPage.Person, _ connections: [AccountPage.Connection], _ offers: [AccountPage.Offer],
        _ notice: AccountPage.Notice?
    ) -> AccountPage {
        AccountPage(
            person: person, profileHref: "/account/profile", connections: connections, offers: offers,
            devices: [
                device(nil, isCurrent: true, apps: [app, acme]), device(app, isCurrent: false, apps: []),
                device(nil, isCurrent: false, apps: []), device(nil, isCurrent: false, apps: []),
            ] + (0..<6).map { device(nil, called: "\(browser) \($0)", isCurrent: false, apps: []) },
            signOut: form, signOutEverywhere: form, merge: form,
            merges: connections.isEmpty
                ? []
                : [
                    .init(name: email, mergedAt: then, undo: form), .init(name: label, mergedAt: then, undo: nil),
                ], history: connections.isEmpty ? [] : Array(happenings.prefix(5)),
            changes: connections.isEmpty ? [] : Array(happenings.filter(\.isByAdministrator).suffix(3)),
            historyHref: "/account/history", export: form, label: person.email,
            asked: connections.isEmpty ? [] : [gitHub, acme], delete: form, notice: notice)
    }

    /// An entry of each kind, each with and without names.
    private var happenings: [Happening] {
        // These are always about a provider.
        let ofProvider: Set<Happening.Kind> = [.connected, .disconnected, .accessEnded]
        return Happening.Kind.allCases.flatMap { kind in
            [true, false].map { isNamed in
                Happening(
                    kind: kind, at: then, provider: isNamed || ofProvider.contains(kind) ? gitHub : nil,
                    app: isNamed ? app : nil,
                    network: isNamed ? "203.0.113.0/24" : nil, changed: isNamed ? Happening.Part.allCases : [],
                    isByAdministrator: !isNamed)
            }
        }
    }

    private func profile(_ choice: ProfilePage.Choice, _ problem: ProfilePage.Problem?) -> ProfilePage {
        ProfilePage(
            entry: .init(name: person, picture: choice, address: address), problem: problem,
            pictures: [.init(provider: gitHub, name: gitHub, url: address)], form: form)
    }

    private func device(
        _ app: String?, called name: String? = nil, isCurrent: Bool, apps: [String]
    ) -> AccountPage.Device {
        .init(
            app: app, name: name ?? browser, address: network, provider: gitHub, signedInAt: then,
            lastUsedAt: then + 90_000,
            isCurrent: isCurrent, apps: apps.map { .init(name: $0, lastUsedAt: then, signOut: form) },
            signOut: isCurrent ? nil : form)
    }

    private let then = Date(timeIntervalSince1970: 1_790_000_000)

    private var confirmations: [(String, any HostedPage)] {
        let questions: [(String, ConfirmPage.Question)] = [
            ("link", .link(provider: gitHub, person: label, account: email)),
            ("unlink", .unlink(provider: gitHub, isLast: false, deletesGrant: true)),
            ("unlink-last", .unlink(provider: gitHub, isLast: true, deletesGrant: false)),
            ("merge", .merge(merge)), ("merge-undo", .undoMerge(account: email)),
            ("everywhere", .signOutEverywhere), ("delete", .deleteAccount(deletion(email))),
            ("delete-nameless", .deleteAccount(deletion(nil))), ("sign-out", .signOut(app: nil)),
            ("sign-out-app", .signOut(app: app)), ("continue", .continueTo(details)),
            ("continue-control", .continueTo(controlling)),
        ]
        return questions.map {
            ("confirm-\($0.0)", ConfirmPage(question: $0.1, form: form, cancelHref: address))
        }
    }

    private func deletion(_ account: String?) -> DeletionDetails {
        let states: [WithdrawalPart.State] = [.forecast, .nothingStored, .notSupported]
        return DeletionDetails(
            account: account,
            withdrawals: states.map { .init(provider: gitHub, state: $0, receipt: nil) })
    }

    private var merge: ConfirmPage.MergeDetails {
        .init(
            own: .init(name: email, providers: [gitHub, acme], sessions: 3),
            other: .init(name: person, providers: [], sessions: 0),
            choices: [
                .init(localID: token, isOwn: true, waits: true, claims: [claim]),
                .init(localID: token, isOwn: false, waits: false, claims: []),
            ])
    }

    private var devices: [(String, any HostedPage)] {
        let states: [(String, DevicePage.State)] = [
            ("code", .enterCode(form)), ("code-wrong", .enterCode(form, code: userCode, problem: .wrong)),
            ("code-expired", .enterCode(form, problem: .expired)),
            ("confirm", .confirm(code: userCode, .terminal(provider: gitHub, continueHref: address), form)),
            ("confirm-app", .confirm(code: userCode, .app(details), form)), ("done", .done), ("denied", .denied),
        ]
        return states.map { ("device-\($0.0)", DevicePage(state: $0.1)) }
    }

    private var closings: [(String, any HostedPage)] {
        [
            ("done-proven", DonePage(provider: gitHub, person: label)),
            ("done-nameless", DonePage(provider: gitHub)), ("done-tried", TriedPage(provider: gitHub)),
            ("signed-out", SignedOutPage(signInHref: "/sign-in")),
            (
                "deleted",
                DeletedPage(
                    account: email,
                    withdrawals: [
                        .init(provider: gitHub, state: .queued, receipt: "0123456789abcdef01234567"),
                        .init(provider: acme, state: .done, receipt: "0123456789abcdef01234567"),
                    ], homeHref: address, refreshHref: address)
            ),
            (
                "deleted-failed",
                DeletedPage(
                    account: nil,
                    withdrawals: [
                        .init(provider: gitHub, state: .failed, receipt: "0123456789abcdef01234567"),
                        .init(provider: acme, state: .notSupported, receipt: nil),
                        .init(provider: acme, state: .nothingStored, receipt: nil),
                    ], homeHref: "/")
            ),
        ]
    }
}
