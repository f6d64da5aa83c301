import Foundation
import StrictJSON

extension MergePreview {
    /// Reads the answer of `:previewMerge`.
    init(_ members: JSONObject) {
        users = (members["users"]?.array ?? []).compactMap(User.init)
        choices = (members["choices"]?.array ?? []).compactMap(Choice.init)
    }
}

extension MergePreview.User {
    fileprivate init?(_ value: JSONValue) {
        guard let userID = value["localId"]?.string else { return nil }
        self.userID = userID
        email = value["email"]?.string
        displayName = value["displayName"]?.string
        providers = value["providers"].providers
        sessionCount = value["sessions"]?.integer.flatMap { Int(exactly: $0) } ?? 0
        customClaims = value["customClaims"].texts
    }
}

extension MergePreview.Choice {
    fileprivate init?(_ value: JSONValue) {
        guard let survivor = value["survivor"]?.string, let absorbed = value["absorbed"]?.string else { return nil }
        (self.survivor, self.absorbed) = (survivor, absorbed)
        email = value["email"]?.string
        differingClaims = value["differingClaims"].texts
        refusal = value["refusal"]?["code"]?.string.flatMap { code in
            let text = value["refusal"]?["message"]?.string ?? ""
            return Refusal(status: 400, ["error": ["message": .string("\(code) : \(text)")]])?.error
        }
    }
}

extension AccountMerge {
    /// Reads the answer of `:merge`.
    ///
    /// - Throws: ``BrokerAuthError/network(_:)`` for an answer of another form.
    init(_ members: JSONObject) throws(BrokerAuthError) {
        guard let id = members["id"]?.string, let absorbed = members["absorbedLocalId"]?.string,
            let survivor = members["survivor"]?.object
        else { throw .network(NetworkFailure(.invalidResponse)) }
        self.id = id
        absorbedUserID = absorbed
        self.survivor = try Account(survivor)
        undoableUntil = Date(iso8601: members["undoableUntil"])
    }
}

extension UndoableMerge {
    init?(_ value: JSONValue) {
        guard let id = value["id"]?.string, let absorbed = value["absorbedLocalId"]?.string else { return nil }
        self.id = id
        absorbedUserID = absorbed
        mergedAt = Date(iso8601: value["mergedAt"])
        undoableUntil = Date(iso8601: value["undoableUntil"])
        provingProviders = value["provingProviders"].providers
        conflicts = MergeConflict.all(in: value["conflicts"])
    }
}

extension MergeConflict {
    static func all(in value: JSONValue?) -> [MergeConflict] {
        (value?.array ?? []).compactMap { conflict in
            conflict["code"]?.string.map { MergeConflict(code: $0, message: conflict["message"]?.string ?? "") }
        }
    }
}

extension JSONValue? {
    fileprivate var texts: [String] { self?.array?.compactMap(\.string) ?? [] }
    fileprivate var providers: [ProviderID] { texts.map(ProviderID.init(rawValue:)) }
}
