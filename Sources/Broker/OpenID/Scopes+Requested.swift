extension Scopes {
    /// The scopes of a request; names that are unknown here are ignored.
    ///
    /// - Throws: ``OAuthError`` with `invalid_scope` when it names none that is known.
    init(requested text: String?) throws(OAuthError) {
        self.init(text ?? "")
        guard self.text.isEmpty else { return }
        let names = Scope.allCases.map(\.rawValue)
        throw OAuthError(
            .invalidScope, "scope must name \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "").")
    }
}
