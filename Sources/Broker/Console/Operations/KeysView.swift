import BrokerStore

/// The signing keys of tokens.
struct KeysView: Sendable {
    let answer: ListSigningKeys.Answer
    let buttons: OperationButtons

    var page: ConsolePage {
        let actions = [
            buttons.button(InspectTokenOperation.self, "Inspect a token"),
            buttons.button(RotateSigningKeysOperation.self, "Rotate the keys", style: .primary),
        ]
        let rows = answer.keys.map { key -> [Markup] in
            [
                .named(.code(key.keyId), "\(key.algorithm)"), "\(Self.family(key.family))", Self.light(key.state),
                key.moment,
            ]
        }
        return ConsolePage(
            title: "Signing keys", section: .keys,
            content: .head("Signing keys", .actions(actions))
                + .panel(.table(["Key", "Signs for", "State", "Time"], rows)),
            commands: [ListSigningKeys(family: nil).commandLine].compactMap(\.self))
    }

    private static func family(_ name: String) -> String {
        name == StoredSigningKey.Family.oidc.rawValue ? "OpenID Connect clients" : "Firebase SDKs"
    }

    private static func light(_ state: SigningKeySchedule.Phase) -> Markup {
        switch state {
        case .active: .state(.good, "Signs")
        case .next: .state(.neutral, "Next")
        case .retired: .state(.neutral, "Retired")
        case .ended: .state(.neutral, "Ended")
        case .revoked: .state(.bad, "Revoked")
        }
    }
}

extension SigningKeyAnswer {
    fileprivate var moment: Markup {
        switch state {
        case .next: "signs from \(Markup.moment(activatesAt))"
        case .active:
            retiresAt.map { "signs until \(Markup.moment($0))" } ?? "signs since \(Markup.moment(activatesAt))"
        case .retired, .ended: publishedUntil.map { "published until \(Markup.moment($0))" } ?? ""
        case .revoked: retiresAt.map { "revoked \(Markup.moment($0))" } ?? ""
        }
    }
}
