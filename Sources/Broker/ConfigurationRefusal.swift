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

extension ConfigurationRefusal {
    var definition: BrokerError.Definition {
        switch self {
        case .providerNotFound(let id):
            .init(.configurationNotFound, .invalidRequest, "No provider has the id \(id).")
        case .providerInFile(let id, let path):
            .init(.providerInFile, .invalidRequest, "\(id) is an entry of \(path). Change it there.")
        case .providerExists(let id):
            .init(.configurationExists, .invalidRequest, "A provider has the id \(id) already.")
        case .invalid(let text): .init(.invalidConfig, .invalidRequest, text)
        case .hostOnly(let id):
            .init(
                .hostOnly, .invalidRequest,
                "\(id) may connect to the broker's host or to private networks. Change it on the host, or allow the "
                    + "network in egress.privateNetworks of broker.json.")
        case .secretRequired(let id, let options):
            .init(
                .secretRequired, .invalidRequest,
                "The secrets of \(id) were given for its present client, issuer and endpoints. Send them again with "
                    + "this change: \(options.joined(separator: ", ")).")
        case .subjectsChanged(let text): .init(.subjectsChanged, .invalidRequest, text)
        case .trustRequired:
            .init(
                .insufficientPermission, .missingScope,
                ErrorCode.missingScope(AdminScope.trustProviders.requirement))
        case .settingInFile(let name):
            .init(
                .settingInFile, .invalidRequest,
                "broker.json has \(name). Change it there, or remove it there to change it here.")
        }
    }
}
