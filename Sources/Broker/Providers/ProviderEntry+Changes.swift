import ProviderKit

/// The document of a provider entry.
extension JSONObject {
    /// The entry with the id it gets, which may be its plugin's.
    func with(id: String) -> JSONObject {
        var document = self
        document["id"] = .string(id)
        return document
    }

    /// The entry after a merge patch (RFC 7396) of it and of its options; deeper values are replaced whole.
    func merging(_ changes: JSONObject) -> JSONObject {
        var document = self
        for (name, value) in changes {
            guard name == "options", case .object(let options) = value else {
                document[name] = value.isNull ? nil : value
                continue
            }
            var merged = document[name]?.object ?? [:]
            for (option, value) in options { merged[option] = value.isNull ? nil : value }
            document[name] = .object(merged)
        }
        return document
    }

    /// The names of the members that differ, those of the options with their prefix; no values, which may be secrets.
    func changedNames(since before: JSONObject) -> [String] {
        func names(_ before: JSONObject, _ after: JSONObject, _ prefix: String) -> [String] {
            Set(before.map(\.name) + after.map(\.name)).filter { before[$0] != after[$0] }.map { prefix + $0 }
        }
        let (old, new) = (before["options"]?.object ?? [:], self["options"]?.object ?? [:])
        return (names(before, self, "").filter { $0 != "options" } + names(old, new, "options.")).sorted()
    }
}
