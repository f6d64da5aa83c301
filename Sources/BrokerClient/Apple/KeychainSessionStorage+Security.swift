#if canImport(Security)
    import Foundation

    extension KeychainSessionStorage {
        /// A storage in the device's Keychain.
        ///
        /// - Parameters:
        ///   - accessibility: When items can be read. The default lets the app refresh in the background.
        ///   - accessGroup: A keychain access group of the app's entitlements, for apps and extensions that share their
        ///     items; nil for the app's own.
        ///   - installMarker: What tells a new installation. Of a group's items it should be in the app group's
        ///     defaults; without one, they are never deleted. The default is the app's own defaults if there is no
        ///     access group, and none in an app extension, whose first use is not the app's.
        public init(
            accessibility: KeychainAccessibility = .afterFirstUnlockThisDeviceOnly, accessGroup: String? = nil,
            installMarker: InstallMarker? = nil
        ) {
            let isExtension = Bundle.main.bundleURL.pathExtension == "appex"
            self.init(
                items: SecurityKeychain(), accessibility: accessibility, accessGroup: accessGroup,
                installMarker: installMarker ?? (accessGroup == nil && !isExtension ? .userDefaults() : nil))
        }
    }
#endif
