import BrokerStore
import ProviderKit

/// The operations that an administrator's role allows, as buttons that lead to their forms.
struct OperationButtons: Sendable {
    /// Whether the role allows an operation.
    let may: @Sendable (any AdminOperation.Type) -> Bool

    /// A button; nothing for an operation that the role does not allow.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - text: A verb with its object.
    ///   - arguments: The arguments that the page knows.
    ///   - style: `careful` where something is lost.
    ///   - spoken: What the button in a row is about, for screen readers.
    /// - Returns: The button.
    func button<Operation: AdminOperation>(
        _ operation: Operation.Type, _ text: String, _ arguments: [(String, String)] = [],
        style: FormView.Style = .quiet, spoken: String? = nil
    ) -> Markup {
        guard may(operation) else { return "" }
        return .button(OperationLink(operation, arguments).href, text, style, spoken: spoken)
    }
}

extension Markup {
    /// What stands last on the page of a thing: the way to lose it. Nothing without a button.
    static func dangerZone(_ sentence: String, _ button: Markup) -> Markup {
        button.isEmpty ? "" : .panel("Danger", "<p>\(sentence)</p>\(Markup.actions([button]))")
    }

    /// A button that sends a form without fields.
    static func sendButton(_ form: HiddenForm, _ text: String) -> Markup {
        .form(form, "<button class=\"button\" type=\"submit\">\(text)</button>")
    }

    /// Text with its id below it.
    static func named(_ name: Markup, _ second: Markup) -> Markup {
        "<p class=\"name\">\(name)</p><p class=\"soft tiny\">\(second)</p>"
    }

    /// A user, by a record as operations answer it.
    static func user(_ record: JSONObject) -> Markup {
        let id = record["localId"]?.string ?? ""
        let name = record["displayName"]?.string ?? record["email"]?.string ?? id
        return link(ConsoleLink.user(id), name)
    }
}
