package import Crypto
import Foundation
import ProviderKit

/// 32 secret bytes that keys are derived from (RFC 5869), with an id that tells nothing about them.
package struct KeyMaterial: Sendable, CustomStringConvertible, CustomReflectable {
    private let key: SymmetricKey
    /// Four bytes that tell this key from others, as they stand in the header of sealed values.
    package let id: [UInt8]
    /// The value in the store that recognises a master key.
    package let checkValue: [UInt8]

    /// `nil` unless there are exactly 32 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(SymmetricKey(data: bytes))
    }

    private init(_ key: SymmetricKey) {
        self.key = key
        id = Array(Self.derive(.identifier, from: key).bytes.prefix(4))
        checkValue = Self.derive(.check, from: key).bytes
    }

    /// Draws new bytes.
    package static func random() -> KeyMaterial { KeyMaterial(SymmetricKey(size: .bits256)) }

    /// ``id`` in hexadecimal digits.
    package var identifier: String { Hexadecimal.encode(id) }

    /// The bytes themselves, to be sealed.
    var bytes: [UInt8] { key.bytes }
    /// For what is signed with these bytes as they are.
    var symmetricKey: SymmetricKey { key }

    /// A key for one purpose.
    package func derive(_ purpose: MasterKey.Purpose, salt: [UInt8] = []) -> SymmetricKey {
        Self.derive(purpose, from: key, salt: salt)
    }

    private static func derive(
        _ purpose: MasterKey.Purpose, from key: SymmetricKey, salt: [UInt8] = []
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, salt: salt, info: Array("broker/\(purpose.rawValue)".utf8), outputByteCount: 32)
    }

    package var description: String { "KeyMaterial(\(identifier))" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension KeyMaterial {
    /// New bytes as `broker init` writes them: 43 characters of base64url and a line end.
    package static func generateText() -> String {
        let bytes = random().bytes
        return Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "") + "\n"
    }

    /// Reads what ``generateText()`` wrote; `nil` for anything else.
    init?(text: String) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let standard = trimmed.replacing("-", with: "+").replacing("_", with: "/")
        guard trimmed.utf8.count == 43, let data = Data(base64Encoded: standard + "=") else { return nil }
        self.init(bytes: Array(data))
    }
}

extension SymmetricKey {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
