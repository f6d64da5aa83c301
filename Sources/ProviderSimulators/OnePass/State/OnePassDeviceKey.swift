import Foundation

/// A personal access key (PAK): what calls below `/api/v1` are made with instead of an OAuth token.
struct OnePassPersonalKey: Sendable {
    static let lifetime = 86_400

    let personID: Int64
    let scopes: [String]
    let expiresAt: Date
}

/// A device that 1Pass knows, with the secret it was told once.
struct OnePassDeviceKey: Sendable {
    let id: Int64
    let personID: Int64
    let secret: String
}

/// The answer to a device's introduction.
struct SimulatedOnePassDeviceSession: Sendable {
    let personalKey: String
    let scopes: [String]
    let deviceID: Int64
    let person: OnePassSimulator.Person
    /// Only at the first time.
    let newSecret: String?
}

extension OnePassState {
    /// Exchanges of tokens for device keys per user and hour.
    static let exchangeLimit = 10

    /// Signs a device in by its secret; an unknown one becomes an anonymous user and receives a secret.
    ///
    /// - Parameters:
    ///   - device: What it is called and runs on.
    ///   - secret: What it was told at the first time.
    ///   - startsOver: Whether a known device without its secret becomes a new user instead of an error.
    /// - Returns: What the device gets.
    /// - Throws: `invalid_device_secret`.
    mutating func enter(
        _ device: (uuid: String, platform: String), secret: String?, startsOver: Bool
    ) throws(OAuthFailure) -> SimulatedOnePassDeviceSession {
        if let known = deviceKeys[device.uuid], !(secret == nil && startsOver) {
            guard let secret, secret.hasSameBytes(as: known.secret), let person = person(known.personID) else {
                throw OAuthFailure("invalid_device_secret", nil, status: 401)
            }
            return session(of: person, on: known, isNew: false)
        }
        // An unknown device has no secret yet.
        guard secret == nil else { throw OAuthFailure("invalid_device_secret", nil, status: 401) }
        let person = OnePassSimulator.Person.anonymous(platform: device.platform, deviceUUID: device.uuid)
        memory.put(person)
        return session(of: person, on: register(device.uuid, of: person.id), isNew: true)
    }

    /// Gives the owner of an OAuth token a key for a device of theirs.
    mutating func exchange(
        for person: OnePassSimulator.Person, deviceUUID: String, secret: String?
    ) throws(OAuthFailure) -> SimulatedOnePassDeviceSession {
        let recent = exchanges[person.id, default: []].filter { $0 > now.addingTimeInterval(-3600) }
        guard recent.count < Self.exchangeLimit else { throw OAuthFailure("rate_limited", nil, status: 429) }
        exchanges[person.id] = recent + [now]
        guard let known = deviceKeys[deviceUUID] else {
            return session(of: person, on: register(deviceUUID, of: person.id), isNew: true)
        }
        guard known.personID == person.id else { throw OAuthFailure("device_claimed_by_other_user", nil, status: 409) }
        guard let secret, secret.hasSameBytes(as: known.secret) else {
            throw OAuthFailure("invalid_device_secret", nil, status: 401)
        }
        return session(of: person, on: known, isNew: false)
    }

    /// Makes a key for calls below `/api/v1`.
    mutating func makePersonalKey(for personID: Int64, scopes: [String]) -> String {
        let key = "logi_pak_" + RandomText.alphanumeric(40)
        personalKeys[key] = OnePassPersonalKey(
            personID: personID, scopes: scopes,
            expiresAt: now.addingTimeInterval(TimeInterval(OnePassPersonalKey.lifetime)))
        return key
    }

    private mutating func register(_ uuid: String, of personID: Int64) -> OnePassDeviceKey {
        let key = OnePassDeviceKey(
            id: Int64.random(in: 1000...9_999_999), personID: personID, secret: "logi_device_" + RandomText.hex(48))
        deviceKeys[uuid] = key
        return key
    }

    private mutating func session(
        of person: OnePassSimulator.Person, on device: OnePassDeviceKey, isNew: Bool
    ) -> SimulatedOnePassDeviceSession {
        let scopes = ["profile:basic", "profile:write"]
        return SimulatedOnePassDeviceSession(
            personalKey: makePersonalKey(for: person.id, scopes: scopes), scopes: scopes, deviceID: device.id,
            person: person, newSecret: isNew ? device.secret : nil)
    }
}
