public import ProviderKit

extension OnePassProvider: DeviceBootstrap {
    public var offersDeviceBootstrap: Bool { deviceEndpoint != nil }

    /// Introduces the device at the configured endpoint. The personal key of the answer is not stored: the broker's own
    /// session replaces it.
    public func bootstrap(_ device: BootstrapDevice) async throws(ProviderError) -> DeviceBootstrapAnswer {
        guard let deviceEndpoint else {
            throw ProviderError(.configuration, at: .configure, "options.deviceBootstrap is not set")
        }
        // The user's token proves who the user is; the exchange only adds the device.
        let user: ExternalIdentity? =
            deviceEndpoint.isAnonymous ? nil : try await user(of: device.accessToken)
        switch try await api.introduce(device, at: deviceEndpoint) {
        case .session(let session):
            let identity: ExternalIdentity
            if let user {
                identity = user
            } else if let claims = session.claims, claims["anonymous"]?.bool == true {
                identity = try self.identity(OnePassProfile(claims), grant: nil)
            } else {
                // An account of a user has a name and an address, which the answer does not have.
                let claims = try await api.userinfo(personalKey: session.accessToken)
                identity = try self.identity(OnePassProfile(claims), grant: nil)
            }
            return .signedIn(identity, secret: session.deviceSecret.map(Secret.init))
        case .secretRefused: return .secretRefused
        case .claimedByAnotherUser: return .claimedByAnotherUser
        case .rateLimited(let seconds): return .rateLimited(retryAfter: seconds)
        }
    }

    private func user(of accessToken: String?) async throws(ProviderError) -> ExternalIdentity {
        guard let accessToken else {
            throw ProviderError(
                .credential, at: .authorizeDevice, "options.deviceBootstrap is deviceKeys, and no accessToken was sent")
        }
        return try await verify(Credential(.accessToken(accessToken)))
    }
}
