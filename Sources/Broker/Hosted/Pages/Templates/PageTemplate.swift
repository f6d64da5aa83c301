import Mustache

/// The templates of the pages. They stand in the program itself, so the binary needs no files beside it.
enum PageTemplate: String, Sendable, CaseIterable {
    /// What all pages are set in.
    case document
    case chooser
    case account
    /// Where a person types the code a device shows.
    case deviceCode
    /// One card that says something and may ask something.
    case statement
    /// Parts of the others.
    case connections, device, notice, form, mark, monogram

    /// The template's text, in which `{{…}}` is escaped and `{{{…}}}` stands only for markup of our own.
    var source: String {
        switch self {
        case .document: Self.documentSource
        case .chooser: Self.chooserSource
        case .account: Self.accountSource
        case .deviceCode: Self.deviceCodeSource
        case .statement: Self.statementSource
        case .connections: Self.connectionsSource
        case .device: Self.deviceSource
        case .notice: Self.noticeSource
        case .form: Self.formSource
        case .mark: Self.markSource
        case .monogram: Self.monogramSource
        }
    }

    /// All templates, compiled, each with our escaping.
    ///
    /// - Throws: What a template does wrong.
    static func library() throws -> MustacheLibrary {
        var library = MustacheLibrary()
        for template in allCases {
            try library.register(PageEscaping.pragma + template.source, named: template.rawValue)
        }
        return library
    }
}
