/// The program and the system that a `User-Agent` names, such as `Firefox · Linux`.
struct UserAgentName: Sendable {
    let text: String

    /// - Returns: `nil` when the field names nothing.
    init?(_ userAgent: String?) {
        guard let userAgent else { return nil }
        let names = [Self.program(in: userAgent), Self.first(of: Self.systems, in: userAgent)].compactMap(\.self)
        guard !names.isEmpty else { return nil }
        text = names.joined(separator: " · ")
    }

    /// The first mark that occurs decides: browsers name those they are compatible with as well.
    private static let browsers = [
        ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Whale/", "Whale"),
        ("Vivaldi/", "Vivaldi"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]

    private static let systems = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
        ("Macintosh", "macOS"), ("Mac OS X", "macOS"), ("Darwin/", "Apple"), ("Linux", "Linux"),
    ]

    private static func first(of marks: [(mark: String, name: String)], in userAgent: String) -> String? {
        marks.first { userAgent.contains($0.mark) }?.name
    }

    /// A browser's name, else the name of the first product (RFC 9110 §10.1.5).
    private static func program(in userAgent: String) -> String? {
        if let browser = first(of: browsers, in: userAgent) { return browser }
        let product = userAgent.prefix { !"/ (".contains($0) }
        return product.isEmpty || product == "Mozilla" ? nil : String(product.prefix(40))
    }
}
