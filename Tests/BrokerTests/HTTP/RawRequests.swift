/// Bytes that a client may send on one connection, by what they try.
///
/// `RawRequestTests` sends each of them and compares what comes back with `RawAnswers.txt`.
enum RawRequests {
    struct Case: Sendable {
        let name: String
        let bytes: String
    }

    static let all: [(class: String, cases: [Case])] = [
        ("smuggling", smuggling), ("host", hosts), ("target", targets), ("method", methods), ("limit", limits),
        ("pipelining", pipelining), ("body", bodies), ("field", fields), ("end of connection", ends),
    ]

    /// A request that is answered 200 wherever it stands as a request of its own.
    static let health = get("/healthz")

    private static func get(_ target: String, host: String = "127.0.0.1", _ fields: String...) -> String {
        request("GET \(target) HTTP/1.1", host: host, fields)
    }

    private static func request(
        _ line: String, host: String? = "127.0.0.1", _ fields: [String], body: String = ""
    ) -> String {
        let all = [line] + (host.map { ["Host: \($0)"] } ?? []) + fields
        return all.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// What stands for the broker's API key.
    static let key = "KEY"

    /// A request with a body, to a route that reads it.
    private static func post(_ fields: String..., body: String = "") -> String {
        request("POST /v1/accounts:lookup?key=\(key) HTTP/1.1", ["Content-Type: application/json"] + fields, body: body)
    }

    private static func form(_ fields: String..., body: String) -> String {
        request(
            "POST /oauth/token HTTP/1.1", ["Content-Type: application/x-www-form-urlencoded"] + fields, body: body)
    }

    private static func cases(_ cases: KeyValuePairs<String, String>) -> [Case] {
        cases.map { Case(name: $0.key, bytes: $0.value) }
    }

    /// Where two readers could see different ends of a request (RFC 9112 §6.3, §11.2).
    private static let smuggling = cases([
        "Content-Length and Transfer-Encoding": post(
            "Content-Length: 4", "Transfer-Encoding: chunked", body: "0\r\n\r\n") + health,
        "Transfer-Encoding and Content-Length": post(
            "Transfer-Encoding: chunked", "Content-Length: 4", body: "0\r\n\r\n") + health,
        "a request hidden behind a short Content-Length": post("Content-Length: 2", body: "{}") + health,
        "two equal Content-Lengths": post("Content-Length: 2", "Content-Length: 2", body: "{}") + health,
        "two different Content-Lengths": post("Content-Length: 2", "Content-Length: 40", body: "{}") + health,
        "a list of equal Content-Lengths": post("Content-Length: 2, 2", body: "{}") + health,
        "a list of different Content-Lengths": post("Content-Length: 2, 40", body: "{}") + health,
        "a Content-Length with a sign": post("Content-Length: +2", body: "{}") + health,
        "a negative Content-Length": post("Content-Length: -2", body: "{}") + health,
        "a hexadecimal Content-Length": post("Content-Length: 0x2", body: "{}") + health,
        "a Content-Length with a space inside": post("Content-Length: 2 0", body: "{}") + health,
        "a Content-Length beyond 64 bits": post("Content-Length: 18446744073709551618", body: "{}") + health,
        "an empty Content-Length": post("Content-Length: ", body: "") + health,
        "a Content-Length in other digits": post("Content-Length: \u{0662}", body: "{}") + health,
        "a Content-Length with leading zeros": post("Content-Length: 0002", body: "{}") + health,
        "Transfer-Encoding twice": post(
            "Transfer-Encoding: chunked", "Transfer-Encoding: identity", body: "0\r\n\r\n") + health,
        "chunked twice": post("Transfer-Encoding: chunked, chunked", body: "0\r\n\r\n") + health,
        "chunked not last": post("Transfer-Encoding: chunked, gzip", body: "0\r\n\r\n") + health,
        "gzip, then chunked": post("Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n") + health,
        "an unknown coding": post("Transfer-Encoding: xchunked", body: "0\r\n\r\n") + health,
        "identity": post("Transfer-Encoding: identity", body: "") + health,
        "a tab before chunked": post("Transfer-Encoding:\tchunked", body: "0\r\n\r\n") + health,
        "a vertical tab before chunked": post("Transfer-Encoding: \u{B}chunked", body: "0\r\n\r\n") + health,
        "chunked in quotes": post("Transfer-Encoding: \"chunked\"", body: "0\r\n\r\n") + health,
        "chunked in capitals": post("Transfer-Encoding: CHUNKED", body: "0\r\n\r\n") + health,
        "a space before the colon": post("Transfer-Encoding : chunked", body: "0\r\n\r\n") + health,
        "a folded Transfer-Encoding": post("Transfer-Encoding:\r\n chunked", body: "0\r\n\r\n") + health,
        "a name with an underscore": post("Transfer_Encoding: chunked", "Content-Length: 2", body: "{}") + health,
        "chunked in HTTP/1.0": request(
            "POST /v1/accounts:lookup?key=\(key) HTTP/1.0", ["Transfer-Encoding: chunked"], body: "0\r\n\r\n") + health,
        "a body of a GET that is a request": request(
            "GET /healthz HTTP/1.1", ["Content-Length: \(health.utf8.count)"], body: health),
        "a chunked body of a GET that is a request": request(
            "GET /healthz HTTP/1.1", ["Transfer-Encoding: chunked"],
            body: "\(String(health.utf8.count, radix: 16))\r\n\(health)\r\n0\r\n\r\n"),
    ])

    private static let hosts = cases([
        "none": request("GET /healthz HTTP/1.1", host: nil, []),
        "none, in HTTP/1.0": request("GET /healthz HTTP/1.0", host: nil, []),
        "two equal ones": get("/v1/projects", "Host: 127.0.0.1"),
        "two different ones": get("/v1/projects", "Host: evil.example"),
        "empty": get("/v1/projects", host: ""),
        "foreign": get("/v1/projects", host: "evil.example"),
        "foreign, for a health probe": get("/healthz", host: "10.0.0.1"),
        "with the public port": get("/v1/projects", host: "127.0.0.1:9099"),
        "with another port": get("/v1/projects", host: "127.0.0.1:1"),
        "with an empty port": get("/v1/projects", host: "127.0.0.1:"),
        "with user information": get("/v1/projects", host: "evil@127.0.0.1"),
        "user information that looks like the host": get("/v1/projects", host: "127.0.0.1@evil.example"),
        "in capitals": get("/v1/projects", host: "LOCALHOST"),
        "with a dot at the end": get("/v1/projects", host: "localhost."),
        "an IPv6 address": get("/v1/projects", host: "[::1]"),
        "an IPv6 address without brackets": get("/v1/projects", host: "::1"),
        "a list": get("/v1/projects", host: "127.0.0.1, evil.example"),
        "with a space": get("/v1/projects", host: "127.0.0.1 evil.example"),
        "with a path": get("/v1/projects", host: "127.0.0.1/evil"),
        "with an escape": get("/v1/projects", host: "127.0.0.1%00.evil.example"),
        "beside X-Forwarded-Host": get("/v1/projects", "X-Forwarded-Host: evil.example"),
        "not ASCII": get("/v1/projects", host: "127.0.0.1\u{E9}"),
        "folded": "GET /v1/projects HTTP/1.1\r\nHost:\r\n 127.0.0.1\r\n\r\n",
    ])

    private static let targets = cases([
        "absolute, own": get("http://127.0.0.1/healthz"),
        "absolute, own with https": get("https://127.0.0.1/healthz"),
        "absolute, foreign": get("http://evil.example/v1/projects"),
        "absolute, foreign beside an own Host": get("http://evil.example/v1/projects", host: "127.0.0.1"),
        "absolute, own beside a foreign Host": get("http://127.0.0.1/v1/projects", host: "evil.example"),
        "absolute without a path": get("http://127.0.0.1"),
        "absolute with user information": get("http://127.0.0.1@evil.example/v1/projects"),
        "absolute, of another scheme": get("ftp://127.0.0.1/v1/projects"),
        "absolute, without a host": get("http:///v1/projects"),
        "asterisk": request("OPTIONS * HTTP/1.1", []),
        "asterisk for GET": get("*"),
        "authority": request("CONNECT 127.0.0.1:443 HTTP/1.1", []),
        "empty": "GET  HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "without a slash": get("healthz"),
        "two slashes": get("//healthz"),
        "a network path": get("//evil.example/healthz"),
        "dot segments": get("/v1/../healthz"),
        "encoded dot segments": get("/%2e%2e/%2e%2e/etc/passwd"),
        "a backslash": get("/..\\healthz"),
        "an encoded slash": get("/v1%2Fprojects"),
        "an encoded NUL": get("/healthz%00"),
        "escapes that are no UTF-8": get("/healthz%ff"),
        "an overlong escape": get("/healthz%c0%af"),
        "a cut escape": get("/healthz%2"),
        "a fragment": get("/healthz#fragment"),
        "a raw NUL": get("/healthz\u{0}"),
        "not ASCII": get("/healthz\u{E9}"),
        "a tab": get("/health\tz"),
        "a space": get("/health z"),
        "an encoded colon": request("POST /v1/accounts%3Alookup HTTP/1.1", ["Content-Length: 0"]),
        "an encoded colon in a query": get("/v1/projects?key=a%3Ab"),
        "a query without a name": get("/healthz?"),
        "only a query": get("?key=a"),
    ])

    private static let methods = cases([
        "HEAD": request("HEAD /healthz HTTP/1.1", []) + health,
        "HEAD of what is not there": request("HEAD /nothing HTTP/1.1", []) + health,
        "HEAD of a route for POST": request("HEAD /v1/accounts:lookup HTTP/1.1", []) + health,
        "OPTIONS": request("OPTIONS /v1/accounts:lookup HTTP/1.1", []),
        "a preflight": request(
            "OPTIONS /v1/accounts:lookup HTTP/1.1",
            ["Origin: https://evil.example", "Access-Control-Request-Method: POST"]),
        "PUT": request("PUT /v1/accounts:lookup HTTP/1.1", ["Content-Length: 0"]),
        "DELETE": request("DELETE /v1/accounts:lookup HTTP/1.1", []),
        "PATCH": request("PATCH /healthz HTTP/1.1", ["Content-Length: 0"]),
        "TRACE": request("TRACE /healthz HTTP/1.1", ["Cookie: secret=1"]),
        "CONNECT to a path": request("CONNECT /healthz HTTP/1.1", []),
        "a method of WebDAV": request("PROPFIND /healthz HTTP/1.1", []),
        "an unknown one": request("FOO /healthz HTTP/1.1", []),
        "in small letters": request("get /healthz HTTP/1.1", []),
        "none": " /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "with a NUL": request("GE\u{0}T /healthz HTTP/1.1", []),
        "with a colon": request("GET: /healthz HTTP/1.1", []),
        "overridden by a field": get("/healthz", "X-HTTP-Method-Override: DELETE"),
        "the preface of HTTP/2": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "an upgrade to HTTP/2": get(
            "/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"),
        "an upgrade to a WebSocket": get(
            "/healthz", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="),
        "HTTP/0.9": "GET /healthz\r\n\r\n",
        "HTTP/1.0": request("GET /healthz HTTP/1.0", []) + health,
        "HTTP/1.0 that is kept alive": request("GET /healthz HTTP/1.0", ["Connection: keep-alive"]) + health,
        "HTTP/1.2": request("GET /healthz HTTP/1.2", []),
        "HTTP/2.0": request("GET /healthz HTTP/2.0", []),
        "HTTP/11.1": request("GET /healthz HTTP/11.1", []),
        "a name of another protocol": request("GET /healthz RTSP/1.0", []),
        "a TLS record": "\u{16}\u{3}\u{1}\u{0}\u{5}hello",
    ])

    /// Whether the connection goes on after a refusal depends on how much of the body had come: nothing follows those here.
    private static let limits = cases([
        "100 fields": get("/healthz", fields(99)),
        "101 fields": get("/healthz", fields(101)),
        "1000 fields": get("/healthz", fields(1000)),
        "a value of 8 KiB": get("/healthz", "X-Long: \(text(8 << 10))"),
        "a value of 15 KiB": get("/healthz", "X-Long: \(text(15 << 10))"),
        "a value of 17 KiB": get("/healthz", "X-Long: \(text(17 << 10))"),
        "a value of 1 MiB": get("/healthz", "X-Long: \(text(1 << 20))"),
        "a name of 17 KiB": get("/healthz", "\(text(17 << 10)): a"),
        "fields of 17 KiB together": get(
            "/healthz", (0..<17).map { "X-\($0): \(text(1 << 10))" }.joined(separator: "\r\n")),
        "a target of 8 KiB": get("/healthz?\(text(8180))"),
        "a target of 9 KiB": get("/healthz?\(text(9 << 10))"),
        "a target of 17 KiB": get("/healthz?\(text(17 << 10))"),
        "a target of 1 MiB": get("/healthz?\(text(1 << 20))"),
        "a method of 17 KiB": request("\(text(17 << 10)) /healthz HTTP/1.1", []),
        "a body of 64 KiB": post("Content-Length: 65536", body: text(65_536)) + health,
        "a body of 64 KiB and one byte": post("Content-Length: 65537", body: text(65_537)),
        "a body announced as 1 TiB": post("Content-Length: 1099511627776", body: "{"),
        "a chunked body of 65 KiB": post("Transfer-Encoding: chunked", body: chunked(text(66_560))),
        "a form of 65 KiB": form("Content-Length: 66560", body: text(66_560)),
        "a thousand chunks of a byte": post(
            "Transfer-Encoding: chunked", body: String(repeating: "1\r\n \r\n", count: 1000) + "0\r\n\r\n") + health,
        "empty lines before the request": String(repeating: "\r\n", count: 100) + health,
        "many trailer fields": post(
            "Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\n\(fields(1000))\r\n\r\n") + health,
        "a trailer of 17 KiB": post(
            "Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\nX-Long: \(text(17 << 10))\r\n\r\n") + health,
        "a chunk extension of 17 KiB": post(
            "Transfer-Encoding: chunked", body: "2;\(text(17 << 10))\r\n{}\r\n0\r\n\r\n") + health,
    ])

    private static let pipelining = cases([
        "two": health + health,
        "sixteen": String(repeating: health, count: 16),
        "seventeen": String(repeating: health, count: 17),
        "thirty": String(repeating: health, count: 30),
        "a thousand": String(repeating: health, count: 1000),
        "bodies between": post("Content-Length: 2", body: "{}") + post("Content-Length: 2", body: "[]") + health,
        "chunked bodies between": post("Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\n\r\n") + health,
        "HEAD between": request("HEAD /healthz HTTP/1.1", []) + health + health,
        "different routes": health + get("/nothing") + get("/v1/projects") + health,
        "a refusal first": get("/v1/projects", host: "evil.example") + health,
        "a malformed request second": health + "FOO\r\n\r\n" + health,
        "a malformed request third": health + health + "GET\u{0}\r\n\r\n" + health,
        "close first": get("/healthz", "Connection: close") + health,
        "close second": health + get("/healthz", "Connection: close") + health,
        "close in capitals": get("/healthz", "Connection: CLOSE") + health,
        "close in a list": get("/healthz", "Connection: keep-alive, close") + health,
        "a body that is too large second": health + post("Content-Length: 65537", body: text(65_537)),
        "an unfinished body second": health + post("Content-Length: 9", body: "{}"),
        "an unfinished head second": health + "GET /healthz HTTP/1.1\r\nHost: 127",
        "an early refusal before a body": request(
            "POST /nothing HTTP/1.1", ["Content-Length: 70000"], body: text(70_000)),
    ])

    private static let bodies = cases([
        "none": post() + health,
        "an empty one": post("Content-Length: 0") + health,
        "an empty chunked one": post("Transfer-Encoding: chunked", body: "0\r\n\r\n") + health,
        "JSON": post("Content-Length: 2", body: "{}") + health,
        "chunked JSON": post("Transfer-Encoding: chunked", body: "1\r\n{\r\n1\r\n}\r\n0\r\n\r\n") + health,
        "with an extension": post("Transfer-Encoding: chunked", body: "2;a=b\r\n{}\r\n0\r\n\r\n") + health,
        "with a trailer": post("Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\nX-Trailer: a\r\n\r\n") + health,
        "with a trailer that is a Content-Length": post(
            "Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n") + health,
        "with a trailer that is a Host": post(
            "Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\nHost: evil.example\r\n\r\n") + health,
        "a size in capitals": post("Transfer-Encoding: chunked", body: "A\r\n{       }\r\n0\r\n\r\n") + health,
        "a size that is no number": post("Transfer-Encoding: chunked", body: "x\r\n{}\r\n0\r\n\r\n") + health,
        "a negative size": post("Transfer-Encoding: chunked", body: "-2\r\n{}\r\n0\r\n\r\n") + health,
        "a size with 0x": post("Transfer-Encoding: chunked", body: "0x2\r\n{}\r\n0\r\n\r\n") + health,
        "a size with a space": post("Transfer-Encoding: chunked", body: "2 \r\n{}\r\n0\r\n\r\n") + health,
        "a size beyond 64 bits": post("Transfer-Encoding: chunked", body: "10000000000000002\r\n{}\r\n0\r\n\r\n")
            + health,
        "an empty size": post("Transfer-Encoding: chunked", body: "\r\n{}\r\n0\r\n\r\n") + health,
        "a chunk that is longer than its size": post("Transfer-Encoding: chunked", body: "1\r\n{}\r\n0\r\n\r\n")
            + health,
        "a chunk that is shorter than its size": post("Transfer-Encoding: chunked", body: "3\r\n{}\r\n0\r\n\r\n")
            + health,
        "line feeds alone in the chunks": post("Transfer-Encoding: chunked", body: "2\n{}\n0\n\n") + health,
        "no last chunk": post("Transfer-Encoding: chunked", body: "2\r\n{}\r\n"),
        "shorter than its length": post("Content-Length: 9", body: "{}"),
        "longer than its length": post("Content-Length: 2", body: "{}garbage") + health,
        "of a GET": request("GET /healthz HTTP/1.1", ["Content-Length: 2"], body: "{}") + health,
        "of a HEAD": request("HEAD /healthz HTTP/1.1", ["Content-Length: 2"], body: "{}") + health,
        "of a route that does not exist": request("POST /nothing HTTP/1.1", ["Content-Length: 2"], body: "{}") + health,
        "that waits for 100 Continue": post("Content-Length: 2", "Expect: 100-continue", body: "{}") + health,
        "that is not sent before 100 Continue": post("Content-Length: 2", "Expect: 100-continue"),
        "with another expectation": post("Content-Length: 2", "Expect: miracles", body: "{}") + health,
        "with a coding": post("Content-Length: 2", "Content-Encoding: gzip", body: "{}") + health,
        "of bytes that are no JSON": post("Content-Length: 2", body: "\u{ff}") + health,
        "a form": form("Content-Length: 10", body: "grant_type") + health,
        "a form with NUL": form("Content-Length: 14", body: "grant_type=%00") + health,
    ])

    private static let fields = cases([
        "no colon": get("/healthz", "X-Nothing"),
        "no name": get("/healthz", ": a"),
        "no value": get("/healthz", "X-Empty:"),
        "a space before the colon": get("/healthz", "X-Space : a"),
        "a space before the name": get("/healthz", " X-Space: a"),
        "a space before the first name": "GET /healthz HTTP/1.1\r\n X-Space: a\r\nHost: 127.0.0.1\r\n\r\n",
        "a folded value": get("/healthz", "X-Folded: a\r\n b"),
        "a NUL in a value": get("/healthz", "X-Nul: a\u{0}b"),
        "a NUL in a name": get("/healthz", "X-\u{0}Nul: a"),
        "a bell in a value": get("/healthz", "X-Bell: a\u{7}b"),
        "a carriage return alone in a value": get("/healthz", "X-Return: a\rX-Other: b"),
        "a line feed alone after a value": get("/healthz", "X-Feed: a\nX-Other: b"),
        "line feeds alone": "GET /healthz HTTP/1.1\nHost: 127.0.0.1\n\n",
        "a carriage return alone after the line": "GET /healthz HTTP/1.1\rHost: 127.0.0.1\r\n\r\n",
        "a value that is not ASCII": get("/healthz", "X-Accent: \u{E9}"),
        "a name that is not ASCII": get("/healthz", "X-\u{E9}: a"),
        "a name in brackets": get("/healthz", "(X): a"),
        "a name with a slash": get("/healthz", "X/Y: a"),
        "tabs around a value": get("/healthz", "X-Tabs:\ta\t"),
        "the same name twice": get("/healthz", "X-Twice: a", "x-twice: b"),
        "two Content-Types": post("Content-Type: text/plain", "Content-Length: 2", body: "{}") + health,
        "two Authorizations": get("/oauth/userinfo", "Authorization: Bearer a", "Authorization: Bearer b"),
        "an empty Authorization": get("/oauth/userinfo", "Authorization:"),
        "a line break in X-Request-Id": get("/healthz", "X-Request-Id: a%0d%0aX-Other: b"),
        "a line break in a redirect": get("/oauth/authorize?client_id=a%0d%0aX-Other:%20b"),
        "a line break in Origin": get("/healthz", "Origin: https://a.example%0d%0aX-Other: b"),
        "two spaces after the method": "GET  /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        "a space at the end of the line": "GET /healthz HTTP/1.1 \r\nHost: 127.0.0.1\r\n\r\n",
    ])

    private static let ends = cases([
        "nothing": "",
        "an empty line": "\r\n",
        "a byte": "G",
        "half a line": "GET /heal",
        "a line": "GET /healthz HTTP/1.1\r\n",
        "a head without its end": "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n",
        "a head whose body does not come": post("Content-Length: 5"),
        "a head whose chunks do not come": post("Transfer-Encoding: chunked"),
        "half a chunk": post("Transfer-Encoding: chunked", body: "5\r\n{}"),
        "a whole request": health,
        "a whole request and half another": health + "GET /heal",
        "a whole request and an empty line": health + "\r\n",
        "a request to a route that answers without its body": request(
            "POST /nothing HTTP/1.1", ["Content-Length: 5"], body: "{"),
        "a request with a foreign Host without its body": request(
            "POST /v1/accounts:lookup HTTP/1.1", host: "evil.example", ["Content-Length: 5"], body: "{"),
        "a request with close": get("/healthz", "Connection: close"),
    ])

    private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func fields(_ count: Int) -> String {
        (0..<count).map { "X-\($0): a" }.joined(separator: "\r\n")
    }

    private static func chunked(_ body: String) -> String {
        "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
    }
}
