#if canImport(Security)
    import Foundation
    import LocalAuthentication
    import Security

    /// Keychain Services. On macOS the data protection keychain, which works as the one of iOS does.
    struct SecurityKeychain: KeychainItems {
        func copyData(matching query: KeychainQuery) -> (status: KeychainStatus, data: Data?) {
            let attributes = dictionary(query)
            attributes.setObject(true as NSNumber, forKey: kSecReturnData as NSString)
            attributes.setObject(kSecMatchLimitOne as NSString, forKey: kSecMatchLimit as NSString)
            if let prompt = query.prompt {
                let context = LAContext()
                context.localizedReason = prompt
                attributes.setObject(context, forKey: kSecUseAuthenticationContext as NSString)
            }
            var item: CFTypeRef?
            let status = SecItemCopyMatching(attributes as NSDictionary as CFDictionary, &item)
            return (KeychainStatus(rawValue: status), (item as? NSData).map { Data(referencing: $0) })
        }

        func add(_ data: Data, as query: KeychainQuery, protection: KeychainProtection) -> KeychainStatus {
            let attributes = dictionary(query)
            attributes.setObject(data as NSData, forKey: kSecValueData as NSString)
            guard protect(attributes, with: protection) else { return .missingAccessControl }
            return KeychainStatus(rawValue: SecItemAdd(attributes as NSDictionary as CFDictionary, nil))
        }

        func update(_ query: KeychainQuery, to data: Data, protection: KeychainProtection) -> KeychainStatus {
            let changes = NSMutableDictionary()
            changes.setObject(data as NSData, forKey: kSecValueData as NSString)
            guard protect(changes, with: protection) else { return .missingAccessControl }
            return KeychainStatus(
                rawValue: SecItemUpdate(
                    dictionary(query) as NSDictionary as CFDictionary, changes as NSDictionary as CFDictionary))
        }

        func delete(matching query: KeychainQuery) -> KeychainStatus {
            KeychainStatus(rawValue: SecItemDelete(dictionary(query) as NSDictionary as CFDictionary))
        }

        private func dictionary(_ query: KeychainQuery) -> NSMutableDictionary {
            let attributes = NSMutableDictionary()
            attributes.setObject(kSecClassGenericPassword as NSString, forKey: kSecClass as NSString)
            attributes.setObject(query.service as NSString, forKey: kSecAttrService as NSString)
            attributes.setObject(true as NSNumber, forKey: kSecUseDataProtectionKeychain as NSString)
            // Never an item of iCloud's keychain.
            attributes.setObject(false as NSNumber, forKey: kSecAttrSynchronizable as NSString)
            if let account = query.account {
                attributes.setObject(account as NSString, forKey: kSecAttrAccount as NSString)
            }
            if let group = query.accessGroup {
                attributes.setObject(group as NSString, forKey: kSecAttrAccessGroup as NSString)
            }
            return attributes
        }

        /// Sets when the item can be read; false if Security makes no access control.
        private func protect(_ attributes: NSMutableDictionary, with protection: KeychainProtection) -> Bool {
            switch protection {
            case .accessible(.afterFirstUnlockThisDeviceOnly):
                attributes.setObject(
                    kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as NSString,
                    forKey: kSecAttrAccessible as NSString)
            case .accessible(.whenUnlockedThisDeviceOnly):
                attributes.setObject(
                    kSecAttrAccessibleWhenUnlockedThisDeviceOnly as NSString, forKey: kSecAttrAccessible as NSString)
            case .biometryCurrentSet:
                guard
                    let control = SecAccessControlCreateWithFlags(
                        nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)
                else { return false }
                attributes.setObject(control, forKey: kSecAttrAccessControl as NSString)
            }
            return true
        }
    }
#endif
