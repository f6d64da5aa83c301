import ProviderKit

extension ProviderDirectory {
    /// An enabled provider by id, or by kind when only one entry has that kind (`github` for `github.com`).
    ///
    /// - Throws: ``AdminFailure`` with the nearest name.
    package func named(_ name: String) throws(AdminFailure) -> ConfiguredProvider {
        if let exact = provider(name) { return exact }
        let ofKind = providers.filter { $0.kind.rawValue == name }
        guard let only = ofKind.first, ofKind.count == 1 else { throw unknown(name) }
        return only
    }

    /// The disabled entry that has this id, or is the only one of this kind.
    func disabled(named name: String) -> ProviderEntry? {
        let ofKind = disabled.filter { $0.use.rawValue == name }
        return disabled.first { $0.id.hasSameBytes(as: name) } ?? (ofKind.count == 1 ? ofKind.first : nil)
    }

    private func unknown(_ name: String) -> AdminFailure {
        let known = providers.map(\.id)
        let nearest = NearestName.nearest(to: name, among: known + disabled.map(\.id))
        var message = "no enabled provider is called \(name)."
        if let nearest, nearest != name { message += " Did you mean \(nearest)?" }
        message += " Enabled: \(known.isEmpty ? "none" : known.joined(separator: ", "))"
        return AdminFailure(code: "UNKNOWN_PROVIDER", message, kind: .invalidParameters)
    }
}
