import ArgumentParser
import Broker
import Foundation
import ProviderKit

/// The file that an imported key of Apple's is written to, and the settings of `plugins.json` that name it.
struct AppleKeyPlace {
    let keyID: String
    let teamID: String?
    /// The path, relative to the folder of `plugins.json` where the entry has it so.
    let file: String
    /// Whether the entry already reads this key from this file.
    let isConfigured: Bool
    private let path: String

    /// - Parameters:
    ///   - entry: The entry; absent when there is none yet.
    ///   - pluginsPath: The file with the entry.
    ///   - keyID: The key id that the operator or the file's name says.
    /// - Throws: ``CommandFailure`` when no key id is known, or when it is none.
    init(entry: ProviderEntry?, pluginsPath: String, keyID: String?) throws(CommandFailure) {
        let configuredID = entry?.options["keyId"]?.string
        guard let keyID = keyID ?? configuredID else {
            throw CommandFailure(
                code: "MISSING_KEY_ID", "the file's name has no key id: add --key-id, the ten characters Apple shows",
                exitCode: .validationFailure)
        }
        guard keyID.wholeMatch(of: /[A-Z0-9]{10}/) != nil else {
            throw CommandFailure(
                code: "INVALID_KEY_ID", "a key id is ten capital letters and digits", exitCode: .validationFailure)
        }
        self.keyID = keyID
        teamID = entry?.options["teamId"]?.string
        let configuredFile = entry?.options["privateKey"]?["file"]?.string
        isConfigured = configuredFile != nil && configuredID?.hasSameBytes(as: keyID) == true
        let name = "AuthKey_\(keyID).p8"
        if let configuredFile, isConfigured {
            file = configuredFile
        } else if let configuredFile, let slash = configuredFile.lastIndex(of: "/") {
            // Beside the earlier key, which stays in use until plugins.json names this one.
            file = configuredFile[...slash] + name
        } else {
            file = name
        }
        let folder = URL(filePath: pluginsPath).deletingLastPathComponent()
        path = URL(filePath: file, relativeTo: folder).standardizedFileURL.path
    }

    /// Writes the key, readable for its owner only.
    ///
    /// - Returns: Whether the file did not have this key before.
    /// - Throws: ``CommandFailure`` when the file has another key, or cannot be written.
    func store(_ pem: String, of key: ClientSigningKey, replaces: Bool) throws(CommandFailure) -> Bool {
        let manager = FileManager.default
        if let existing = SecretInput.text(path) {
            if (try? ClientSigningKey(pem: existing))?.thumbprint == key.thumbprint {
                try? manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
                return false
            }
            guard replaces else {
                throw CommandFailure(
                    code: "FILE_EXISTS", "\(path) holds another key: nothing was written. Add --replace to replace it")
            }
        }
        let folder = URL(filePath: path).deletingLastPathComponent().path
        do {
            try manager.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try PrivateFiles.replace(path, with: pem + "\n")
            return true
        } catch {
            throw CommandFailure(code: "CANNOT_WRITE", "\(path) cannot be written: nothing was changed")
        }
    }

    func document(of key: ClientSigningKey) -> JSONValue {
        var document: JSONObject = [
            "keyId": .string(keyID), "thumbprint": .string(key.thumbprint), "file": .string(path),
            "configured": .bool(isConfigured),
        ]
        document["teamId"] = teamID.map(JSONValue.string)
        if !isConfigured { document["settings"] = settings }
        return .object(document)
    }

    func text(of key: ClientSigningKey, isNew: Bool) -> TerminalText {
        let state: TerminalText = isNew ? "Imported" : "Already imported:"
        let next: TerminalText =
            isConfigured
            ? "Check it: broker apple client-secret --verify"
            : "Set these options of the entry together: \(settings.serialized())"
        return """
            \(state) key \(keyID) of team \(teamID ?? "(set teamId in plugins.json)")
              thumbprint  \(key.thumbprint)
              file        \(path)
            Apple lets a key be downloaded once: keep the original in a safe place.
            \(next)
            """
    }

    private var settings: JSONValue { ["keyId": .string(keyID), "privateKey": ["file": .string(file)]] }
}
