/// The icons of the pages: 20 by 20, drawn by lines in the colour of the text around them.
enum PageIcon: Sendable {
    case alert, apps, check, clock, cross, download, globe, home, info, key, laptop, link, list, mail, menu, merge,
        number, outgoing, people, person, phone, plug, question, refresh, search, shield, terminal, webhook

    /// The icon as markup. It says nothing that no text beside it says.
    var svg: String {
        "<svg class=\"icon\" viewBox=\"0 0 20 20\" aria-hidden=\"true\" focusable=\"false\"><path d=\"\(path)\"/></svg>"
    }

    private static let ring = "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14z"

    private var path: String {
        switch self {
        case .alert: "M10 3.2 2.8 16.2h14.4zM10 8v3.8M10 14v.1"
        case .apps: "M3.6 3.6h5v5h-5zM11.4 3.6h5v5h-5zM3.6 11.4h5v5h-5zM11.4 11.4h5v5h-5z"
        case .check: "M4.5 10.5 8 14l7.5-8"
        case .clock: Self.ring + "M10 6.2V10l2.6 1.8"
        case .cross: "M5.4 5.4l9.2 9.2M14.6 5.4l-9.2 9.2"
        case .download: "M10 3.6v8.8M6.4 9 10 12.6 13.6 9M3.8 16.4h12.4"
        case .globe:
            Self.ring
                + "M3.2 10h13.6M10 3.2c2.4 2 3.2 4.3 3.2 6.8s-.8 4.8-3.2 6.8c-2.4-2-3.2-4.3-3.2-6.8s.8-4.8 3.2-6.8z"
        case .home: "M3.4 9.2 10 3.6l6.6 5.6v7.2h-4.2v-4.6H7.6v4.6H3.4z"
        case .info: Self.ring + "M10 9.2v4M10 6.6v.1"
        case .key: "M7 9.4a3.6 3.6 0 1 0 0 7.2 3.6 3.6 0 0 0 0-7.2zM9.6 10.4l6.2-6.2M13.2 6.8l2.2 2.2"
        case .laptop: "M4.4 4.4h11.2v8H4.4zM2.4 15.6h15.2"
        case .link:
            "M8.4 11.6a3 3 0 0 0 4.4.2l2.6-2.6a3 3 0 0 0-4.3-4.3L9.8 6.2M11.6 8.4a3 3 0 0 0-4.4-.2l-2.6 2.6a3 3 0 0 0 "
                + "4.3 4.3l1.3-1.3"
        case .list: "M7 5.2h9.6M7 10h9.6M7 14.8h9.6M3.6 5.2v.1M3.6 10v.1M3.6 14.8v.1"
        case .mail: "M3 5.2h14v9.6H3zM3.4 5.8 10 10.8l6.6-5"
        case .menu: "M3.4 5.6h13.2M3.4 10h13.2M3.4 14.4h13.2"
        case .merge: "M5.4 3.4v4c0 2.6 4.6 3 4.6 6v3.2M14.6 3.4v4c0 2.6-4.6 3-4.6 6"
        case .number: "M7.6 3.4 6 16.6M14 3.4l-1.6 13.2M3.6 7.4h13.2M3.2 12.6h13.2"
        case .outgoing: "M4.2 15.8 15.4 4.6M8 4.6h7.4V12"
        case .people:
            "M7.6 9.6a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM2.4 16c.6-2.6 2.6-4 5.2-4s4.6 1.4 5.2 4M13 4.4a2.6 2.6 0 0 1 0 "
                + "5M15 12.4c1.4.6 2.3 1.9 2.6 3.6"
        case .person: "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM3.8 16.6c.8-2.9 3.2-4.4 6.2-4.4s5.4 1.5 6.2 4.4"
        case .phone: "M6.4 2.8h7.2v14.4H6.4zM9.2 14.8h1.6"
        case .plug: "M7 3v3.6M13 3v3.6M5 6.6h10v3a5 5 0 0 1-10 0zM10 14.6v2.8"
        case .question: Self.ring + "M8 8.1c.2-1.3 1-1.9 2-1.9 1.2 0 2 .7 2 1.7 0 1.6-2 1.5-2 3.1M10 13.4v.1"
        case .refresh:
            "M16.2 8.4A6.4 6.4 0 0 0 4.6 6.6M4 3.6v3.2h3.2M3.8 11.6a6.4 6.4 0 0 0 11.6 1.8M16 16.4v-3.2h-3.2"
        case .search: "M8.8 3.4a5.4 5.4 0 1 0 0 10.8 5.4 5.4 0 0 0 0-10.8zM12.8 12.8l4 4"
        case .shield: "M10 2.8l6 2.2v4.6c0 3.8-2.4 6.4-6 7.6-3.6-1.2-6-3.8-6-7.6V5z"
        case .terminal: "M3 4.2h14v11.6H3zM6 8l2.2 2L6 12M10.4 12.2h3.4"
        case .webhook:
            "M7.4 8.6a3.2 3.2 0 1 1 4.9.3l2.2 4.1M5.6 10.6a3.2 3.2 0 1 0 3.8 4.2h4.2M14.4 16.6a2 2 0 1 0 0-3.6"
        }
    }
}
