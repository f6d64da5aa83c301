import Crypto
import Foundation

/// Seals values for the store: AES-256-GCM, a key per record, bound to the row the value stands in.
///
/// Layout of a sealed value: version 1, the master key's id (4 bytes), a random salt (16), nonce ‖ ciphertext ‖ tag. The
/// associated data names the row, so a value moved to another row, column or version does not open. A column of such
/// values stands in `SealedColumn.all` of the store.
package struct Sealer: Sendable {
    private let masterKey: MasterKey
    private let purpose: MasterKey.Purpose

    package init(_ masterKey: MasterKey, for purpose: MasterKey.Purpose) {
        self.masterKey = masterKey
        self.purpose = purpose
    }

    /// Seals a value for the place `row` names; order matters, each part is length-prefixed.
    ///
    /// - Throws: CryptoKit's error, when the library fails.
    package func seal(_ plaintext: [UInt8], row: [String]) throws -> [UInt8] {
        try seal(plaintext, row: row, with: masterKey.sealingMaterial(for: purpose))
    }

    /// The same with one of the master keys.
    func seal(_ plaintext: [UInt8], row: [String], with material: KeyMaterial) throws -> [UInt8] {
        let salt = SymmetricKey(size: .bits128).bytes
        let header = [Self.version] + material.id + salt
        let box = try AES.GCM.seal(
            plaintext, using: material.derive(purpose, salt: salt), authenticating: Self.associatedData(header, row))
        guard let combined = box.combined else { throw SealError.corrupt }
        return header + combined
    }

    /// - Throws: ``SealError``.
    package func open(_ sealed: [UInt8], row: [String]) throws(SealError) -> [UInt8] {
        guard sealed.count >= Self.headerLength + 28, sealed[0] == Self.version else { throw .corrupt }
        guard let material = masterKey.openingMaterial(for: purpose, id: sealed[1..<5]) else {
            throw .sealedWithAnotherKey
        }
        let header = Array(sealed[..<Self.headerLength])
        let salt = Array(header[5...])
        do {
            let box = try AES.GCM.SealedBox(combined: sealed[Self.headerLength...])
            return Array(
                try AES.GCM.open(
                    box, using: material.derive(purpose, salt: salt),
                    authenticating: Self.associatedData(header, row)))
        } catch {
            throw .corrupt
        }
    }

    private static let version: UInt8 = 1
    private static let headerLength = 21

    private static func associatedData(_ header: [UInt8], _ row: [String]) -> [UInt8] {
        var data = header
        for part in row {
            let bytes = Array(part.utf8)
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: bytes.count).bigEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: bytes)
        }
        return data
    }
}

/// The reason a sealed value does not open.
package enum SealError: Error, Sendable {
    /// Damaged, or moved from another place.
    case corrupt
    /// The store belongs to another master key.
    case sealedWithAnotherKey
}
