import Broker
import ProviderKit
import Testing

@testable import BrokerCommand

@Suite("Indented JSON")
struct IndentedJSONTests {
    @Test(arguments: [
        "null", "true", "-1.50e3", #""a \"quoted\" \\ line\nand \u0001""#, "[]", "{}", "[1,2,3]", #"[[],{}]"#,
        #"{"a":{"b":{"c":[{"d":null},[1,[2]]]}},"e":"ü"}"#, #"{"":{"":""}}"#,
    ])
    func `it is the same document`(text: String) throws {
        let value = try JSONValue(parsing: text)

        #expect(try JSONValue(parsing: value.indented()) == value)
    }

    @Test func `objects stand on lines of their own, short lists on one`() {
        let value: JSONValue = ["name": "a", "list": [1, 2], "people": [["id": 1], ["id": 2]], "none": [:]]

        #expect(
            value.indented() == """
                {
                  "name": "a",
                  "list": [1, 2],
                  "people": [
                    {
                      "id": 1
                    },
                    {
                      "id": 2
                    }
                  ],
                  "none": {}
                }
                """)
    }
}
