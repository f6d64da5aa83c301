/// What a logo may consist of.
enum SVGAllowList {
    /// The elements with the attributes that are theirs alone.
    static let elements: [String: [String: SVGValue]] = [
        "svg": [
            "viewBox": .numbers, "width": .numbers, "height": .numbers, "x": .numbers, "y": .numbers,
            "preserveAspectRatio": .keyword,
        ],
        "g": [:], "defs": [:],
        "symbol": ["viewBox": .numbers, "preserveAspectRatio": .keyword],
        "use": ["x": .numbers, "y": .numbers, "width": .numbers, "height": .numbers, "href": .link],
        "path": ["d": .path],
        "rect": [
            "x": .numbers, "y": .numbers, "width": .numbers, "height": .numbers, "rx": .numbers, "ry": .numbers,
        ],
        "circle": ["cx": .numbers, "cy": .numbers, "r": .numbers],
        "ellipse": ["cx": .numbers, "cy": .numbers, "rx": .numbers, "ry": .numbers],
        "line": ["x1": .numbers, "y1": .numbers, "x2": .numbers, "y2": .numbers],
        "polyline": ["points": .numbers], "polygon": ["points": .numbers],
        "linearGradient": gradient(["x1": .numbers, "y1": .numbers, "x2": .numbers, "y2": .numbers]),
        "radialGradient": gradient([
            "cx": .numbers, "cy": .numbers, "r": .numbers, "fx": .numbers, "fy": .numbers, "fr": .numbers,
        ]),
        "stop": ["offset": .numbers],
        "clipPath": ["clipPathUnits": .keyword],
        "mask": [
            "x": .numbers, "y": .numbers, "width": .numbers, "height": .numbers, "maskUnits": .keyword,
            "maskContentUnits": .keyword,
        ],
        "text": text, "tspan": text,
    ]

    private static func gradient(_ own: [String: SVGValue]) -> [String: SVGValue] {
        var attributes = own
        for name in ["gradientUnits", "spreadMethod"] { attributes[name] = .keyword }
        (attributes["gradientTransform"], attributes["href"]) = (.transform, .link)
        return attributes
    }

    private static let text: [String: SVGValue] = [
        "x": .numbers, "y": .numbers, "dx": .numbers, "dy": .numbers,
    ]

    /// The elements that may have text.
    static let withText: Set<String> = ["text", "tspan"]

    /// The attributes of all elements, most of them also properties of a style.
    static let presentation: [String: SVGValue] = [
        "id": .name, "transform": .transform, "opacity": .numbers, "display": .keyword, "visibility": .keyword,
        "overflow": .keyword, "color": .paint, "fill": .paint, "fill-opacity": .numbers, "fill-rule": .keyword,
        "clip-path": .reference, "clip-rule": .keyword, "mask": .reference, "mask-type": .keyword, "stroke": .paint,
        "stroke-width": .numbers, "stroke-opacity": .numbers, "stroke-linecap": .keyword,
        "stroke-linejoin": .keyword, "stroke-miterlimit": .numbers, "stop-color": .paint, "stop-opacity": .numbers,
        "vector-effect": .keyword, "shape-rendering": .keyword, "text-anchor": .keyword, "text-rendering": .keyword,
        "font-family": .font, "font-size": .numbers, "font-style": .keyword, "font-weight": .keyword,
        "letter-spacing": .numbers,
    ]

    /// The attributes that change nothing in a picture.
    static let leftOut: Set<String> = [
        "xmlns", "version", "baseProfile", "class", "role", "lang", "xml:lang", "xml:space", "focusable",
        "enable-background", "style",
    ]

    /// The properties that change a picture and are not on the list: without them it would not be the same.
    static let effects: Set<String> = [
        "filter", "marker", "marker-start", "marker-mid", "marker-end", "mix-blend-mode", "stroke-dasharray",
    ]

    /// The reasons of elements that files often have, by their names without a prefix.
    static let refused: [String: String] = [
        "script": "it has a script", "handler": "it has a script", "listener": "it has a script",
        "foreignObject": "it has foreign content", "iframe": "it has foreign content",
        "a": "it has a link", "image": "it has a picture in it", "feImage": "it has a picture in it",
        "animate": animation, "animateMotion": animation, "animateTransform": animation, "animateColor": animation,
        "set": animation, "discard": animation,
        "style": "it has a style sheet: export it with presentation attributes",
        "filter": "it has a filter", "pattern": "it has a pattern", "marker": "it has markers",
        "switch": "it has alternatives (<switch>): export it without the data of the drawing program",
    ]

    private static let animation = "it has an animation"
}

/// The values that an attribute may have. None of them can name anything outside of the file.
enum SVGValue: Sendable {
    /// Numbers, with units.
    case numbers
    case keyword
    case path
    case transform
    /// A colour, or a gradient of the file.
    case paint
    /// Something in the file, as `url(#name)`, or `none`.
    case reference
    /// Something in the file, as `#name`.
    case link
    case name
    case font

    /// Whether an attribute may have a value.
    func allows(_ value: String) -> Bool { written(value) != nil }

    /// The value as it is written; nil for one that is not allowed.
    func written(_ value: String) -> String? {
        switch self {
        case .numbers: value.wholeMatch(of: /[0-9A-Za-z+\-.,% ]+/).map { _ in value }
        case .keyword: value.wholeMatch(of: /[0-9A-Za-z\-. ]+/).map { _ in value }
        case .path: value.wholeMatch(of: /[MmZzLlHhVvCcSsQqTtAaEe0-9+\-., ]*/).map { _ in value }
        case .transform: value.wholeMatch(of: Self.transforms).map { _ in value }
        case .paint: Self.paint(value)
        case .reference: value == "none" ? value : Self.reference(value)
        case .link: value.wholeMatch(of: /#[A-Za-z_][0-9A-Za-z_.:\-]*/).map { _ in value }
        case .name: value.wholeMatch(of: /[A-Za-z_][0-9A-Za-z_.:\-]*/).map { _ in value }
        case .font: value.wholeMatch(of: /[0-9A-Za-z_\-.,%#'" ]+/).map { _ in value }
        }
    }

    private static var transforms: Regex<Substring> {
        /[ ,]*(?:(?:matrix|translate|scale|rotate|skewX|skewY) *\([0-9Ee+\-., ]*\)[ ,]*)*|none/
    }

    private static func paint(_ value: String) -> String? {
        if value.wholeMatch(of: /[A-Za-z]+|#[0-9A-Fa-f]{3,8}|(?:rgb|hsl)a?\([0-9.,% \/]*\)/) != nil { return value }
        // What stands after a reference counts where there is no such paint; here there always is.
        return value.wholeMatch(of: /(url\([^)]*\))(?: +[A-Za-z0-9#]+)?/).flatMap { reference(String($0.1)) }
    }

    /// `url(#name)`, without the quotation marks that some programs write.
    private static func reference(_ value: String) -> String? {
        guard let match = value.wholeMatch(of: /url\( *(["']?)#([A-Za-z_][0-9A-Za-z_.:\-]*)\1 *\)/) else { return nil }
        return "url(#\(match.2))"
    }
}
