import StrictJSON

extension Browser {
    /// Drives a frame of the page, by its place among the page's frames, until ``switchToPage()``.
    package func switchToFrame(_ index: Int) async throws {
        _ = try await value("the page has a frame \(index)") { browser in
            try await browser.session.send(.post, "/frame", ["id": .integer(Int64(index))])
        }
    }

    /// Drives the page again.
    package func switchToPage() async throws {
        try await session.send(.post, "/frame", ["id": .null])
    }
}
