public import Foundation

public typealias OSStatus = Int32

// Foundation's classes stand for the types they are bridged to free of charge.
public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFDictionary = NSDictionary
public typealias CFError = NSError
public final class CFAllocator {}

public var errSecSuccess: OSStatus { 0 }
public var errSecUserCanceled: OSStatus { -128 }
public var errSecItemNotFound: OSStatus { -25300 }
public var errSecInteractionNotAllowed: OSStatus { -25308 }

nonisolated(unsafe) public let kSecClass: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrService: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrAccount: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrAccessible: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecAttrAccessControl: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecMatchLimit: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecMatchLimitOne: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecReturnData: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecValueData: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecUseDataProtectionKeychain: CFString = NSString(string: "")
nonisolated(unsafe) public let kSecUseAuthenticationContext: CFString = NSString(string: "")

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

public final class SecAccessControl {}

public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
}

public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? { nil }
