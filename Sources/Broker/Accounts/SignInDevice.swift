import BrokerStore
import JOSE
import OAuth
import ProviderKit

/// A device as an app introduces it.
struct DeviceIntroduction: Sendable {
    let provider: String
    /// The app's id of the device.
    let deviceID: String
    let platform: String
    /// The secret that the broker issued to the device; absent the first time.
    let secret: String?
    /// The provider's access token of the user, where the provider exchanges it.
    let accessToken: String?

    /// - Throws: ``BrokerError/invalidDevice``.
    init(
        provider: String, deviceID: String?, platform: String?, secret: String?, accessToken: String?
    ) throws(BrokerError) {
        guard let deviceID, Self.isID(deviceID, 16...128), let platform, Self.isID(platform, 1...32) else {
            throw .invalidDevice
        }
        self.provider = provider
        self.deviceID = deviceID
        self.platform = platform
        self.secret = secret
        self.accessToken = accessToken
    }

    /// Visible ASCII characters, as 1Pass takes them in identifiers.
    private static func isID(_ text: String, _ lengths: ClosedRange<Int>) -> Bool {
        lengths.contains(text.utf8.count) && text.isASCII(from: 0x21)
    }

    /// Names the device in the store. An entry that is changed to another instance knows none of its devices, so
    /// that no instance receives the secret of another.
    func deviceHash(at instance: String) -> [UInt8] { RandomText.hash(of: "\(instance)\n\(deviceID)") }
}

/// The session that a device's sign-in begins.
struct DeviceSession: Sendable {
    /// Its shape, by the identity that the provider has answered with.
    var shape: @Sendable (VerifiedCredential) -> SessionShape = { $0.sessionShape() }
    /// Writes what belongs to it, in its transaction.
    var completing: @Sendable (SessionFacts, borrowing Transaction) throws -> Void = { _, _ in }
}

/// The result of a device's sign-in.
struct DeviceSignInResult: Sendable {
    let credential: VerifiedCredential
    let outcome: SignInOutcome<SessionFacts>
    /// The device's secret, the first time only.
    let newSecret: String?
}

extension AccountContext {
    /// The time that a request may take to introduce a new device. It asks the provider at most twice, 20 s each.
    private static let claimDuration = Duration.seconds(60)

    /// Signs in a device whose user may have no account yet: the broker introduces it to the provider, which answers
    /// with an anonymous account or the account of the device's user.
    ///
    /// The app gets a secret of the broker's, once. The provider's own secret never leaves the broker.
    ///
    /// - Throws: ``BrokerError/invalidDeviceSecret`` alike for a missing and a wrong secret, and what the provider's
    ///   verdict becomes. Nothing is stored unless the user is signed in.
    func signInDevice(
        _ introduction: DeviceIntroduction, beginning session: DeviceSession = DeviceSession(), origin: Origin
    ) async throws -> DeviceSignInResult {
        guard let provider = providers.current.provider(introduction.provider) else {
            throw BrokerError.unknownProvider(introduction.provider)
        }
        guard let bootstrap = provider.provider as? any DeviceBootstrap, bootstrap.offersDeviceBootstrap else {
            throw BrokerError.operationNotAllowed("\(provider.id) signs no devices in.")
        }
        let hash = introduction.deviceHash(at: provider.instance)
        switch try await standing(of: introduction, hash, at: provider.id) {
        case .known(let device):
            return try await signIn(introduction, as: device, bootstrap, provider, session, origin)
        case .claimed(let claim):
            do {
                return try await signIn(introduction, under: claim, bootstrap, provider, session, origin)
            } catch {
                await release(claim)
                throw error
            }
        }
    }

    private enum Standing {
        /// The device has presented its secret.
        case known(KnownDevice)
        /// The device is new, and this request alone introduces it.
        case claimed(Claim)
    }

    private struct KnownDevice: Sendable {
        let key: Int64
        let secretHash: [UInt8]
        let sealedSecret: [UInt8]?
        let createdAt: Timestamp
    }

    private struct Claim: Sendable {
        let key: Int64
        let id: String
    }

    private func standing(
        of introduction: DeviceIntroduction, _ hash: [UInt8], at provider: String
    ) async throws -> Standing {
        if let secret = introduction.secret {
            let row = try await store.read { try $0.providerDevice(hash, at: provider) }
            // SHA-256 of 256 random bits: the time of the comparison tells nothing about the secret.
            guard let row, let secretHash = row.secretHash, secretHash == RandomText.hash(of: secret) else {
                try Self.countIntroduction(of: hash)
                throw BrokerError.invalidDeviceSecret
            }
            RequestAdmission.current?.prove()
            // Counted apart: a client without the secret must not exhaust the introductions of the device.
            try RequestAdmission.current?.take(.deviceIntroductions, of: .device(hash + [1]))
            return .known(
                KnownDevice(
                    key: row.key, secretHash: secretHash, sealedSecret: row.sealedSecret, createdAt: row.createdAt))
        }
        try Self.countIntroduction(of: hash)
        let id = RandomText.alphanumeric(22)
        let claim = try await write { transaction -> Claim in
            let end = transaction.now.advanced(by: Self.claimDuration)
            let device = ProviderDevice(
                key: transaction.nextKey(), provider: provider, deviceHash: hash, claim: id, claimedUntil: end,
                createdAt: transaction.now)
            if try transaction.claim(device) { return Claim(key: device.key, id: id) }
            guard let earlier = try transaction.providerDevice(hash, at: provider), earlier.secretHash == nil else {
                throw BrokerError.invalidDeviceSecret
            }
            guard try transaction.reclaimDevice(key: earlier.key, by: id, until: end, at: transaction.now) else {
                throw BrokerError.tooManyDeviceAttempts(retryAfter: 5)
            }
            return Claim(key: earlier.key, id: id)
        }
        return .claimed(claim)
    }

    /// An introduction without the device's secret may create a user.
    private static func countIntroduction(of device: [UInt8]) throws(BrokerError) {
        try RequestAdmission.current?.countUnproven()
        try RequestAdmission.current?.take(.deviceIntroductions, of: .device(device))
    }

    private func signIn(
        _ introduction: DeviceIntroduction, under claim: Claim, _ bootstrap: any DeviceBootstrap,
        _ provider: ConfiguredProvider, _ session: DeviceSession, _ origin: Origin
    ) async throws -> DeviceSignInResult {
        let (identity, upstreamSecret) = try await ask(bootstrap, about: introduction.device(nil), provider)
        let credential = try await verify(granted: identity, from: provider)
        let secret = RandomText.secret()
        let sealed = try upstreamSecret.map { try seal($0, of: introduction, at: provider) }
        let outcome = try await signIn(
            credential, createsUser: true, as: session.shape(credential), origin: origin
        ) { facts, transaction in
            let isConfirmed = try transaction.confirmDevice(
                key: claim.key, claim: claim.id, secretHash: RandomText.hash(of: secret), sealedSecret: sealed,
                identityKey: try facts.identityKey(at: provider.id), at: transaction.now)
            guard isConfirmed else { throw BrokerError.tooManyDeviceAttempts(retryAfter: 5) }
            try transaction.audit("device.added", of: facts.user.localID, provider: provider.id)
            try session.completing(facts, transaction)
        }
        guard case .signedIn = outcome else {
            await release(claim)
            return DeviceSignInResult(credential: credential, outcome: outcome, newSecret: nil)
        }
        return DeviceSignInResult(credential: credential, outcome: outcome, newSecret: secret)
    }

    private func signIn(
        _ introduction: DeviceIntroduction, as known: KnownDevice, _ bootstrap: any DeviceBootstrap,
        _ provider: ConfiguredProvider, _ session: DeviceSession, _ origin: Origin
    ) async throws -> DeviceSignInResult {
        let stored = try known.sealedSecret.map { try open($0, of: introduction, at: provider) }
        let (identity, fresh): (ExternalIdentity, Secret?)
        do {
            (identity, fresh) = try await ask(bootstrap, about: introduction.device(stored), provider)
        } catch BrokerError.invalidDeviceSecret {
            // The provider has dropped the device, and the stored secret with it.
            try await store.write { try $0.forgetDevice(key: known.key, secretHash: known.secretHash) }
            throw BrokerError.invalidDeviceSecret
        }
        // The secret proves the device. When its user last authenticated is unknown, but not before it was added.
        let credential = try await verify(granted: identity, authTime: known.createdAt.seconds, from: provider)
        let sealed = try fresh.map { try seal($0, of: introduction, at: provider) } ?? known.sealedSecret
        let outcome = try await signIn(
            credential, createsUser: true, as: session.shape(credential), origin: origin
        ) { facts, transaction in
            let isThere = try transaction.useDevice(
                key: known.key, secretHash: known.secretHash, sealedSecret: sealed,
                identityKey: try facts.identityKey(at: provider.id), at: transaction.now)
            guard isThere else { throw BrokerError.invalidDeviceSecret }
            try session.completing(facts, transaction)
        }
        return DeviceSignInResult(credential: credential, outcome: outcome, newSecret: nil)
    }

    /// Asks the provider about a device; once more without its secret when the provider does not accept that.
    private func ask(
        _ bootstrap: any DeviceBootstrap, about device: BootstrapDevice, _ provider: ConfiguredProvider
    ) async throws -> (ExternalIdentity, Secret?) {
        let first = try await provider.ask { try await bootstrap.bootstrap(device) }
        guard case .secretRefused = first, device.secret != nil else { return try Self.account(first) }
        return try Self.account(try await provider.ask { try await bootstrap.bootstrap(device.withoutSecret) })
    }

    private static func account(_ answer: DeviceBootstrapAnswer) throws(BrokerError) -> (ExternalIdentity, Secret?) {
        switch answer {
        case .signedIn(let identity, let secret): return (identity, secret)
        case .secretRefused: throw .invalidDeviceSecret
        case .claimedByAnotherUser: throw .deviceClaimedByAnotherUser
        case .rateLimited(let seconds): throw .tooManyDeviceAttempts(retryAfter: min(max(seconds ?? 60, 1), 86_400))
        }
    }

    /// Lets another request introduce the device at once. A claim that stays ends by itself.
    private func release(_ claim: Claim) async {
        try? await store.write { try $0.releaseDevice(key: claim.key, claim: claim.id) }
    }

    private func seal(
        _ secret: Secret, of introduction: DeviceIntroduction, at provider: ConfiguredProvider
    ) throws -> [UInt8] {
        try deviceSealer.seal(Array(secret.reveal().utf8), row: Self.row(introduction, provider))
    }

    private func open(
        _ sealed: [UInt8], of introduction: DeviceIntroduction, at provider: ConfiguredProvider
    ) throws(SealError) -> Secret {
        Secret(String(decoding: try deviceSealer.open(sealed, row: Self.row(introduction, provider)), as: UTF8.self))
    }

    /// The name of the device's row, as `SealedColumn` has it.
    private static func row(_ introduction: DeviceIntroduction, _ provider: ConfiguredProvider) -> [String] {
        ["provider_devices", provider.id, Base64URL.encode(introduction.deviceHash(at: provider.instance))]
    }
}

extension DeviceIntroduction {
    fileprivate func device(_ secret: Secret?) -> BootstrapDevice {
        BootstrapDevice(id: deviceID, platform: platform, secret: secret, accessToken: accessToken)
    }
}

extension SessionFacts {
    /// The user's identity of a provider, which the sign-in has just written.
    fileprivate func identityKey(at provider: String) throws(InternalError) -> Int64 {
        guard let identity = identities.first(where: { $0.provider.hasSameBytes(as: provider) }) else {
            throw .uniqueKeyTaken("identities")
        }
        return identity.key
    }
}
