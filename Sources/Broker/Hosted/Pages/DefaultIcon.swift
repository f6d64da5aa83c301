/// The icon in the browser's tab of a site that has none of its own: a keyhole, in neither light's nor dark's colour.
enum DefaultIcon {
    static let path = "/favicon.ico"

    private static let svg = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#5a626d"/>\
        <path fill="#fff" d="M16 8a5 5 0 0 0-2.6 9.3L12.2 24h7.6l-1.2-6.7A5 5 0 0 0 16 8z"/></svg>
        """

    static let document = PublicDocument(picture: Array(svg.utf8), "image/svg+xml", lifetime: 86_400)
}
