/// The reason why a change of the configuration is refused, or why there is nothing to change.
package enum ConfigurationRefusal: Error, Sendable, Equatable {
    /// No provider entry has this id.
    case providerNotFound(String)
    /// The entry stands in this file of the host.
    case providerInFile(String, path: String)
    case providerExists(String)
    /// The entry, or a setting, breaks a rule; with the place, the problem and the fix.
    case invalid(String)
    /// The entry with this id reaches the broker's host or private networks.
    case hostOnly(String)
    /// The entry's secrets were given for another client, issuer or endpoint; with the options to send again.
    case secretRequired(String, options: [String])
    /// The change would make the entry's users new ones; with what they are known by, and the fix.
    case subjectsChanged(String)
    /// The change decides whose proof counts, and the administrator's credential has no scope for it.
    case trustRequired
    /// The setting with this name stands in `broker.json`.
    case settingInFile(String)
}
