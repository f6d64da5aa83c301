import BrokerStore
import ProviderKit

extension Evidence {
    /// Accounts a provider has made one, as the core takes them: usable subjects only, each once.
    struct Merge: Sendable, Hashable {
        /// How many absorbed accounts count; a provider that names more is taken at its first words.
        static let limit = 100

        let survivor: String
        let absorbed: [String]
    }

    /// Every subject the person goes by, in the order in which the store is asked for them: who survived a merge, who
    /// the credential is for, then who was absorbed.
    var subjects: [IdentityKey] {
        guard let merge else { return [key] }
        var seen: Set<String> = []
        return ([merge.survivor, key.subject] + merge.absorbed).filter { seen.insert($0).inserted }.map {
            IdentityKey(provider: key.provider, issuer: key.issuer, subject: $0)
        }
    }
}

extension Evidence.Merge {
    /// - Throws: ``BrokerError/providerAnswerUnusable(_:)`` for a subject nobody may be known by: whom an answer leads to
    ///   must not depend on which half of it was usable.
    init(_ merge: ExternalIdentity.Merge, isSubject: (String) -> Bool) throws(BrokerError) {
        guard isSubject(merge.survivor), merge.absorbed.allSatisfy(isSubject) else {
            throw .providerAnswerUnusable("The provider named no usable subject among the merged ones.")
        }
        var seen: Set<String> = [merge.survivor]
        survivor = merge.survivor
        absorbed = Array(merge.absorbed.filter { seen.insert($0).inserted }.prefix(Self.limit))
    }

    /// As it waits behind a pending token.
    var pendingObject: JSONObject {
        ["survivor": .string(survivor), "absorbed": .array(absorbed.map(JSONValue.string))]
    }

    /// Reads what ``pendingObject`` wrote; `nil` for anything else.
    init?(pending value: JSONValue) {
        guard let survivor = value["survivor"]?.string, let absorbed = value["absorbed"]?.array else { return nil }
        self.init(survivor: survivor, absorbed: absorbed.compactMap(\.string))
    }
}
