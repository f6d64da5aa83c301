import Foundation

/// An entry of the history of an account, as the pages show it.
struct Happening: Sendable {
    let kind: Kind
    let at: Date
    /// The provider's name.
    let provider: String?
    /// The app's name.
    let app: String?
    /// The network of the user's address.
    let network: String?
    /// The parts of the profile that changed.
    let changed: [Part]
    /// Whether an administrator did it.
    let isByAdministrator: Bool

    enum Kind: String, Sendable, CaseIterable {
        case created, signedIn, appSignedIn, deviceAllowed, refused, confirmationNeeded
        case connected, disconnected, accessEnded
        case profileChanged, merged, separated, exported
        case signedOut, signedOutEverywhere, sessionEnded
        case disabled, enabled
    }

    enum Part: String, Sendable, CaseIterable {
        case name, picture, email, rights
    }
}

extension Happening.Kind {
    /// The kind of an event of the audit; nil for one that says nothing to users.
    init?(event: String) {
        switch event {
        case "user.created", "user.imported": self = .created
        case "user.signed-in": self = .signedIn
        case "session.started": self = .appSignedIn
        case "device.approved": self = .deviceAllowed
        case "sign-in.refused": self = .refused
        case "sign-in.need-confirmation": self = .confirmationNeeded
        case "identity.linked": self = .connected
        case "identity.unlinked", "identity.account-deleted": self = .disconnected
        case "identity.consent-revoked", "withdrawal.done": self = .accessEnded
        case "user.updated": self = .profileChanged
        case "user.merged": self = .merged
        case "merge.undone", "user.restored": self = .separated
        case "user.exported": self = .exported
        case "session.signed-out": self = .signedOut
        case "session.signed-out-all", "session.revoked-all": self = .signedOutEverywhere
        case "session.revoked", "session.revoked-by-provider", "session.reuse-detected",
            "session.code-reuse-detected":
            self = .sessionEnded
        case "user.disabled": self = .disabled
        case "user.enabled": self = .enabled
        default: return nil
        }
    }

    var tone: PageTone {
        switch self {
        case .created, .signedIn, .appSignedIn, .deviceAllowed: .good
        case .refused, .confirmationNeeded, .sessionEnded: .warn
        case .disabled: .bad
        case .connected, .disconnected, .accessEnded, .profileChanged, .merged, .separated, .exported, .signedOut,
            .signedOutEverywhere, .enabled:
            .neutral
        }
    }
}

extension Happening.Part {
    /// The part that a field of the profile belongs to; nil for one that says nothing to users.
    init?(field: String) {
        switch field {
        case "displayName": self = .name
        case "photoUrl": self = .picture
        case "email", "emailVerified": self = .email
        case "customAttributes": self = .rights
        default: return nil
        }
    }
}
