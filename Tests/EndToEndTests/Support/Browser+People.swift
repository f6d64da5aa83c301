import BrowserTesting

/// Users' actions on the pages of simulated providers.
extension Browser {
    /// Signs in as an account on a provider's page, and waits for the next page.
    func consent(as person: String) async throws {
        try await click(.radio, person)
        try await decide("Authorize")
    }

    /// Goes back from a provider's page without having agreed.
    func cancelAtProvider() async throws {
        try await decide("Cancel")
    }

    private func decide(_ button: String) async throws {
        let page = try await currentURL
        try await click(.button, button)
        try await wait(until: "the browser has left \(page)") { try await $0.currentURL != page }
    }
}
