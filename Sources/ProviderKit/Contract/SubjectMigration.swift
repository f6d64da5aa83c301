public import Foundation

/// A provider whose subjects belong to the owner of an app. When the app goes to another owner, every user gets another
/// subject, and the provider translates one into the other.
///
/// The broker stores each user's state, limits the rate and repeats requests: all of them may be repeated. The former
/// owner requests a transfer subject for each user (``SubjectMigrator/transferSubject(of:_:)``), then the app is
/// transferred, then the new owner exchanges each transfer subject for its own subject
/// (``SubjectMigrator/exchange(_:_:)``).
public protocol SubjectMigration: IdentityProvider {
    /// The operator's file about both owners.
    associatedtype MigrationOptions: Decodable & Sendable

    /// The namespaces (``IdentityProvider/instance``) of this app's former owners. A signed-in user whose identity is in
    /// one of them may replace it by signing in with the provider again.
    var formerInstances: [String] { get }

    /// Makes the client of a migration. Checks the options, without network access.
    ///
    /// - Throws: ``ProviderError`` with fault ``ProviderError/Fault/configuration`` when the options are wrong.
    func migrator(_ options: MigrationOptions) throws(ProviderError) -> any SubjectMigrator
}

extension SubjectMigration {
    /// Makes the client of a migration from the JSON of the operator's file.
    ///
    /// - Throws: `JSONDecodingError` when the file has the wrong shape, ``ProviderError`` when a value is invalid.
    public func migrator(options: JSONValue, decoder: JSONValueDecoder) throws -> any SubjectMigrator {
        try migrator(decoder.decode(MigrationOptions.self, from: options))
    }
}

/// The owner of an app in a migration.
public enum MigrationSide: String, Sendable, Hashable, CaseIterable {
    /// The former owner.
    case source
    /// The new owner.
    case target
}

/// The provider's requests of one migration, between two owners of an app.
public protocol SubjectMigrator: Sendable {
    /// The namespace of the subjects before the migration.
    var sourceInstance: String { get }

    /// The namespace of the subjects after the migration.
    var targetInstance: String { get }

    /// The sides whose credentials are configured. Where both owners are different organizations, each has its own only.
    var sides: Set<MigrationSide> { get }

    /// Seconds after the transfer of the app in which the provider exchanges subjects.
    var window: Int { get }

    /// Checks whether the provider accepts a side's credentials, without a user.
    ///
    /// - Returns: The faults that prevent this side's requests, with all ways out; empty when there are none.
    func check(_ side: MigrationSide) async -> [ConfigurationFinding]

    /// Obtains the access token of a side's requests.
    ///
    /// - Throws: ``ProviderError``; fault ``ProviderError/Fault/configuration`` when the provider refuses the client.
    func authorize(_ side: MigrationSide) async throws(ProviderError) -> MigrationAuthorization

    /// Requests the transfer subject of a user, as the former owner. Repeated requests return the same one.
    ///
    /// - Throws: ``ProviderError``; fault ``ProviderError/Fault/configuration`` when the provider refuses the client.
    func transferSubject(
        of subject: String, _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<String>

    /// Exchanges a transfer subject for the user's subject at the new owner, with the address for its apps. Repeated
    /// requests return the same identity.
    ///
    /// - Throws: ``ProviderError``; fault ``ProviderError/Fault/configuration`` when the provider refuses the client,
    ///   as before the app is transferred.
    func exchange(
        _ transferSubject: String, _ authorization: MigrationAuthorization
    ) async throws(ProviderError) -> MigrationAnswer<ExternalIdentity>
}

/// The provider's answer about one user of a migration.
public enum MigrationAnswer<Value: Sendable>: Sendable {
    /// The user can be migrated.
    case migrated(Value)
    /// The provider cannot migrate this user: a code of the provider, in lower case with hyphens.
    case refused(reason: String)
    /// The access token is invalid or expired: repeat the request with a new one.
    case unauthorized
}

/// The access token of a side's requests. Its description contains only the side.
public struct MigrationAuthorization: Sendable, CustomStringConvertible, CustomReflectable {
    /// The owner it was issued to.
    public let side: MigrationSide
    /// The bearer token.
    public let accessToken: String
    /// The expiration.
    public let expiresAt: Date

    /// Makes an authorization from the provider's token.
    public init(side: MigrationSide, accessToken: String, expiresAt: Date) {
        self.side = side
        self.accessToken = accessToken
        self.expiresAt = expiresAt
    }

    /// The side; never the token.
    public var description: String { "MigrationAuthorization(\(side.rawValue))" }
    /// Empty: reflection shows no token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
