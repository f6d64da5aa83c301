import ArgumentParser
import Broker
import BrokerStore
import Foundation
import ProviderKit

extension ProvidersCommand {
    struct Try: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "try", abstract: "Sign in with a provider and show what it answers; nothing is stored.",
            discussion: """
                A browser opens at the provider; over SSH or with --no-open the command shows the URL for any browser.
                Sign in there, then the command prints each answer of the provider, what the options of an oauth2 or
                oidc entry selected in them, and the user who would be signed in. It makes no user and no session. The
                provider comes back to the redirect URI of the entry, so a running broker is needed. A disabled entry
                can be tried before it is enabled.

                Tokens and secrets are hidden, by their places and by their shapes. Personal data is shown at a terminal
                and with --show; elsewhere only the names and kinds of values are. The provider keeps the consent that
                you gave it. Exits 0 if a user would be signed in, otherwise 1.

                Examples:
                  broker providers try github.com
                  broker providers try oauth2.acme --no-open --show > answers.txt
                """.paragraphs)

        @Argument(
            help: "The provider's id, or its kind if only one entry has it; the entry may be disabled.",
            completion: .providers)
        var id: String

        @Flag(name: .long, help: "Show personal data although the output is no terminal.")
        var show = false

        @Flag(name: .long, help: "Show the URL and do not open a browser.")
        var noOpen = false

        @OptionGroup var options: AdministrationOptions
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try await output.reporting {
                let answer = try await options.withExecutor(asksProviders: true) { run in
                    if case .inProcess(let call) = run {
                        try await DevicePrompt.requirePages(of: call.admin.configuration, otherwise: "")
                    }
                    let trial = try await run(StartTrial(provider: id))
                    let command = self
                    return try await Interruption.heeding { try await command.outcome(of: trial, run) }
                }
                let shown = show || isatty(STDOUT_FILENO) == 1 ? answer : try answer.withoutPersonalData()
                try output(shown) { TriedSignInText(id: id, answer: $0).text }
                if answer.problem != nil { throw ExitCode.failure }
            }
        }

        /// Opens the browser, and waits until the provider has answered.
        private func outcome(
            of trial: StartTrial.Answer, _ run: OperationExecutor
        ) async throws -> FinishTrial.Answer {
            let browser = noOpen ? nil : LocalBrowser()
            let opens = browser != nil
            (output.json ? TerminalText(json: trial.document(opens: opens)) : trial.text(opens: opens)).show()
            browser?.open(trial.authorizationUrl)
            let showsTime = !output.json && StatusLine.isPossible
            defer { StatusLine.clear() }
            while trial.secondsLeft > 0 {
                let answer = try await run(FinishTrial(provider: trial.id, trial: trial.trial))
                guard answer.isWaiting else { return answer }
                if showsTime { StatusLine.show("Waiting, \(Countdown.time(trial.secondsLeft)) left.") }
                try await Task.sleep(for: .seconds(1))
            }
            throw CommandFailure(code: "EXPIRED", "the provider did not answer in time: nothing came of the sign-in")
        }
    }
}

extension StartTrial.Answer {
    /// Until the trial expires.
    fileprivate var secondsLeft: Int { Int(clamping: expiresAt.seconds - Timestamp(Date()).seconds) }

    fileprivate func document(opens: Bool) -> JSONValue {
        [
            "event": "browser-sign-in", "provider": .string(id), "url": .string(authorizationUrl),
            "expiresIn": .integer(Int64(secondsLeft)), "opensBrowser": .bool(opens),
        ]
    }

    fileprivate func text(opens: Bool) -> TerminalText {
        """

            \(opens ? "A browser opens. If none does, open" : "Open with any browser")

                \(authorizationUrl)

            and sign in. The link is for this command alone and expires in \(Countdown.time(secondsLeft)).

        """
    }
}

/// The outcome of a tried sign-in for the terminal.
struct TriedSignInText {
    let id: String
    let answer: FinishTrial.Answer

    var text: TerminalText {
        let parts = [callback] + answer.exchanges.map(Self.text) + idTokens + [readings, identity, problem]
        return parts.compactMap(\.self).joined(separator: "\n\n")
    }

    private var callback: TerminalText? {
        answer.callback.isEmpty
            ? nil : "The authorization response\n\(TerminalText(json: .object(answer.callback), indented: true))"
    }

    private static func text(_ exchange: FinishTrial.Exchange) -> TerminalText {
        let outcome: TerminalText =
            exchange.status.map { "answered with status \($0)" } ?? "no answer: \(exchange.problem ?? "")"
        let body: TerminalText
        switch exchange.body {
        case nil: body = ""
        case .string(let text): body = "\n\(TerminalText(escapingLines: text))"
        case let document?: body = "\n\(TerminalText(json: document, indented: true))"
        }
        return "\(exchange.request) (\(exchange.step)): \(outcome)\(body)"
    }

    private var idTokens: [TerminalText] {
        answer.idTokens.map { claims in
            "The claims of the ID token, verified\n\(TerminalText(json: .object(claims), indented: true))"
        }
    }

    private var readings: TerminalText? {
        guard !answer.readings.isEmpty else { return nil }
        let table = Table<FinishTrial.Reading>(
            .init("CLAIM") { $0.claim }, .init("PLACE") { $0.place },
            .init("VALUE") { $0.value.map { $0.string ?? $0.serialized() } ?? "(nothing there)" })
        return "What the options selected\n\(table.text(answer.readings))"
    }

    private var identity: TerminalText? {
        guard let identity = answer.identity else { return nil }
        let address = identity.email.map { email in
            let verified = identity.isEmailVerified ? "verified by the provider" : "not verified"
            let counts =
                identity.doesEmailCount ? "counts" : identity.isEmailVerified ? "does not count: trustEmail is off" : ""
            return [email, verified, counts].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        let rows: [(name: String, value: String?)] = [
            ("subject", identity.subject), ("issuer", identity.issuer), ("address", address ?? "none"),
            ("name", identity.displayName ?? "none"), ("given name", identity.givenName),
            ("family name", identity.familyName), ("user name", identity.screenName),
            ("picture", identity.pictureUrl), ("scopes", identity.scopes.joined(separator: " ")),
            ("refresh token", identity.hasRefreshToken ? "yes" : "none"),
        ]
        let lines = rows.compactMap { row -> TerminalText? in
            row.value.map { value in
                "  \(row.name)\(String(repeating: " ", count: 15 - row.name.count))\(value)"
            }
        }
        return "The user who would be signed in; nothing was stored\n\(lines.joined(separator: "\n"))"
    }

    private var problem: TerminalText? {
        answer.problem.map { problem in
            """
            ✗ \(id) would sign no user in: \(problem.text) [\(problem.fault) at \(problem.step)]
              Compare the answers above with the entry's options, and see broker providers check \(id).
            """
        }
    }
}

extension FinishTrial.Answer {
    /// The answer with the names and kinds of values in place of the values.
    ///
    /// - Throws: An error of the coders, which is a fault of the program.
    func withoutPersonalData() throws -> FinishTrial.Answer {
        let encoded = try JSONValueEncoder().encode(self)
        guard var members = encoded.object else { return self }
        for name in ["callback", "idTokens", "identity"] { members[name] = members[name]?.outlined }
        let values = [identity?.subject, identity?.email].compactMap(\.self) + readings.compactMap { $0.value?.string }
        members["exchanges"] = .array(
            (members["exchanges"]?.array ?? []).map { exchange in
                exchange.replacing("body") { $0.outlined }.replacing("request") { request in
                    .string(
                        values.filter { $0.utf8.count > 2 }.reduce(request.string ?? "") {
                            $0.replacing($1, with: "(hidden)")
                        })
                }
            })
        members["readings"] = .array(
            (members["readings"]?.array ?? []).map { reading in reading.replacing("value") { $0.outlined } })
        return try JSONValueDecoder().decode(FinishTrial.Answer.self, from: .object(members))
    }
}

extension JSONValue {
    /// The value with kinds in place of texts and numbers, but for members that are about no user.
    fileprivate var outlined: JSONValue {
        switch self {
        case .object(let object):
            .object(
                JSONObject(object.map { ($0.name, Self.impersonal.contains($0.name) ? $0.value : $0.value.outlined) }))
        case .array(let elements): .array(elements.map(\.outlined))
        case .string(let text): text.hasPrefix("(hidden: ") ? self : "(text)"
        case .number: "(number)"
        case .bool, .null: self
        }
    }

    private static let impersonal: Set<String> = [
        "aud", "error", "expires_in", "iss", "issuer", "scope", "scopes", "token_type",
    ]

    fileprivate func replacing(_ name: String, _ change: (JSONValue) -> JSONValue) -> JSONValue {
        guard case .object(var members) = self, let value = members[name] else { return self }
        members[name] = change(value)
        return .object(members)
    }
}
