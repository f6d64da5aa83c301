import StrictJSON
import Testing

@Suite("A misspelt option is refused with what was meant")
struct JSONUnknownNameTests {
    struct File: Decodable {
        struct Entry: Decodable {
            struct Options: Decodable { let clientId: String, scopes: [String]?, apiUrl: String? }
            let id: String, enabled: Bool?, options: Options
        }
        let providers: [Entry]
        let labels: [String: Int]?
        let anything: JSONValue?
        let nothing: Nothing?
    }

    struct Nothing: Decodable {}

    static func error(_ text: String) -> JSONDecodingError? {
        #expect(throws: JSONDecodingError.self) {
            try JSONValue.decode(File.self, parsing: text.utf8, unknownNames: .refused)
        }
    }

    @Test(arguments: [
        (#"{"id":"x","options":{"clientId":"c","scope":[]}}"#, "/options/scope", "scopes"),
        (#"{"id":"x","options":{"clientId":"c","SCOPES":[]}}"#, "/options/SCOPES", "scopes"),
        (#"{"id":"x","options":{"clientId":"c","api_url":""}}"#, "/options/api_url", "apiUrl"),
        (#"{"id":"x","options":{"clientID":"c"}}"#, "/options/clientID", "clientId"),
        (#"{"id":"x","options":{"clinetId":"c"}}"#, "/options/clinetId", "clientId"),
        (#"{"id":"x","enable":true,"options":{"clientId":"c"}}"#, "/enable", "enabled"),
    ])
    func `the nearest valid name is proposed`(entry: String, path: String, nearest: String) {
        let error = Self.error("{\"providers\":[\(entry)]}")

        #expect(error?.path == "/providers/0" + path)
        #expect(error?.kind == .unknownName(nearest: nearest))
    }

    @Test func `nothing is proposed when nothing is near`() {
        let error = Self.error(#"{"providers":[],"colour":1}"#)

        #expect(error == JSONDecodingError(path: "/colour", kind: .unknownName(nearest: nil)))
        #expect(error?.description == "/colour: unknown name")
    }

    @Test func `a missing name without a similar one is missing`() {
        let error = Self.error(#"{"providers":[{"id":"x","options":{"secret":"c"}}]}"#)

        #expect(error == JSONDecodingError(path: "/providers/0/options/clientId", kind: .missing))
    }

    @Test func `a type without members accepts none`() {
        #expect(Self.error(#"{"providers":[],"nothing":{"x":1}}"#)?.path == "/nothing/x")
    }

    @Test func `dictionaries and raw values accept every name`() throws {
        let text = #"{"providers":[],"labels":{"a":1,"b":2},"anything":{"x":{"y":[{"z":1}]}},"nothing":{}}"#

        let file = try JSONValue.decode(File.self, parsing: text.utf8, unknownNames: .refused)

        #expect(file.labels == ["a": 1, "b": 2])
        #expect(file.anything?["x"]?["y"] == [["z": 1]])
    }

    @Test func `other documents may have unknown names`() throws {
        let text = #"{"providers":[{"id":"x","options":{"clientId":"c","new":1}}],"more":{"x":[1]}}"#

        let file = try JSONValue.decode(File.self, parsing: text.utf8)

        #expect(file.providers.first?.options.clientId == "c")
    }

    @Test func `a name from outside is shown harmlessly`() {
        let name = String(repeating: "n", count: 1000)

        #expect(Self.error("{\"providers\":[],\"a\\u001b[31m/~\":1}")?.path == "/a\u{FFFD}[31m~1~0")
        #expect(Self.error("{\"providers\":[],\"\(name)\":1}")?.path == "/" + name.prefix(64) + "…")
    }
}
