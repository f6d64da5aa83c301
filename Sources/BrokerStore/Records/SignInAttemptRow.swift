// Generated from `sign_in_attempts` in Sources/StoreSchema by scripts/generate. Do not edit.

package import StoreSchema

/// An authorization request to a provider. The store contains only hashes and sealed bytes, so a copy of it cannot
/// finish a sign-in.
package struct SignInAttemptRow: Record {
    /// Private, time-ordered.
    package var key: Int64
    /// SHA-256 of the `state` the provider sends back.
    package var stateHash: [UInt8]
    /// The flow's name.
    package var purpose: String
    /// The provider the browser was sent to, which is the only one that may answer.
    package var provider: String
    /// SHA-256 of the secret that finishes it: a cookie's value, or an app's session id.
    package var bindingHash: [UInt8]
    /// The verifier, the nonce and what is to happen afterwards.
    package var sealedRequest: [UInt8]
    package var createdAt: Timestamp
    package var expiresAt: Timestamp
    /// The requester whose limit it counts against.
    package var requester: String

    package init(
        key: Int64, stateHash: [UInt8], purpose: String, provider: String, bindingHash: [UInt8], sealedRequest: [UInt8],
        createdAt: Timestamp, expiresAt: Timestamp, requester: String = ""
    ) {
        self.key = key
        self.stateHash = stateHash
        self.purpose = purpose
        self.provider = provider
        self.bindingHash = bindingHash
        self.sealedRequest = sealedRequest
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.requester = requester
    }
}

extension SignInAttemptRow {
    package static let table = TableDefinition.signInAttempts
    package static let statements = RecordStatements(table)

    package init(reading row: inout Row) throws(StoreError) {
        key = try row.integer()
        stateHash = try row.blob()
        purpose = try row.text()
        provider = try row.text()
        bindingHash = try row.blob()
        sealedRequest = try row.blob()
        createdAt = try row.time()
        expiresAt = try row.time()
        requester = try row.text()
    }

    package var values: [SQLValue] {
        [
            .integer(key), .blob(stateHash), .text(purpose), .text(provider), .blob(bindingHash), .blob(sealedRequest),
            .time(createdAt), .time(expiresAt), .text(requester),
        ]
    }
}
