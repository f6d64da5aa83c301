import StrictJSON

extension Browser {
    /// A tab or a window of the browser.
    package struct Window: Sendable, Hashable {
        let handle: String
    }

    /// The one that is driven.
    package var window: Window {
        get async throws { Window(handle: try await session.send(.get, "/window").string ?? "") }
    }

    /// All there are.
    package var windows: [Window] {
        get async throws {
            (try await session.send(.get, "/window/handles").array ?? []).compactMap(\.string).map(Window.init)
        }
    }

    /// Opens another tab with nothing in it and drives that.
    @discardableResult
    package func openWindow() async throws -> Window {
        let made = try await session.send(.post, "/window/new", ["type": "tab"])
        let window = Window(handle: made["handle"]?.string ?? "")
        try await switchTo(window)
        return window
    }

    /// Drives another window.
    package func switchTo(_ window: Window) async throws {
        try await session.send(.post, "/window", ["handle": .string(window.handle)])
    }

    /// Waits for a window besides those `known`, such as a popup, and drives it.
    @discardableResult
    package func switchToNewWindow(besides known: [Window]) async throws -> Window {
        let window = try await value("there is another window") { browser in
            try await browser.windows.first { !known.contains($0) }
        }
        try await switchTo(window)
        return window
    }

    /// Closes the window that is driven and drives another one.
    package func closeWindow() async throws {
        let left = try await session.send(.delete, "/window").array ?? []
        if let handle = left.first?.string { try await switchTo(Window(handle: handle)) }
    }
}
