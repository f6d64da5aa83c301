import ProviderKit

/// The profile fields of requests that create, change or link users.
enum ProfileFields {
    /// Characters that a name has at most.
    private static let textLimit = 256

    /// `null` and the empty string clear; another text loses its control characters, as the providers' does.
    ///
    /// - Throws: ``WireError``.
    static func text(_ name: String, of fields: RequestFields) throws(WireError) -> AccountChanges.Text? {
        guard try fields.value(name) != nil else { return nil }
        return try change(fields.string(name) ?? "", of: name)
    }

    /// The same for a text of the field `name`; nil changes nothing.
    ///
    /// - Throws: ``WireError``.
    static func change(_ text: String?, of name: String) throws(WireError) -> AccountChanges.Text? {
        guard let text else { return nil }
        let scalars = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let cleaned = String(String.UnicodeScalarView(scalars))
        // UTF-16 units, as the SDKs' languages count: one visible character may be endless.
        guard cleaned.utf16.count <= textLimit else {
            throw .field("/\(name)", "must be at most \(textLimit) characters")
        }
        return cleaned.isEmpty ? .clear : .set(cleaned)
    }

    /// `null` and the empty string clear; anything but an http or https URL is refused rather than repaired.
    ///
    /// - Throws: ``WireError``.
    static func picture(of fields: RequestFields) throws(WireError) -> AccountChanges.Text? {
        guard try fields.value("photoUrl") != nil else { return nil }
        return try picture(fields.string("photoUrl") ?? "")
    }

    /// The same for a URL; nil changes nothing.
    ///
    /// - Throws: ``WireError``.
    static func picture(_ text: String?) throws(WireError) -> AccountChanges.Text? {
        guard let text else { return nil }
        guard !text.isEmpty else { return .clear }
        guard let url = PictureURL(text) else {
            throw .code(.invalidPhotoURL, "photoUrl \(PictureURL.rule).")
        }
        return .set(url.text)
    }
}
