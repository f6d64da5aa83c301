import Foundation
import ProviderKit

/// A provider entry with the contents of its secret files: all that an instance is made from.
struct ProviderSource: Sendable, Equatable {
    let entry: ProviderEntry
    /// By the names the options call them; nil for one that cannot be read.
    private let files: [String: Secret?]

    /// An entry of the store, whose secrets stand in it: it names no files.
    init(stored entry: ProviderEntry) {
        self.entry = entry
        files = [:]
    }

    /// A disabled entry is not instantiated, so its files are not read.
    init(_ entry: ProviderEntry, secrets: SecretSource) {
        self.entry = entry
        var files: [String: Secret?] = [:]
        for path in entry.isEnabled ? Self.files(in: entry.options) : [] {
            files.updateValue((try? secrets.contents(of: path)).map { Secret($0) }, forKey: path)
        }
        self.files = files
    }

    /// Whether both make the same instance, regardless of their positions in the file.
    static func == (left: ProviderSource, right: ProviderSource) -> Bool {
        left.entry.saysTheSame(as: right.entry) && left.files.count == right.files.count
            && left.files.allSatisfy { path, secret in
                guard let other = right.files[path] else { return false }
                return secret?.reveal().utf8.map(\.self) == other?.reveal().utf8.map(\.self)
            }
    }

    /// Every `{"file": "path"}` in the options.
    private static func files(in value: JSONValue) -> [String] {
        if let elements = value.array { return elements.flatMap(files) }
        guard let object = value.object else { return [] }
        if object.count == 1, let path = object["file"]?.string { return [path] }
        return object.flatMap { files(in: $0.value) }
    }
}

extension ProviderEntry {
    fileprivate func saysTheSame(as other: ProviderEntry) -> Bool {
        id.hasSameBytes(as: other.id) && isStored == other.isStored && use == other.use && isEnabled == other.isEnabled
            && trustEmail == other.trustEmail && autoMerge == other.autoMerge
            && allowsInsecureLoopback == other.allowsInsecureLoopback && privateNetworks == other.privateNetworks
            && displayName == other.displayName && button == other.button && allowance == other.allowance
            && appRedirects == other.appRedirects && options == other.options
    }
}
