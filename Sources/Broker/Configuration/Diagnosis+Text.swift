extension Diagnosis {
    /// The English text. No `default`: a new code does not compile until it has its text.
    package var text: Text {
        switch self {
        case .applinksClaimsProviderHost:
            Text(
                "The app reports missingCode, or opens in the middle of a sign-in at the provider.",
                "The app's Associated Domains claim a host of the provider, so the provider's own links open the app.",
                "Remove the applinks entry of that host. An app claims its own hosts only.")
        case .schemeUnderscore:
            Text(
                "The redirect URI is refused, or the callback never reaches the app.",
                "The URL scheme has an underscore, which schemes must not have (RFC 3986 §3.1).",
                "Use the reverse of a domain name, such as com.example.app.")
        case .callbackSchemeMissing:
            Text(
                "The browser stays open after the sign-in.",
                "The app's CFBundleURLTypes lack the scheme of the client's redirect URI.",
                "Add what broker clients plist prints to the app's Info.plist.")
        case .callbackHostMissing:
            Text(
                "The callback opens a web page and not the app.",
                "The client's redirect URI is an https address whose host the app's Associated Domains lack.",
                "Add applinks: with that host, and serve the apple-app-site-association file there.")
        case .callbackHostIsProviderHost:
            Text(
                "The callback ends at the provider.", "The host of a redirect URI is the host of a provider.",
                "Register a redirect URI of the app's own: a custom scheme, or a host of its own.")
        case .querySchemesMissing:
            Text(
                "The provider's app is installed and not entered.",
                "The app's LSApplicationQueriesSchemes lack onepass or https.",
                "Add both to LSApplicationQueriesSchemes in Info.plist.")
        case .appleEntitlementMissing:
            Text(
                "Sign in with Apple fails in the app with error 1000.",
                "The app lacks the entitlement com.apple.developer.applesignin.",
                "Add the capability Sign in with Apple to the app's target.")
        case .appleNotOffered:
            Text(
                "App Review refuses the app (guideline 4.8).",
                "Users sign in with other providers, and Sign in with Apple is not among them.",
                "Enable Apple, or declare in broker.json why the app is exempt: declarations.appleNotOffered.")
        case .packageWithoutVersion:
            Text(
                "A build of the app changes although nothing in it did.",
                "A package that signs users in is pinned to a branch or a commit, not to a version.",
                "Depend on a version: from: \"1.2.0\".")
        case .relaySenderUnregistered:
            Text(
                "Mail to addresses of privaterelay.appleid.com is not delivered.",
                "Apple relays mail of registered senders only, and none is declared in broker.json.",
                "Register the senders at Apple (Sign in with Apple for Email Communication), then declare them: "
                    + "declarations.relaySenders.")
        case .noProvider:
            Text(
                "No user can sign in.", "No provider is enabled.",
                "Enable an entry of plugins.json, or add one with broker providers add.")
        case .publicURLIsLocal:
            Text(
                "Sign-ins work on the broker's own machine only.", "publicURL names this machine.",
                "Set publicURL to the https address that users reach, and register its redirect URIs.")
        case .clientAddressHidden:
            Text(
                "No client has a rate limit by address, and the log shows one client.",
                "publicURL is https, the broker listens on this machine without TLS, and trustedProxies is empty: every "
                    + "request has the proxy's address.",
                "Name the proxy in trustedProxies, such as 127.0.0.1, or have the broker terminate TLS.")
        case .clientAddressUnknown:
            Text(
                "Some clients have no rate limit by address.",
                "In the last two hours a trusted proxy forwarded the word unknown in X-Forwarded-For.",
                "Have the proxy forward the address of its client, or an identifier that begins with an underscore "
                    + "(RFC 7239 §6.3).")
        case .fileReadable:
            Text(
                "Other accounts of the host read the broker's secrets.", "A file with secrets is readable by others.",
                "Take the permission away with chmod go-r.")
        case .stepUpUnattainable:
            Text(
                "Users are asked to sign in again, and are refused however they sign in.",
                """
                A rule of policy.stepUp names no provider that is enabled. Or it guards links, and users of other \
                providers or of custom tokens would have to link one of its providers first.
                """,
                """
                Name a provider that these users have; custom stands for custom tokens, which OAuth clients do not \
                have. Or take accounts:signInWithIdp out of the rule's routes.
                """)
        case .storeUnavailable:
            Text(
                "The broker answers 503.", "The store is out of reach, does not open with this master key, or is full.",
                "Follow the message. Docs/Operations.md has a section for each kind of store.")
        case .diskNearlyFull:
            Text(
                "Sign-ins will fail soon.", "The disk of the store has less than 5 percent or 256 MB left.",
                "Free space, or move the store: broker store copy.")
        case .clockDiffers:
            Text(
                "Tokens are refused as expired, or as issued in the future.",
                "The clock of this host differs from the clock of another broker or of a provider.",
                "Synchronize the clock (NTP) on every host.")
        case .signingKeyMissing:
            Text(
                "No token can be issued.", "A family of tokens has no active signing key.",
                "Make one with broker keys rotate.")
        case .providerAppNotEntered:
            Text(
                "The sign-in opens in the browser although the provider's app is installed.",
                "The app opens the authorization URL in a web session first.",
                "Open the URL with universalLinksOnly first. Fall back to an ephemeral web session.")
        case .refreshFailsInBackground:
            Text(
                "A refresh fails while the device is locked.",
                "The keychain item of the refresh token is readable only while the device is unlocked, or needs biometry.",
                "Store it with kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly and without access control.")
        case .tokenOnAnotherDevice:
            Text(
                "A token appears on another device after a backup was restored.",
                "The keychain item's accessibility does not end with ThisDeviceOnly.",
                "Store tokens with a ThisDeviceOnly accessibility only.")
        case .protectedItemLost:
            Text(
                "An item that biometry protects can no longer be read.",
                "The enrolled fingerprints or faces have changed, which invalidates biometryCurrentSet items.",
                "Ask the user to sign in again. Use such items for sensitive operations only.")
        case .deviceSecretRefused:
            Text(
                "devices:bootstrap answers INVALID_DEVICE_SECRET.",
                "The device's secret was lost, or the provider no longer knows the device.",
                "Introduce the device under a new deviceId. Anonymous users sign in again.")
        case .userNameIsNoLogin:
            Text(
                "A widget shows someone else's data.",
                "A public look-up by user name proves nothing, and the app treats it as a login.",
                "Treat the name as a setting. Only a sign-in makes a user.")
        }
    }
}
