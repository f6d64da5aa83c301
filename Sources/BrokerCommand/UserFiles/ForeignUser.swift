import ArgumentParser
import Broker
import BrokerStore
import ProviderKit

/// A user of a file that `broker users import` reads, as a record of `users.import` whose provider entries still have the
/// names of the file.
struct ForeignUser: Sendable {
    var record: JSONObject
    /// The names of fields that are not imported.
    var dropped: [String]
    /// The ways to sign in that this broker does not have: `password`, `phone`, `email`.
    var otherMethods: Set<String> = []

    /// The provider entries, each under the name that the file has for its provider.
    var identities: [JSONObject] {
        get { (record["providerUserInfo"]?.array ?? []).compactMap(\.object) }
        set { record["providerUserInfo"] = newValue.isEmpty ? nil : .array(newValue.map(JSONValue.object)) }
    }

    var localID: String { record["localId"]?.string ?? "" }

    /// Leaves out pictures that no record can have, such as a path at the system that the file is from: a user is not
    /// refused for a picture.
    mutating func dropUnusablePictures() {
        if Self.dropUnusablePicture(of: &record) { dropped.append("photoUrl") }
        var (entries, isChanged) = (identities, false)
        for index in entries.indices where Self.dropUnusablePicture(of: &entries[index]) { isChanged = true }
        guard isChanged else { return }
        identities = entries
        dropped.append("providerUserInfo.photoUrl")
    }

    private static func dropUnusablePicture(of record: inout JSONObject) -> Bool {
        guard let text = record["photoUrl"]?.string, !text.isEmpty, PictureURL(text) == nil else { return false }
        record["photoUrl"] = nil
        return true
    }
}

/// The systems whose files are read.
enum UserFileFormat: String, CaseIterable, Sendable {
    case firebase, supabase, auth0, jsonl, csv

    /// The user of one record of a file.
    ///
    /// - Throws: ``CommandFailure`` when the record has no id.
    func user(_ record: JSONObject) throws(CommandFailure) -> ForeignUser {
        var user =
            switch self {
            case .firebase, .jsonl: ForeignUser(identityToolkit: record)
            case .supabase: ForeignUser(supabase: record)
            case .auth0: ForeignUser(auth0: record)
            case .csv: ForeignUser(csv: record)
            }
        guard !user.localID.isEmpty else {
            throw CommandFailure(
                code: "INVALID_FILE", "a record has no id: is the file of the format \(rawValue)?",
                exitCode: .validationFailure)
        }
        user.dropUnusablePictures()
        return user
    }

    /// The entry that usually serves a provider which the system calls otherwise than this broker.
    func usualEntry(of provider: String) -> String {
        switch self {
        case .firebase, .jsonl, .csv: provider
        case .supabase, .auth0: Self.usualEntries[provider] ?? provider
        }
    }

    private static let usualEntries = [
        "github": "github.com", "gitlab": "gitlab.com", "apple": "apple.com", "google": "google.com",
        "google-oauth2": "google.com", "facebook": "facebook.com", "twitter": "twitter.com", "azure": "microsoft.com",
        "windowslive": "microsoft.com", "yahoo": "yahoo.com",
    ]
}

/// Takes values out of a foreign record: each is used once, and the names of all others are dropped.
struct ForeignFields {
    private let record: JSONObject
    private var used: Set<String> = []

    init(_ record: JSONObject) {
        self.record = record
    }

    mutating func value(_ name: String) -> JSONValue? {
        used.insert(name)
        guard let value = record[name], !value.isNull, value.string?.isEmpty != true else { return nil }
        return value
    }

    /// A string, or a number as its text.
    mutating func text(_ name: String) -> String? {
        guard let value = value(name) else { return nil }
        return value.string ?? value.number?.literal
    }

    /// An object, which databases export as a text as well.
    mutating func object(_ name: String) -> JSONObject? {
        guard let value = value(name) else { return nil }
        return value.object ?? value.string.flatMap { (try? JSONValue(parsing: $0))?.object }
    }

    mutating func objects(_ name: String) -> [JSONObject] {
        guard let value = value(name) else { return [] }
        let array = value.array ?? value.string.flatMap { (try? JSONValue(parsing: $0))?.array }
        return (array ?? []).compactMap(\.object)
    }

    mutating func flag(_ name: String) -> Bool {
        guard let value = value(name) else { return false }
        return value.bool ?? ["true", "t", "1"].contains(value.string ?? value.number?.literal ?? "")
    }

    /// A date as milliseconds since 1970, in the form of records.
    mutating func date(_ name: String) -> JSONValue? {
        guard let text = text(name), let date = Timestamp(dateText: text) else { return nil }
        return .string(String(date.milliseconds))
    }

    /// Marks fields that repeat what others say.
    mutating func ignore(_ names: String...) {
        used.formUnion(names)
    }

    /// The names of fields with a value that was not used.
    var dropped: [String] {
        record.filter { name, value in
            guard !used.contains(name), !value.isNull, value.bool != false else { return false }
            return value.string?.isEmpty != true && value.array?.isEmpty != true && value.object?.isEmpty != true
        }.map(\.name)
    }
}
