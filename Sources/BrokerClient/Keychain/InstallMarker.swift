import Foundation

/// A boolean that is deleted with the app, as the Keychain's items are not. Where it is missing, the items are of an
/// installation that was deleted.
public struct InstallMarker: Sendable {
    let isSet: @Sendable () -> Bool
    let set: @Sendable () -> Void

    private static let name = "broker.installed"

    /// A boolean in the app's user defaults.
    ///
    /// - Parameter suiteName: The app group, for apps and extensions that share their items; nil for the app's own
    ///   defaults.
    /// - Returns: The marker.
    public static func userDefaults(suiteName: String? = nil) -> InstallMarker {
        @Sendable func defaults() -> UserDefaults? { suiteName.map(UserDefaults.init(suiteName:)) ?? .standard }
        return InstallMarker(
            // Without the group's defaults nothing is known about the installation, and nothing is deleted.
            isSet: { defaults()?.bool(forKey: name) ?? true }, set: { defaults()?.set(true, forKey: name) })
    }
}
