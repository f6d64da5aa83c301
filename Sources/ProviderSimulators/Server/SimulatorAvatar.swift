import HTTPTypes

/// A drawn picture of somebody: the initial on a colour that goes with the identifier.
struct SimulatorAvatar {
    let name: String
    /// Anything that tells people apart.
    let seed: Int64

    var response: SimulatorResponse {
        let image: HTML = """
            <svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
            <rect width="96" height="96" fill="hsl(\(abs(seed % 360)) 45% 38%)"/>
            <text x="48" y="64" font-family="system-ui,sans-serif" font-size="48" fill="#fff" text-anchor="middle">\
            \(name.prefix(1).uppercased())</text></svg>
            """
        var response = SimulatorResponse(status: 200, contentType: "image/svg+xml", body: Array(image.markup.utf8))
        response.headers[.contentSecurityPolicy] = "default-src 'none'"
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}
