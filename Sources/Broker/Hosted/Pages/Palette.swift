/// The colours of the pages: what is painted on what, for light and for dark surroundings.
struct Palette: Sendable {
    /// Behind the card, and the card.
    let background, card: String
    /// Text on both; `soft` is for what matters less.
    let text, soft: String
    /// Lines that only divide, and the edges of things one can use.
    let line, edge: String
    /// The main action, links and the ring around what has the focus.
    let accent, onAccent: String
    /// The colour of irreversible actions.
    let danger, onDanger: String
    /// Notices: good news, a warning, a remark.
    let good, onGood, warning, onWarning, remark, onRemark: String
    /// Filled buttons of providers whose rules name colours.
    let apple, onApple, gitHub, onGitHub: String
    /// Buttons of all others, and the square behind a letter.
    let neutral, onNeutral, letter, onLetter: String

    static let light = Palette(
        background: "#f3f4f6", card: "#ffffff", text: "#1b1f24", soft: "#535c66", line: "#dde1e6", edge: "#868e97",
        accent: "#0b57d0", onAccent: "#ffffff", danger: "#b3261e", onDanger: "#ffffff",
        good: "#e6f4ea", onGood: "#14532d", warning: "#fff3d6", onWarning: "#5c3d00", remark: "#e8f0fe",
        onRemark: "#0a3a86", apple: "#000000", onApple: "#ffffff", gitHub: "#24292f", onGitHub: "#ffffff",
        neutral: "#ffffff", onNeutral: "#1b1f24", letter: "#e4e7ec", onLetter: "#2b3138")

    static let dark = Palette(
        background: "#0f1215", card: "#1a1e23", text: "#f0f3f6", soft: "#a9b2bc", line: "#323941", edge: "#78828e",
        accent: "#a8c7fa", onAccent: "#062e6f", danger: "#f2b8b5", onDanger: "#601410",
        good: "#12301d", onGood: "#b7f0c8", warning: "#3a2c05", onWarning: "#ffdf99", remark: "#17294a",
        onRemark: "#c9dcff", apple: "#ffffff", onApple: "#000000", gitHub: "#ffffff", onGitHub: "#24292f",
        neutral: "#1a1e23", onNeutral: "#f0f3f6", letter: "#343c45", onLetter: "#f0f3f6")

    /// The colours as custom properties of the style sheet, named as here.
    var declarations: String {
        Mirror(reflecting: self).children
            .map { "--\($0.label ?? ""):\($0.value);" }.joined()
    }
}
