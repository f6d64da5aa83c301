import Crypto
import Foundation
import JOSE
import ProviderKit

/// Values of one user that stand for those of another: subject, address and tokens, in everything that a provider and a
/// client send.
struct UserExchange: Sendable {
    private let pairs: [(original: String, replacement: String)]

    /// - Parameters:
    ///   - identity: The script's user.
    ///   - subject: The other user's subject.
    ///   - address: The other user's address.
    ///   - tokens: The tokens of the script's user. One of a plugin's calls may be remembered by its token, so the other
    ///     user has others, in which the script's cannot be found.
    init(of identity: ExternalIdentity, subject: String, address: String?, tokens: [String]) {
        var pairs = identity.subject.isEmpty ? [] : [(identity.subject, subject)]
        if let old = identity.email?.address, let address { pairs.append((old, address)) }
        // A token with dots is a JWT, which the script makes anew.
        for token in tokens where !token.contains(".") {
            let other = Self.another(token)
            pairs += [(token, other), (Self.accessTokenHash(token), Self.accessTokenHash(other))]
        }
        // One token may begin with another one.
        self.pairs = pairs.sorted { $0.1.utf8.count > $1.1.utf8.count }.map { (original: $0.0, replacement: $0.1) }
    }

    /// The other user's token for one of the script's user.
    private static func another(_ token: String) -> String {
        token.enumerated().map { ($0 % 8 == 7 ? "_" : "") + String($1) }.joined()
    }

    /// `at_hash` (OpenID Connect Core §3.1.3.6).
    private static func accessTokenHash(_ token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Data(token.utf8)).prefix(16)))
    }

    /// The other user's value for one of the script's user.
    func forward(_ text: String) -> String {
        pairs.first { $0.original.hasSameBytes(as: text) }?.replacement ?? text
    }

    func forward(_ claims: JSONObject) -> JSONObject { forward(.object(claims)).object ?? claims }

    func forward(_ response: UpstreamResponse) -> UpstreamResponse {
        guard let document = try? JSONValue(parsing: response.body) else { return response }
        let body = forward(document).serializedBytes()
        return UpstreamResponse(status: response.status, headers: response.headers, body: body)
    }

    /// Whether a response names a value of the script's user.
    func changes(_ response: UpstreamResponse) -> Bool {
        guard let document = try? JSONValue(parsing: response.body) else { return false }
        return forward(document) != document
    }

    func forward(_ credential: Credential) -> Credential {
        let proof: Credential.Proof =
            switch credential.proof {
            case .authorizationCode(let code):
                .authorizationCode(
                    .init(
                        code: forward(code.code), redirectURI: code.redirectURI, verifier: code.verifier.map(forward),
                        expectedNonce: code.expectedNonce, clientID: code.clientID, callback: code.callback))
            case .accessToken(let token): .accessToken(forward(token))
            case .idToken(let token):
                .idToken(
                    .init(
                        token: token.token, rawNonce: token.rawNonce, accessToken: token.accessToken.map(forward),
                        authorizationCode: token.authorizationCode.map(forward)))
            case .assertion(let fields): .assertion(fields.mapValues(forward))
            }
        return Credential(proof, firstTimeProfile: credential.firstTimeProfile)
    }

    func forward(_ grant: UpstreamGrant) -> UpstreamGrant {
        UpstreamGrant(
            clientID: grant.clientID, accessToken: forward(grant.accessToken),
            refreshToken: grant.refreshToken.map(forward), idToken: grant.idToken, scopes: grant.scopes,
            expiresAt: grant.expiresAt)
    }

    /// The other user, as far as the exchange changes the script's.
    func forward(_ identity: ExternalIdentity) -> ExternalIdentity {
        ExternalIdentity(
            subject: forward(identity.subject),
            merge: identity.merge.map {
                .init(
                    survivor: forward($0.survivor), absorbed: $0.absorbed.map(forward), proven: $0.proven.map(forward))
            }, transferSubject: identity.transferSubject, isAnonymous: identity.isAnonymous,
            wasAnonymous: identity.wasAnonymous,
            email: identity.email.map {
                .init(forward($0.address), isVerified: $0.isVerified, isRelay: $0.isRelay)
            }, displayName: identity.displayName, givenName: identity.givenName, familyName: identity.familyName,
            screenName: identity.screenName, pictureURL: identity.pictureURL)
    }

    /// A request about the other user as the script knows it.
    func backward(_ request: UpstreamRequest) -> UpstreamRequest {
        func back(_ text: String) -> String {
            pairs.reduce(text) { $0.replacing($1.replacement, with: $1.original) }
        }
        var copy = UpstreamRequest(request.method, back(request.url), at: request.step)
        if let body = request.body, let document = try? JSONValue(parsing: body) {
            copy = copy.sending(json: document.mappingStrings(back))
        } else if let form = request.body.flatMap({ FormEncoding.decode($0) }) {
            copy = copy.sending(form: form.map { (name: $0.name, value: back($0.value)) })
        }
        if let segment = request.secretSegment { copy = copy.secretPath(back(segment.reveal())) }
        copy = request.secretQuery.reduce(copy) { $0.secretParameter($1.name, back($1.value.reveal())) }
        return request.headers.reduce(copy) { $0.header($1.name, back($1.value)) }
    }

    private func forward(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(forward(text))
        case .number(let number):
            JSONNumber(literal: forward(number.literal)).map(JSONValue.number) ?? value
        case .array(let elements): .array(elements.map(forward))
        case .object(let members): .object(JSONObject(members.map { ($0.name, forward($0.value)) }))
        case .null, .bool: value
        }
    }
}

extension JSONValue {
    fileprivate func mappingStrings(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mappingStrings(change) })
        case .object(let members): .object(JSONObject(members.map { ($0.name, $0.value.mappingStrings(change)) }))
        case .null, .bool, .number: self
        }
    }
}

extension ProviderScript {
    /// The script for another user.
    func exchanging(_ exchange: UserExchange) -> ProviderScript {
        var script = self
        script.endpoints = endpoints.map { $0.exchanging(exchange) }
        script.signIns = signIns.map { signIn in
            HonestSignIn(
                exchange.forward(signIn.credential), title: signIn.title, identity: exchange.forward(signIn.identity),
                hasIDToken: signIn.hasIDToken, harmlessForgeries: signIn.harmlessForgeries)
        }
        script.grant = grant.map(exchange.forward)
        script.deviceIdentity = deviceIdentity.map(exchange.forward)
        return script
    }
}

extension String {
    /// Other subjects of the same form: another last letter, and the same letters in the other case.
    var neighbours: [String] {
        var bytes = Array(utf8)
        guard let last = bytes.lastIndex(where: { $0.isLetter || $0.isDigit }) else { return [self + "2"] }
        // Neither a leading zero nor another length.
        bytes[last] =
            [UInt8(ascii: "9"), UInt8(ascii: "z"), UInt8(ascii: "Z")].contains(bytes[last])
            ? bytes[last] - 1 : bytes[last] + 1
        return [String(decoding: bytes, as: UTF8.self)] + (hasCase ? [inOtherCase] : [])
    }

    /// Whether it has a letter of ASCII.
    var hasCase: Bool { utf8.contains(where: \.isLetter) }

    /// The same letters of ASCII in the other case.
    var inOtherCase: String { String(decoding: utf8.map { $0.isLetter ? $0 ^ 0x20 : $0 }, as: UTF8.self) }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
