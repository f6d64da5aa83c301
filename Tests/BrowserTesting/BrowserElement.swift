package import StrictJSON

/// Something on a page.
package struct BrowserElement: Sendable {
    let session: WebDriver
    /// The driver's reference to it.
    private let reference: String

    /// Web elements are objects with this one member (W3C WebDriver §12).
    private static let identifier = "element-6066-11e4-a52e-4f735466cecf"

    /// Reads an element of the driver's answer.
    init?(_ value: JSONValue, in session: WebDriver) {
        guard let reference = value[Self.identifier]?.string else { return nil }
        (self.session, self.reference) = (session, reference)
    }

    private var path: String { "/element/\(reference)" }

    /// As an argument of a script.
    package var argument: JSONValue { [Self.identifier: .string(reference)] }

    /// Clicks or touches it in its middle and waits for the page this leads to.
    package func click() async throws {
        try await session.send(.post, "\(path)/click")
    }

    /// Types a text into it.
    package func type(_ text: String) async throws {
        try await session.send(.post, "\(path)/value", ["text": .string(text)])
    }

    /// Empties it.
    package func clear() async throws {
        try await session.send(.post, "\(path)/clear")
    }

    /// What it says.
    package var text: String {
        get async throws { try await session.send(.get, "\(path)/text").string ?? "" }
    }

    /// What an assistive technology calls it.
    package var name: String {
        get async throws { try await session.send(.get, "\(path)/computedlabel").string ?? "" }
    }

    /// What an assistive technology takes it for, such as `link`.
    package var role: String {
        get async throws { try await session.send(.get, "\(path)/computedrole").string ?? "" }
    }

    /// An attribute of its tag.
    package func attribute(_ name: String) async throws -> String? {
        try await session.send(.get, "\(path)/attribute/\(name)").string
    }

    /// Whether it can be seen.
    package var isShown: Bool {
        get async throws { try await session.send(.get, "\(path)/displayed").bool ?? false }
    }

    /// Whether it is ticked.
    package var isSelected: Bool {
        get async throws { try await session.send(.get, "\(path)/selected").bool ?? false }
    }

    /// How large it is, in CSS pixels.
    package var size: (width: Double, height: Double) {
        get async throws {
            let rectangle = try await session.send(.get, "\(path)/rect")
            return (rectangle["width"]?.number?.double ?? 0, rectangle["height"]?.number?.double ?? 0)
        }
    }
}
