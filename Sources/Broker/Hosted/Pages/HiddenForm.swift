/// A form that says nothing but what its hidden fields carry; always sent by POST.
struct HiddenForm: Sendable {
    /// The path it is sent to.
    let action: PageLink
    let fields: [Field]

    struct Field: Sendable {
        let name: String
        let value: String
    }

    init(action: String, fields: [(name: String, value: String)]) {
        self.action = PageLink(action)
        self.fields = fields.map { Field(name: $0.name, value: $0.value) }
    }
}
