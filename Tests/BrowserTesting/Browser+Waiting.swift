extension Browser {
    /// How long something may take to appear: whole suites share two cores.
    package static let patience = Duration.seconds(30)

    /// Asks the page again and again until `condition` holds.
    ///
    /// - Throws: ``BrowserFailure`` with what the page shows instead when it never does.
    package func wait(
        until what: String, for duration: Duration = patience, _ condition: (Browser) async throws -> Bool
    ) async throws {
        _ = try await value(what, for: duration) { try await condition($0) ? true : nil }
    }

    /// Waits until the address starts like this.
    ///
    /// - Returns: the address.
    @discardableResult
    package func wait(forURL prefix: String) async throws -> String {
        try await value("the address starts with \(prefix)") { browser in
            let url = try await browser.currentURL
            return url.hasPrefix(prefix) ? url : nil
        }
    }

    /// Waits until the page says this.
    package func wait(forText text: String) async throws {
        try await wait(until: "the page says “\(text)”") { try await $0.text.contains(text) }
    }

    /// The first thing that `find` finds.
    func value<Value>(
        _ what: String, for duration: Duration = patience, _ find: (Browser) async throws -> Value?
    ) async throws -> Value {
        let deadline = ContinuousClock.now + duration
        while true {
            do {
                if let value = try await find(self) { return value }
            } catch let failure as BrowserFailure where failure.isPassing {
                // The page is changing.
            }
            guard ContinuousClock.now < deadline else { throw BrowserFailure("Not so: \(what).\n\(await summary)") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The page, for the report of a failure.
    private var summary: String {
        get async {
            let (url, text) = (try? await currentURL, try? await text)
            return "\(url ?? "no address")\n\((text ?? "no page").prefix(1500))"
        }
    }
}
