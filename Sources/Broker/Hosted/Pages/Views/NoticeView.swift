/// A remark above the rest of a page. Colour, sign and role say the same thing.
struct NoticeView: Sendable {
    let tone, sign, role, text: String

    static func good(_ text: String) -> NoticeView { .init(tone: "good", sign: "✓", role: "status", text: text) }
    static func remark(_ text: String) -> NoticeView { .init(tone: "remark", sign: "i", role: "status", text: text) }
    static func warning(_ text: String) -> NoticeView { .init(tone: "warning", sign: "!", role: "alert", text: text) }
}
