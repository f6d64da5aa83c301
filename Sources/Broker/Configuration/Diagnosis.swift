import ProviderKit

/// The troubles that `broker doctor` looks for and the page `/diagnose` explains. The codes are stable.
package enum Diagnosis: String, Sendable, Hashable, CaseIterable {
    case applinksClaimsProviderHost = "applinks-claims-idp-host"
    case schemeUnderscore = "scheme-underscore"
    case callbackSchemeMissing = "callback-scheme-missing"
    case callbackHostMissing = "callback-host-missing"
    case callbackHostIsProviderHost = "callback-host-is-idp-host"
    case querySchemesMissing = "query-schemes-missing"
    case appleEntitlementMissing = "apple-entitlement-missing"
    case appleNotOffered = "apple-not-offered"
    case packageWithoutVersion = "package-without-version"
    case relaySenderUnregistered = "relay-sender-unregistered"
    case noProvider = "no-provider"
    case publicURLIsLocal = "public-url-is-local"
    case clientAddressHidden = "client-address-hidden"
    case clientAddressUnknown = "client-address-unknown"
    case fileReadable = "file-readable"
    case stepUpUnattainable = "step-up-unattainable"
    case storeUnavailable = "store-unavailable"
    case diskNearlyFull = "disk-nearly-full"
    case clockDiffers = "clock-differs"
    case signingKeyMissing = "signing-key-missing"
    case providerAppNotEntered = "idp-app-not-entered"
    case refreshFailsInBackground = "background-refresh-fails"
    case tokenOnAnotherDevice = "token-on-another-device"
    case protectedItemLost = "protected-item-lost"
    case deviceSecretRefused = "device-secret-refused"
    case userNameIsNoLogin = "user-name-is-no-login"

    /// Whether the command can find it. What remains shows in the app only, and is explained.
    package var isFound: Bool {
        switch self {
        case .providerAppNotEntered, .refreshFailsInBackground, .tokenOnAnotherDevice, .protectedItemLost,
            .deviceSecretRefused, .userNameIsNoLogin:
            false
        default: true
        }
    }

    /// Whether sign-ins work, and are protected, in spite of it.
    package var isWarning: Bool {
        switch self {
        case .appleNotOffered, .packageWithoutVersion, .relaySenderUnregistered, .publicURLIsLocal, .fileReadable,
            .stepUpUnattainable, .noProvider, .callbackHostIsProviderHost:
            true
        default: false
        }
    }

    /// The symptom, its cause and its remedy.
    package struct Text: Sendable, Decodable {
        package let symptom: String
        package let cause: String
        package let remedy: String
    }
}

/// The reasons for which an app need not offer Sign in with Apple beside other providers (App Review Guidelines 4.8), as an
/// operator declares one.
package enum AppleExemption: String, Sendable, Hashable, CaseIterable {
    case ownAccountsOnly = "own-accounts-only"
    case organizationAccounts = "organization-accounts"
    case citizenIdentity = "citizen-identity"
    case clientOfOneService = "client-of-one-service"
}

/// The operator's declarations that no program can look up.
package struct Declarations: Sendable, Hashable {
    /// The reason the apps do not offer Sign in with Apple.
    package var appleNotOffered: AppleExemption?
    /// The addresses and domains that are registered at Apple as senders of mail to relay addresses.
    package var relaySenders: [String]?

    package init() {}
}

extension Declarations {
    /// `declarations` of `broker.json`.
    static let keys = DeclaredObject<Declarations>([
        .choice(
            "appleNotOffered", AppleExemption.self,
            "why the apps need not offer Sign in with Apple ([Doctor](Doctor.md#declarations))"
        ) { $0.appleNotOffered = $1 },
        .texts("relaySenders", "the addresses and domains that are registered at Apple as senders to relay addresses") {
            declarations, senders, _ in declarations.relaySenders = senders
        }.example(["id.example"]),
    ])
}
