/// The question before something is lost, with what is about to be done.
struct ConfirmationView: Sendable {
    let form: OperationForm
    let contents: FormContents
    /// The operation's own question; nil where it has none.
    let question: OperationQuestion?
    /// Carries everything that was typed.
    let hidden: HiddenForm
    let leave: String

    var markup: Markup {
        let lines = question?.text.description.split(separator: "\n").map(String.init) ?? [form.declaration.summary]
        let sentences = lines + (lines.contains { $0.contains("cannot be undone") } ? [] : ["This cannot be undone."])
        let text = sentences.map { "<p class=\"question\">\($0)</p>" as Markup }.joined()
        let buttons: Markup = """
            <div class="actions"><button class="button danger" type="submit" name="\(FormContents.confirmedName)" \
            value="\(FormField.yes)">\(form.declaration.heading)</button>\(.button(leave, "Cancel"))</div>
            """
        return .head("\(form.declaration.heading)?") + .panel(text + facts + .form(hidden, buttons))
    }

    private var facts: Markup {
        let rows = form.fields.filter { $0.control != .secret && !$0.typed(contents.value).isEmpty }.map { field in
            (name: field.label, value: "\(field.typed(contents.value))" as Markup)
        }
        let reason = contents.value(ConsoleVisit.reasonField).map { [(name: "Reason", value: "\($0)" as Markup)] } ?? []
        return .facts(rows + reason)
    }
}
