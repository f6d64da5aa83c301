import Foundation
import ProviderKit

extension ConformanceSuite {
    /// The checks of messages from providers.
    static let notificationChecks = [
        ConformanceCheck(
            "notifications-are-read", "a message of the provider has the fixture's events, each time",
            fix: "Read every event of the message: id, kind, subject and time; remember none in the instance."
        ) { fixture in
            for (rehearsal, position) in try fixture.receiving() {
                let expected = rehearsal.script.notifications[position].events
                for _ in 0..<2 {
                    let found = try await rehearsal.succeed(.receive(position)).events
                    try require(found == expected, "message \(position) has other events")
                }
                // Where the script signs the message itself, it is about the other user then.
                guard let another = fixture.scriptOfAnotherUser() else { continue }
                let later = try await rehearsal.turned(to: another).succeed(.receive(position)).events
                let alone = try await Rehearsal(fixture, another).succeed(.receive(position)).events
                try require(later == alone, "message \(position) about another user has the events of the first one")
            }
        },
        ConformanceCheck(
            "notifications-need-their-signature",
            "a message that was changed, cut or not signed is refused, also after a valid one",
            fix: "Verify the signature over the body's bytes before reading them: TokenService.isValid(hmac:of:key:)."
        ) {
            for (honest, position) in try $0.receiving() {
                for (title, message) in honest.script.notifications[position].message.forgeries {
                    var script = honest.script
                    script.notifications[position] = HonestNotification(message, events: [])
                    let stage = try Rehearsal($0, honest.script, calls: 2)
                    _ = try await stage.succeed(.receive(position))
                    let ending = try await stage.turned(to: script).play(.receive(position))
                    try ending.requireFailure([.credential], "message \(position) with \(title)")
                }
            }
        },
        ConformanceCheck(
            "notifications-need-the-providers-keys", "a security event token is verified like an ID token",
            fix: "Verify it with TokenService.verify(securityEvent:by:) and the policy of ID tokens."
        ) { fixture in
            let messages = try fixture.receiving().filter { rehearsal, position in
                // The begin of a JSON object in base64url.
                String(decoding: rehearsal.script.notifications[position].message.body, as: UTF8.self).contains("eyJ")
            }
            guard fixture.issuer != nil, !messages.isEmpty else {
                throw Deviation.notApplicable("its messages have no token")
            }
            for (_, position) in messages {
                for forgery in IDTokenForgery.ofEvents {
                    let rehearsal = try Rehearsal(fixture, fixture.script(forging: forgery))
                    try await rehearsal.play(.receive(position))
                        .requireFailure([.credential], "message \(position), its token: \(forgery.rawValue)")
                }
            }
        },
    ]
}

extension IDTokenForgery {
    /// The forgeries that concern security event tokens as well.
    fileprivate static let ofEvents: [IDTokenForgery] = [
        .wrongAudience, .audienceInOtherCase, .longerAudience, .missingAudience, .wrongIssuer, .missingIssuer,
        .issuedInFuture, .missingIssuedAt, .noneAlgorithm, .symmetricAlgorithm, .foreignKey, .unknownKeyID,
        .embeddedKey,
        .keySetAddress, .certificateAddress, .brokenSignature, .notAToken,
    ]
}

extension ProviderFixture {
    /// Starts a rehearsal of each message.
    fileprivate func receiving() throws -> [(Rehearsal, Int)] {
        let script = script()
        guard let provider = try Rehearsal(self, script).provider as? any ProviderNotifications else {
            throw Deviation.notApplicable("receives no messages")
        }
        guard provider.acceptsNotifications else { throw Deviation.notApplicable("its options accept no messages") }
        try require(!script.notifications.isEmpty, "the fixture has no message of the provider")
        return try script.notifications.indices.map { (try Rehearsal(self, script, calls: 3), $0) }
    }
}

extension ProviderFixture {
    /// The script for a user with another subject than that of the first sign-in, whose events have other ids.
    fileprivate func scriptOfAnotherUser() -> ProviderScript? {
        let script = script()
        guard let identity = script.signIns.first?.identity, let subject = identity.subject.neighbours.first else {
            return nil
        }
        let ids = script.notifications.flatMap(\.events).map(\.id)
        return self.script(exchanging: UserExchange(of: identity, subject: subject, address: nil, tokens: ids))
    }
}

extension ProviderMessage {
    /// The message with changes that its signature does not cover.
    fileprivate var forgeries: [(title: String, message: ProviderMessage)] {
        var forgeries: [(String, ProviderMessage)] = [
            ("no body", ProviderMessage(headers: headers, body: [])),
            ("half of its body", ProviderMessage(headers: headers, body: Array(body.prefix(body.count / 2)))),
        ]
        // The last characters of base64 may have bits without a meaning.
        for part in 0..<24 {
            var changed = body
            changed[part * max(body.count - 3, 0) / 24] ^= 1
            forgeries.append(
                ("byte \(part * max(body.count - 3, 0) / 24) changed", .init(headers: headers, body: changed)))
        }
        for (position, header) in headers.enumerated() where header.name.lowercased().contains("signature") {
            var without = headers
            without.remove(at: position)
            forgeries.append(("no \(header.name)", ProviderMessage(headers: without, body: body)))
            forgeries.append(("\(header.name) twice", ProviderMessage(headers: headers + [header], body: body)))
            // Not all of the field may be signed: the signature is its longest part.
            let parts = header.value.split { !$0.isLetter && !$0.isNumber && !"+/-_".contains($0) }
            guard let signature = parts.max(by: { $0.count < $1.count }) else { continue }
            for part in 0..<8 {
                var bytes = Array(signature.utf8)
                bytes[part * (bytes.count - 3) / 8] ^= 1
                var changed = headers
                changed[position].value = header.value.replacing(
                    signature, with: String(decoding: bytes, as: UTF8.self))
                forgeries.append(("another \(header.name)", ProviderMessage(headers: changed, body: body)))
            }
        }
        return forgeries
    }
}
