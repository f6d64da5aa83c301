import ProviderKit

extension ConformanceSuite {
    /// What an operator can get wrong.
    static let configurationChecks = [
        ConformanceCheck("refuses-unknown-options", "an option it does not know is an error") { fixture in
            let upstream = ScriptedUpstream(fixture.script().endpoints)
            do {
                _ = try fixture.provider(over: upstream, changing: ["optionNobodyKnows": true])
            } catch is JSONDecodingError {
                return
            }
            throw Deviation.broken("takes an option it does not know")
        },
        ConformanceCheck("refuses-a-missing-client", "an instance without a client id is refused") { fixture in
            try require(!fixture.optionsWithoutClient.isEmpty, "the fixture does not say how to leave the client out")
            for changes in fixture.optionsWithoutClient {
                try fixture.requireRefusal(of: changes, "no client id")
            }
        },
        ConformanceCheck(
            "refuses-urls-nobody-should-trust", "a base URL that is not plain https is refused"
        ) { fixture in
            guard !fixture.urlOptions.isEmpty else { throw Deviation.notApplicable("has no option that is a URL") }
            for option in fixture.urlOptions {
                for url in ConformanceSuite.badURLs {
                    try fixture.requireRefusal(of: [option: .string(url)], "\(option) \(url)")
                }
            }
        },
        ConformanceCheck("asks-nobody-when-configured", "making an instance does not touch the network") {
            let rehearsal = try Rehearsal($0, $0.script())
            _ = (rehearsal.provider.instance, rehearsal.provider.clientID, rehearsal.provider.accepts)
            try require(rehearsal.upstream.requests.isEmpty, "asks the provider before anybody signs in")
        },
        ConformanceCheck(
            "instance-names-itself", "an instance is an https URL in one spelling, with a client of ours"
        ) {
            let first = try Rehearsal($0, $0.script()).provider
            let second = try Rehearsal($0, $0.script()).provider
            let instance = first.instance
            try require(instance.hasPrefix("https://") && !instance.hasSuffix("/"), "instance is \(instance)")
            try require(instance == second.instance, "two instances of one configuration have two names")
            try require(!first.clientID.isEmpty, "has no client id")
            try require($0.options.serialized().contains(first.clientID), "its client is none of the configured ones")
        },
        ConformanceCheck(
            "configuration-check-finds-an-outage", "the configuration check says so when nobody answers"
        ) {
            let findings = try await $0.findings(disturbing: .all(.failure(UpstreamTrouble.timedOut)))
            try require(!findings.isEmpty, "finds nothing although nobody answers")
        },
        ConformanceCheck(
            "configuration-check-minds-its-manners", "the configuration check tells codes and no secrets"
        ) {
            _ = try await $0.findings()
            for echo in UpstreamTrouble.echoes(of: UpstreamRequest(.get, $0.secrets.joined(), at: .configure)) {
                _ = try await $0.findings(disturbing: .all(.answer(echo)))
            }
        },
    ]

    private static let badURLs = [
        "", "id.example", "http://id.example", "ftp://id.example", "http://127.0.0.1:1", "https://user@id.example",
        "https://id.example?query=1", "https://id.example#fragment", "https://①②⑦.⓪.⓪.①", #"https://id.example\evil"#,
        "javascript:alert(1)",
    ]
}

extension ProviderFixture {
    /// Throws unless the plugin refuses to be made with changed options, and says whose fault that is.
    func requireRefusal(of changes: JSONObject, _ what: String) throws {
        do {
            _ = try provider(over: ScriptedUpstream([ScriptedEndpoint]()), changing: changes)
        } catch let error as ProviderError {
            try require(error.fault == .configuration, "\(what): fault \(error.fault.rawValue), not configuration")
            return
        } catch is JSONDecodingError {
            return
        }
        throw Deviation.broken("takes \(what)")
    }
}

extension ProviderFixture {
    /// What the configuration check finds, in the form findings have.
    fileprivate func findings(
        disturbing disturbances: [Int: ScriptedUpstream.Disturbance] = [:]
    ) async throws -> [ConfigurationFinding] {
        let rehearsal = try Rehearsal(self, script(), disturbing: disturbances)
        guard rehearsal.provider is any ConfigurationCheck else {
            throw Deviation.notApplicable("has no configuration check")
        }
        guard case .findings(let findings) = try await rehearsal.succeed(.checkConfiguration) else { return [] }
        for finding in findings { try finding.checkForm(marks: Marks(rehearsal)) }
        return findings
    }
}

extension ConfigurationFinding {
    fileprivate func checkForm(marks: Marks) throws {
        let isCode = code.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        try require(isCode && !code.isEmpty, "\(code) is no code in lower case with hyphens")
        try require(!text.isEmpty && !fix.isEmpty, "\(code) lacks words")
        try require(!marks.isMarked(text + fix), "\(code) tells a secret")
    }
}
