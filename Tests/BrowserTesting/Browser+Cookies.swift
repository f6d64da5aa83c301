import StrictJSON

extension Browser {
    /// A cookie the browser would send to the page it shows, whether scripts may see it or not.
    package struct Cookie: Sendable {
        package let name: String
        package let value: String
        package let path: String
        package let isHTTPOnly: Bool
        package let isSecure: Bool
        /// `Lax`, `Strict` or `None`.
        package let sameSite: String?
        /// Seconds since 1970; `nil` when it ends with the browser.
        package let expires: Int64?

        init(_ value: JSONValue) {
            name = value["name"]?.string ?? ""
            self.value = value["value"]?.string ?? ""
            path = value["path"]?.string ?? ""
            isHTTPOnly = value["httpOnly"]?.bool ?? false
            isSecure = value["secure"]?.bool ?? false
            sameSite = value["sameSite"]?.string
            expires = value["expiry"]?.integer
        }
    }

    /// The cookies of the page, by name.
    package var cookies: [String: Cookie] {
        get async throws {
            let cookies = (try await session.send(.get, "/cookie").array ?? []).map(Cookie.init)
            return Dictionary(cookies.map { ($0.name, $0) }) { first, _ in first }
        }
    }

    /// Forgets all cookies of the page.
    package func deleteCookies() async throws {
        try await session.send(.delete, "/cookie")
    }
}
