import ProviderKit

extension ConformanceSuite {
    /// The checks of a plugin's configuration.
    static let configurationChecks = [
        ConformanceCheck(
            "refuses-unknown-options", "an unknown option is an error",
            fix: "Decode the options with the decoder that the plugin gets, or declare them (DeclaredOptions)."
        ) { fixture in
            let upstream = ScriptedUpstream(fixture.script().endpoints)
            do {
                _ = try fixture.provider(over: upstream, changing: ["optionNobodyKnows": true])
            } catch is JSONDecodingError {
                return
            }
            throw Deviation.broken("accepts an unknown option")
        },
        ConformanceCheck(
            "refuses-a-missing-client", "an instance without a client id is refused",
            fix: "Throw a configuration fault in the initializer when the client id is empty."
        ) { fixture in
            try require(!fixture.optionsWithoutClient.isEmpty, "the fixture has no options without a client")
            for changes in fixture.optionsWithoutClient {
                try fixture.requireRefusal(of: changes, "no client id")
            }
        },
        ConformanceCheck(
            "refuses-urls-without-https", "a base URL that is not plain https is refused",
            fix: "Take base URLs through ProviderContext.baseURL, endpoints through checkEndpoint."
        ) { fixture in
            let options = try await fixture.urlOptions()
            guard !options.isEmpty else { throw Deviation.notApplicable("has no option that is a URL") }
            for option in options {
                for url in ConformanceSuite.badURLs {
                    try fixture.requireRefusal(of: [option: .string(url)], "\(option) \(url)")
                }
            }
        },
        ConformanceCheck(
            "sends-nothing-when-configured", "making an instance sends no request",
            fix: "Send the first request in verify or authorizationURL, never in the initializer."
        ) {
            let rehearsal = try Rehearsal($0, $0.script())
            _ = (rehearsal.provider.instance, rehearsal.provider.clientID, rehearsal.provider.accepts)
            try require(rehearsal.upstream.requests.isEmpty, "sends a request when it is configured")
        },
        ConformanceCheck(
            "instance-names-itself", "an instance is a normalized https URL, with a configured client",
            fix: "Set instance to the result of ProviderContext.baseURL, and clientID to the option."
        ) {
            let first = try Rehearsal($0, $0.script()).provider
            let second = try Rehearsal($0, $0.script()).provider
            let instance = first.instance
            try require(instance.hasPrefix("https://") && !instance.hasSuffix("/"), "instance is \(instance)")
            try require(instance == second.instance, "two instances of one configuration have different names")
            try require(!first.clientID.isEmpty, "has no client id")
            try require(
                $0.options.serialized().contains(first.clientID), "its client is not one of the configured clients")
        },
        ConformanceCheck(
            "configuration-check-finds-an-outage", "the configuration check reports an unavailable provider",
            fix: "Return a ConfigurationFinding for a failed request; ConfigurationProbe does."
        ) {
            let findings = try await $0.findings(disturbing: .all(.failure(UpstreamFault.timedOut)))
            try require(!findings.isEmpty, "reports no finding although the provider is unavailable")
        },
        ConformanceCheck(
            "configuration-check-minds-its-manners", "the configuration check reports codes and no secrets",
            fix: "Name codes in lower case with hyphens, and put no response into text or fix."
        ) {
            _ = try await $0.findings()
            let secrets = try Rehearsal($0, $0.script()).uses.secrets
            for echo in UpstreamFault.echoes(of: UpstreamRequest(.get, secrets.joined(), at: .configure)) {
                _ = try await $0.findings(disturbing: .all(.answer(echo)))
            }
        },
    ]

    private static let badURLs = [
        "", "id.example", "http://id.example", "ftp://id.example", "http://127.0.0.1:1", "https://user@id.example",
        "https://id.example#fragment", "https://①②⑦.⓪.⓪.①", #"https://id.example\evil"#,
        "javascript:alert(1)",
    ]
}

extension ProviderFixture {
    /// The options that are URLs: declared as such, or the begin of an address that a call requests.
    fileprivate func urlOptions() async throws -> [String] {
        let declared = plugin.options?.keys.filter { $0.schema["pattern"] == ProviderContext.baseURLs["pattern"] } ?? []
        let script = script()
        var requested: [String] = []
        for pluginCall in try PluginCall.all(of: Rehearsal(self, script).provider, script) {
            let rehearsal = try Rehearsal(self, script)
            if case .success(.url(let url)) = await rehearsal.outcome(of: pluginCall) { requested.append(url) }
            requested += rehearsal.uses.endpoints + rehearsal.upstream.requests.map(\.url)
        }
        let asked = options.filter { option in
            guard let text = option.value.string, text.contains("://") else { return false }
            return requested.contains { $0.hasPrefix(text) }
        }
        return Set(declared.map(\.name) + asked.map(\.name)).sorted()
    }

    /// Throws unless the plugin refuses the changed options with a configuration fault.
    func requireRefusal(of changes: JSONObject, _ what: String) throws {
        do {
            _ = try provider(over: ScriptedUpstream([ScriptedEndpoint]()), changing: changes)
        } catch let error as ProviderError {
            try require(error.fault == .configuration, "\(what): fault \(error.fault.rawValue), not configuration")
            return
        } catch is JSONDecodingError {
            return
        }
        throw Deviation.broken("accepts \(what)")
    }
}

extension ProviderFixture {
    /// Runs the configuration check and validates its findings.
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
        try require(isCode && !code.isEmpty, "\(code) is not a code in lower case with hyphens")
        try require(!text.isEmpty && !fix.isEmpty, "\(code) has no text or no fix")
        try require(!marks.isMarked(text + fix), "\(code) contains a secret")
    }
}
