/// A provider's sign beside its name: the mark its brand rules ask for, or the first letter of its name.
struct ProviderMark: Sendable {
    /// The class the style sheet paints the button by.
    let style: String
    /// Markup of ours, or `nil` for the letter.
    let drawing: String?
    /// The first letter of the name.
    let letter: String

    /// The mark of a kind: `github`, `gitlab`, `apple`, `1pass`; every other is neutral.
    init(kind: String, name: String) {
        letter = name.first.map { String($0).uppercased() } ?? "?"
        (style, drawing) =
            switch kind {
            case "apple": ("apple", Self.apple)
            case "github": ("github", Self.gitHub)
            case "gitlab": ("gitlab", Self.gitLab)
            case "1pass": ("onepass", Self.onePass)
            default: ("neutral", nil)
            }
    }

    private static func svg(_ viewBox: String, _ content: String) -> String {
        "<svg viewBox=\"\(viewBox)\" width=\"24\" height=\"24\" aria-hidden=\"true\" focusable=\"false\">\(content)</svg>"
    }

    private static func path(_ drawing: String, fill: String = "currentColor") -> String {
        "<path fill=\"\(fill)\" d=\"\(drawing)\"/>"
    }

    private static let apple = svg(
        "0 0 24 24",
        path(
            """
            M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 \
            12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 \
            1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857\
            -.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 \
            3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 \
            1.338.104 2.715-.688 3.559-1.701
            """))

    private static let gitHub = svg(
        "0 0 16 16",
        path(
            """
            M8 0c4.42 0 8 3.58 8 8a8.013 8.013 0 0 1-5.45 7.59c-.4.08-.55-.17-.55-.38 0-.27.01-1.13.01-2.2 \
            0-.75-.25-1.23-.54-1.48 1.78-.2 3.65-.88 3.65-3.95 0-.88-.31-1.59-.82-2.15.08-.2.36-1.02-.08-2.12 0 \
            0-.67-.22-2.2.82-.64-.18-1.32-.27-2-.27-.68 0-1.36.09-2 .27-1.53-1.03-2.2-.82-2.2-.82-.44 1.1-.16 \
            1.92-.08 2.12-.51.56-.82 1.28-.82 2.15 0 3.06 1.86 3.75 3.64 3.95-.23.2-.44.55-.51 1.07-.46.21-1.61.55\
            -2.33-.66-.15-.24-.6-.83-1.23-.82-.67.01-.27.38.01.53.34.19.73.9.82 1.13.16.45.68 1.31 2.69.94 0 \
            .67.01 1.3.01 1.49 0 .21-.15.45-.55.38A7.995 7.995 0 0 1 0 8c0-4.42 3.58-8 8-8Z
            """))

    private static let gitLab = svg(
        "0 0 25 24",
        path(
            """
            m24.507 9.5-.034-.09L21.082.562a.896.896 0 0 0-1.694.091l-2.29 7.01H7.825L5.535.653a.898.898 0 0 0\
            -1.694-.09L.451 9.411.416 9.5a6.297 6.297 0 0 0 2.09 7.278l.012.01.03.022 5.16 3.867 2.56 1.935 1.554 \
            1.176a1.051 1.051 0 0 0 1.268 0l1.555-1.176 2.56-1.935 5.197-3.89.014-.01A6.297 6.297 0 0 0 24.507 9.5Z
            """, fill: "#E24329")
            + path(
                """
                m24.507 9.5-.034-.09a11.44 11.44 0 0 0-4.56 2.051l-7.447 5.632 4.742 3.584 5.197-3.89.014-.01A6.297 \
                6.297 0 0 0 24.507 9.5Z
                """, fill: "#FC6D26")
            + path(
                """
                m7.707 20.677 2.56 1.935 1.555 1.176a1.051 1.051 0 0 0 1.268 0l1.555-1.176 2.56-1.935-4.743-3.584\
                -4.755 3.584Z
                """, fill: "#FCA326")
            + path(
                """
                M5.01 11.461a11.43 11.43 0 0 0-4.56-2.05L.416 9.5a6.297 6.297 0 0 0 2.09 7.278l.012.01.03.022 5.16 \
                3.867 4.745-3.584-7.444-5.632Z
                """, fill: "#FC6D26"))

    /// A key whose bow holds a 1: our own drawing, as the service publishes no rules for a mark of its.
    private static let onePass = svg(
        "0 0 24 24",
        "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\" "
            + "stroke-linejoin=\"round\" d=\"M15.5 12a7 7 0 1 1-14 0 7 7 0 0 1 14 0Zm0 0h7m-2.5 0v4"
            + "M7 10l2-1.75v7.5\"/>")
}
