import ProviderKit

/// `providers.check`: checks one entry against the provider itself.
package struct CheckProviderOperation: AdminOperation {
    package static let declaration = OperationDeclaration(
        "providers.check", "Checks the configuration of a provider against the provider itself.", .readConfiguration,
        .reads, asksProviders: true,
        [
            .positional(
                "provider", "The provider's id, or its kind if only one entry has it.", as: "id", example: "github.com")
        ], heading: "Check a provider")

    let provider: String

    package struct Answer: DescribedObject {
        package static let texts: [String: MemberText] = ["providers": "The findings, or the state, of the entry."]

        package let providers: [Finding]

        package init(providers: [Finding]) {
            self.providers = providers
        }
    }

    /// A finding about an entry, or its state.
    package struct Finding: DescribedObject {
        package static let texts: [String: MemberText] = [
            "id": "The id of the entry.",
            "code": "Stable: `ok`, `not-checkable`, `off`, `left-out`, or the code of a finding.",
            "text": "What was found.",
            "fix": "What an operator does about it.",
            "isHint": "Whether sign-ins may work all the same; absent where they do not.",
            "redirectUri": "The redirect URI to register at the provider.",
        ]

        package let id: String
        package let code: String
        package let text: String
        package let fix: String?
        package private(set) var isHint: Bool?
        package private(set) var redirectUri: String?

        /// Whether it keeps users from signing in.
        package var isProblem: Bool { fix != nil && isHint != true }

        package init(id: String, code: String, text: String, fix: String? = nil) {
            (self.id, self.code, self.text, self.fix) = (id, code, text, fix)
        }

        fileprivate init(_ finding: ConfigurationFinding, of id: String) {
            self.init(id: id, code: finding.code, text: finding.text, fix: finding.fix)
            isHint = finding.isHint ? true : nil
        }

        fileprivate static func ok(_ id: String) -> Finding { Finding(id: id, code: "ok", text: "ready for sign-ins") }

        /// The finding for an administrator of the network, who does not learn which names the broker's network knows.
        fileprivate var withoutNames: Finding {
            guard ConfigurationFinding.addressCodes.contains(code) else { return self }
            return Finding(
                id: id, code: "address-unusable", text: "a host of the provider has no address that the broker may ask",
                fix: "Check the URLs in options; broker providers check \(id) on the broker's host tells more.")
        }

        fileprivate func with(redirectURI: String) -> Finding {
            var copy = self
            copy.redirectUri = redirectURI
            return copy
        }
    }

    package init(provider: String) {
        self.provider = provider
    }

    package func run(for call: AdminCall) async throws -> Answer {
        // An entry that was written a moment ago is checked as well.
        try await call.admin.providers.storedConfiguration.reload()
        let current = call.admin.providers.current
        if let entry = current.unusable.first(where: { $0.id.hasSameBytes(as: provider) }),
            current.provider(provider) == nil
        {
            let fix = entry.reason.fix ?? "Correct the entry, or remove it."
            return Answer(
                providers: [Finding(id: entry.id, code: "left-out", text: entry.reason.withoutFix, fix: fix)])
        }
        do {
            return Answer(providers: await Self.findings(about: try current.named(provider), call))
        } catch {
            guard let off = current.disabled(named: provider) else { throw error }
            let fix =
                off.isStored
                ? "Enable it with broker providers enable \(off.id)."
                : #"Complete its options and set "enabled": true."#
            return Answer(providers: [Finding(id: off.id, code: "off", text: "this entry is disabled", fix: fix)])
        }
    }

    /// Checks an instance of an entry.
    static func findings(about provider: ConfiguredProvider, _ call: AdminCall) async -> [Finding] {
        findings(about: provider, await provider.check(at: call.admin.now), call)
    }

    /// The findings of a check, or the state of the entry.
    static func findings(
        about provider: ConfiguredProvider, _ outcome: ProviderCheckOutcome, _ call: AdminCall
    ) -> [Finding] {
        let admin = call.admin
        var findings = findings(about: provider, outcome)
        if call.administrator != nil { findings = findings.map(\.withoutNames) }
        if provider.provider is any RedirectSignIn, let last = findings.popLast() {
            // Once for each provider.
            findings.append(
                last.with(
                    redirectURI: ConfiguredProvider.callbackURL(of: provider.id, at: admin.configuration.publicURL)))
        }
        return findings
    }

    private static func findings(about provider: ConfiguredProvider, _ outcome: ProviderCheckOutcome) -> [Finding] {
        switch outcome {
        case .notCheckable: return [Finding(id: provider.id, code: "not-checkable", text: "this plugin has no check")]
        case .checked(let found):
            let findings = found.map { Finding($0, of: provider.id) }
            return found.allSatisfy(\.isHint) ? [Finding.ok(provider.id)] + findings : findings
        }
    }
}
