import ProviderKit
import Synchronization

/// What a plugin took from its options: recorded, so that no fixture can leave it out.
struct OptionUses: Sendable {
    /// The values that were decoded as ``Secret``.
    let secrets: [String]
    /// The URLs that were declared as endpoints.
    let endpoints: [String]
    /// The names of options that look like secrets and were not decoded as such.
    let plainSecrets: [String]
}

/// The record of one instance.
final class OptionRecord: Sendable {
    private let paths = Mutex<[[String]]>([])
    private let endpoints = Mutex<[String]>([])

    func add(secretAt path: [String]) { paths.withLock { $0.append(path) } }

    func add(endpoint: String) { endpoints.withLock { $0.append(endpoint) } }

    func uses(of options: JSONObject) -> OptionUses {
        let paths = paths.withLock { $0 }
        let texts = JSONValue.object(options).texts
        let secrets = texts.filter { text in paths.contains { text.path.ends(with: $0) } }
        let isNamedSecret = { (path: [String]) in
            let name = path.last { Int($0) == nil }?.lowercased() ?? ""
            // The name of a parameter is no secret.
            return !name.hasSuffix("name") && ["secret", "password", "privatekey"].contains { name.contains($0) }
        }
        let plain = texts.filter { text in isNamedSecret(text.path) && !secrets.contains { $0.path == text.path } }
        return OptionUses(
            secrets: secrets.map(\.text), endpoints: endpoints.withLock { $0 },
            plainSecrets: plain.map { $0.path.joined(separator: ".") })
    }
}

extension [String] {
    /// Whether these names end with `other`: a plugin may decode a part of its options by itself.
    fileprivate func ends(with other: [String]) -> Bool { suffix(other.count).elementsEqual(other) }
}

extension JSONValue {
    /// Every text of the document, with the names and positions on the way to it.
    fileprivate var texts: [(path: [String], text: String)] {
        switch self {
        case .string(let text): [([], text)]
        case .object(let members):
            members.flatMap { name, value in value.texts.map { ([name] + $0.path, $0.text) } }
        case .array(let elements):
            elements.enumerated().flatMap { position, value in
                value.texts.map { ([String(position)] + $0.path, $0.text) }
            }
        case .null, .bool, .number: []
        }
    }
}
