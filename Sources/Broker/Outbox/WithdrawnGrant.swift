import BrokerStore
import OAuth
import ProviderKit

/// The sealed part of a withdrawal: everything that the provider needs to revoke the grant, and to see whether the same
/// identity was granted again.
struct WithdrawnGrant: Sendable {
    /// Every subject of the identity, its own first.
    let subjects: [String]
    /// The user it belonged to, for the audit.
    let localID: String
    let grant: UpstreamGrant

    func sealed(by sealer: Sealer, for row: [String]) throws -> [UInt8] {
        let object: JSONObject = [
            "subjects": .array(subjects.map(JSONValue.string)), "localID": .string(localID),
            "grant": .object(grant.sealable),
        ]
        return try sealer.seal(object.serializedBytes(), row: row)
    }

    init(subjects: [String], localID: String, grant: UpstreamGrant) {
        self.subjects = subjects
        self.localID = localID
        self.grant = grant
    }

    /// Opens the sealed part of a row.
    ///
    /// - Throws: ``SealError`` when the row was damaged, lost its grant, or belongs to another key.
    init(opening withdrawal: Withdrawal, with sealer: Sealer) throws(SealError) {
        guard let sealed = withdrawal.sealedGrant else { throw .corrupt }
        let bytes = try sealer.open(
            sealed, row: Self.row(withdrawal.id, withdrawal.provider, withdrawal.issuer, withdrawal.clientID))
        guard let value = try? JSONValue(parsing: bytes), let localID = value["localID"]?.string,
            let subjects = value["subjects"]?.array?.compactMap(\.string),
            let grant = value["grant"].flatMap(UpstreamGrant.init(sealed:))
        else { throw .corrupt }
        self.init(subjects: subjects, localID: localID, grant: grant)
    }

    /// The row that a seal is bound to.
    static func row(_ id: String, _ provider: String, _ issuer: String, _ clientID: String) -> [String] {
        ["withdrawals", id, provider, issuer, clientID]
    }
}

extension UpstreamGrant {
    /// Whether both have the same access token or the same refresh token.
    func sharesToken(with other: UpstreamGrant) -> Bool {
        // Hashes, so that the time of the comparison says nothing about a stored token.
        if !other.accessToken.isEmpty, RandomText.hash(of: accessToken) == RandomText.hash(of: other.accessToken) {
            return true
        }
        guard let refreshToken, let token = other.refreshToken else { return false }
        return RandomText.hash(of: refreshToken) == RandomText.hash(of: token)
    }
}
