import Foundation
import Synchronization

@testable import BrokerClient

/// A Keychain in memory that answers as Security does.
final class MemoryKeychain: KeychainItems {
    struct Place: Hashable {
        let service: String
        let account: String
        let accessGroup: String?
    }

    struct Item {
        var data: Data
        var protection: KeychainProtection
    }

    struct State {
        var items: [Place: Item] = [:]
        /// The device, before it was unlocked.
        var isLocked = false
        /// What every call fails with instead.
        var failure: KeychainStatus?
        /// The prompts that reads have shown.
        var prompts: [String] = []
        /// Whether other biometrics were enrolled since.
        var hasOtherBiometrics = false
        /// Called before an item is added, once.
        var beforeAdd: (@Sendable (MemoryKeychain) -> Void)?
    }

    let state = Mutex(State())

    func copyData(matching query: KeychainQuery) -> (status: KeychainStatus, data: Data?) {
        state.withLock { state in
            if let failure = state.failure { return (failure, nil) }
            guard let item = state.items.first(where: { Self.matches($0.key, query) })?.value else {
                return (.itemNotFound, nil)
            }
            if state.isLocked { return (.interactionNotAllowed, nil) }
            if item.protection == .biometryCurrentSet {
                // Security does not find an item whose biometrics are gone.
                if state.hasOtherBiometrics { return (.itemNotFound, nil) }
                guard let prompt = query.prompt else { return (.interactionNotAllowed, nil) }
                state.prompts.append(prompt)
            }
            return (.success, item.data)
        }
    }

    func add(_ data: Data, as query: KeychainQuery, protection: KeychainProtection) -> KeychainStatus {
        let beforeAdd = state.withLock { state in
            defer { state.beforeAdd = nil }
            return state.beforeAdd
        }
        beforeAdd?(self)
        return state.withLock { state in
            if let failure = state.failure { return failure }
            if state.isLocked { return .interactionNotAllowed }
            let place = Place(service: query.service, account: query.account ?? "", accessGroup: query.accessGroup)
            if state.items[place] != nil { return .duplicateItem }
            state.items[place] = Item(data: data, protection: protection)
            return .success
        }
    }

    func update(_ query: KeychainQuery, to data: Data, protection: KeychainProtection) -> KeychainStatus {
        state.withLock { state in
            if let failure = state.failure { return failure }
            let places = state.items.keys.filter { Self.matches($0, query) }
            if places.isEmpty { return .itemNotFound }
            if state.isLocked { return .interactionNotAllowed }
            for place in places { state.items[place] = Item(data: data, protection: protection) }
            return .success
        }
    }

    func delete(matching query: KeychainQuery) -> KeychainStatus {
        state.withLock { state in
            if let failure = state.failure { return failure }
            let places = state.items.keys.filter { Self.matches($0, query) }
            for place in places { state.items[place] = nil }
            return places.isEmpty ? .itemNotFound : .success
        }
    }

    /// Reads without the rules of the Keychain.
    func item(_ key: StorageKey, accessGroup: String? = nil) -> Item? {
        state.withLock { $0.items[Place(service: key.service, account: key.account, accessGroup: accessGroup)] }
    }

    var count: Int { state.withLock { $0.items.count } }

    private static func matches(_ place: Place, _ query: KeychainQuery) -> Bool {
        place.service == query.service && query.account.map { $0 == place.account } ?? true
            && query.accessGroup.map { $0 == place.accessGroup } ?? true
    }
}
