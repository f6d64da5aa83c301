import StrictJSON

extension Browser {
    /// The first element a CSS selector finds; waits for it.
    package func element(_ selector: String) async throws -> BrowserElement {
        try await value("there is \(selector)") { try await $0.elements(selector).first }
    }

    /// What a CSS selector finds now.
    package func elements(_ selector: String) async throws -> [BrowserElement] {
        let found = try await session.send(
            .post, "/elements", ["using": "css selector", "value": .string(selector)])
        return (found.array ?? []).compactMap { BrowserElement($0, in: session) }
    }

    /// The first element that an assistive technology announces so; waits for it. `name` is its accessible name, or
    /// the start of it up to a space.
    package func element(_ role: BrowserRole, _ name: String) async throws -> BrowserElement {
        try await value("there is a \(role.rawValue) “\(name)”") { browser in
            for element in try await browser.elements(role.selector) {
                let label = try await element.name
                guard label == name || label.hasPrefix(name + " ") else { continue }
                if try await element.role == role.rawValue { return element }
            }
            return nil
        }
    }

    /// What an assistive technology calls all elements of a role on the page.
    package func names(of role: BrowserRole) async throws -> [String] {
        var names: [String] = []
        for element in try await elements(role.selector) {
            let label = try await element.name
            if try await element.role == role.rawValue { names.append(label) }
        }
        return names
    }

    /// Clicks what an assistive technology announces so.
    package func click(_ role: BrowserRole, _ name: String) async throws {
        // The page may be replaced between finding and clicking.
        _ = try await value("“\(name)” can be clicked") { browser in
            try await browser.element(role, name).click()
            return true
        }
    }

    /// What the keyboard talks to.
    package var focused: BrowserElement {
        get async throws {
            let found = try await session.send(.get, "/element/active")
            guard let element = BrowserElement(found, in: session) else {
                throw BrowserFailure("Nothing has the focus")
            }
            return element
        }
    }

    /// A key that has no letter.
    package enum Key: String, Sendable {
        // WebDriver §17.4.2 gives them code points of Unicode's private use area.
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case space = " "
        case escape = "\u{E00C}"
    }

    /// Presses and releases a key, wherever the focus is.
    package func press(_ key: Key) async throws {
        let presses: [JSONValue] = ["keyDown", "keyUp"].map { ["type": $0, "value": .string(key.rawValue)] }
        let keyboard: JSONValue = ["type": "key", "id": "keyboard", "actions": .array(presses)]
        try await session.send(.post, "/actions", ["actions": [keyboard]])
    }
}
