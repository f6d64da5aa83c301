/// The effect of a command on stored data, which decides whether it requires confirmation.
///
/// The one table of all commands. A command whose effect cannot be undone has ``ConfirmationOptions``.
enum CommandEffect: Hashable {
    /// It reads, or writes files that did not exist.
    case reads
    /// Another call restores what was before, or adds only.
    case undoable
    /// Something is lost that no command restores.
    case irreversible
    /// The same, with this option only; without it, it is undoable.
    case irreversibleWith(String)
    /// It has `--yes` too, and asks where its arguments or the stored data are a reason to.
    case asksWithReason

    /// By the words that call the command.
    static let table: [String: CommandEffect] = [
        "serve": .undoable, "demo": .reads, "init": .reads, "health": .reads, "doctor": .reads, "config show": .reads,
        "explain": .reads,
        "reauth": .reads, "completion": .reads, "manual": .reads, "logout": .undoable,
        "login create": .undoable, "login status": .reads, "login switch": .undoable,

        "providers list": .reads, "providers check": .reads, "providers add": .asksWithReason,
        "providers update": .undoable, "providers enable": .undoable, "providers disable": .undoable,
        "providers resume-probes": .undoable, "providers remove": .irreversible,

        "apple key show": .reads, "apple key import": .irreversibleWith("--replace"),
        "apple client-secret": .reads, "apple exchange": .reads, "apple revoke": .irreversible,
        "apple migrate prepare": .undoable, "apple migrate exchange": .undoable, "apple migrate resume": .undoable,
        "apple migrate status": .reads, "apple migrate export": .reads, "apple migrate import": .undoable,

        "users create": .undoable, "users list": .reads, "users show": .reads, "users find": .reads,
        "users update": .undoable, "users claims": .undoable, "users disable": .undoable, "users enable": .undoable,
        "users import": .undoable, "users export": .reads, "users delete": .irreversible,

        "sessions list": .reads, "sessions revoke": .irreversibleWith("--all"),
        "link": .asksWithReason, "unlink": .irreversible,

        "clients add": .undoable, "clients list": .reads, "clients show": .reads, "clients update": .undoable,
        "clients plist": .reads, "clients rotate": .irreversibleWith("--now"), "clients remove": .irreversible,

        "admin token create": .undoable, "admin token list": .reads, "admin token revoke": .irreversible,
        "admin service-account create": .undoable, "admin service-account list": .reads,
        "admin service-account rotate-key": .irreversibleWith("--overlap"),
        "admin service-account revoke": .irreversible,

        "withdrawals create": .irreversible, "withdrawals list": .reads, "withdrawals show": .reads,
        "withdrawals retry": .undoable, "withdrawals drop": .irreversible,

        "webhooks add": .undoable, "webhooks list": .reads, "webhooks enable": .undoable,
        "webhooks disable": .undoable, "webhooks test": .reads,
        "webhooks rotate-secret": .irreversibleWith("--now"), "webhooks remove": .irreversible,

        "events list": .reads, "events follow": .reads, "events tail": .reads,
        "events replay": .undoable, "events drop": .irreversible,

        "keys list": .reads, "keys rotate": .irreversibleWith("--revoke"),
        "vault status": .reads, "vault verify": .reads, "vault rotate": .irreversibleWith("--compromised"),
        "token inspect": .reads,

        // An undo of a merge ends after 30 days, and each decision is about two users.
        "merges list": .reads, "merges show": .reads, "merges approve": .irreversible,
        "merges dismiss": .irreversible, "merges undo": .irreversible,

        "audit list": .reads, "audit follow": .reads, "audit verify": .reads,
        "store verify": .reads, "store backup": .reads, "store copy": .reads, "store erasures": .reads,
        "store restore": .asksWithReason,
    ]

    /// Whether the command always asks first, at least with some option.
    var asks: Bool {
        switch self {
        case .reads, .undoable, .asksWithReason: false
        case .irreversible, .irreversibleWith: true
        }
    }
}
