import BrokerStore
import ProviderKit

/// Both users of a merge as they were before it: the content of a sealed snapshot.
struct MergedUsers: Sendable {
    /// An identity of the absorbed user with all that belonged to it.
    struct MergedIdentity: Sendable {
        let identity: Identity
        /// Its further subjects, which an app's former owner may have issued.
        let aliases: [IdentityKey]
        let grants: [UpstreamGrant]
    }

    let survivor: UserRecord
    let absorbed: User
    let identities: [MergedIdentity]
    /// The absorbed user's rows in other tables that an undo returns.
    let rows: AccountRowNames
    /// The user whose custom claims the survivor got.
    let claims: MergedClaims
}

extension MergedUsers {
    /// The members for rows of two tables that snapshots had before tables declared what an undo returns.
    private static let earlierMembers = [("user_aliases", "aliases"), ("merge_snapshots", "merges")]

    /// As JSON, tokens included: to be sealed.
    var json: JSONValue {
        var json: JSONObject = [
            "survivor": .object(survivor.user.json),
            "survivorIdentities": .array(survivor.identities.map { .object($0.json) }),
            "absorbed": .object(absorbed.json), "identities": .array(identities.map(\.json)),
            "rows": .object(JSONObject(rows.map { ($0.key, .array($0.value.map(JSONValue.string))) })),
            "claims": .string(claims.rawValue),
        ]
        // Where an upgrade rolls, the earlier broker may undo the merge (Docs/Decisions/0009-rolling-upgrades.md).
        for (table, member) in Self.earlierMembers { json[member] = .array((rows[table] ?? []).map(JSONValue.string)) }
        return .object(json)
    }

    /// Reads what ``json`` wrote; `nil` for anything else.
    init?(_ json: JSONValue) {
        guard let survivor = json["survivor"]?.object.flatMap({ User(json: $0) }),
            let absorbed = json["absorbed"]?.object.flatMap({ User(json: $0) }),
            let identities = json["identities"]?.array, let survivorIdentities = json["survivorIdentities"]?.array
        else { return nil }
        self.survivor = UserRecord(
            user: survivor, identities: survivorIdentities.compactMap { Identity($0, of: survivor.key) })
        self.absorbed = absorbed
        self.identities = identities.compactMap { MergedIdentity($0, of: absorbed.key) }
        let earlier = Self.earlierMembers.compactMap { table, member in json[member].map { (table, $0) } }
        let members = json["rows"]?.object.map { $0.map { ($0.name, $0.value) } } ?? earlier
        rows = Dictionary(uniqueKeysWithValues: members).mapValues { ($0.array ?? []).compactMap(\.string) }
        claims = json["claims"]?.string.flatMap(MergedClaims.init) ?? .survivor
    }
}

extension MergedUsers.MergedIdentity {
    fileprivate var json: JSONValue {
        [
            "identity": .object(identity.json),
            "aliases": .array(aliases.map { ["issuer": .string($0.issuer), "subject": .string($0.subject)] }),
            "grants": .array(grants.map { .object($0.sealable) }),
        ]
    }

    fileprivate init?(_ json: JSONValue, of userKey: Int64) {
        guard let identity = json["identity"].flatMap({ Identity($0, of: userKey) }) else { return nil }
        let aliases = (json["aliases"]?.array ?? []).compactMap { alias -> IdentityKey? in
            guard let issuer = alias["issuer"]?.string, let subject = alias["subject"]?.string else { return nil }
            return IdentityKey(provider: identity.provider, issuer: issuer, subject: subject)
        }
        self.init(
            identity: identity, aliases: aliases,
            grants: (json["grants"]?.array ?? []).compactMap(UpstreamGrant.init(sealed:)))
    }
}

extension Identity {
    fileprivate init?(_ json: JSONValue, of userKey: Int64) {
        guard let object = json.object else { return nil }
        self.init(json: object, columns: ["user_key": userKey])
    }
}
