/// The host of a registered URL: only what every reader takes for the same host.
///
/// Browsers read `127.1`, `0x7f.1` and `2130706433` as addresses, map look-alike letters, and decode escapes; another
/// reader may not (security: parser differentials). So names are plain lower case and addresses are written in full.
enum HostName {
    /// The reason a host is refused; `nil` if it is fine.
    static func refusal(of host: String) -> String? {
        let bytes = Array(host.utf8)
        guard !bytes.isEmpty else { return "it names no host" }
        guard bytes.count <= 253 else { return "its host is longer than 253 characters" }
        if bytes.contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) {
            return "its host is not in lower case"
        }
        if bytes.first == UInt8(ascii: "[") { return isIPv6(host) ? nil : "its host is no IPv6 address" }
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        for label in labels {
            if let refusal = refusal(ofLabel: label) { return refusal }
        }
        guard let last = labels.last, looksLikeNumber(last) else { return nil }
        return isIPv4(labels) ? nil : "its host is no IPv4 address in full, such as 192.0.2.1"
    }

    private static func refusal(ofLabel label: ArraySlice<UInt8>) -> String? {
        guard !label.isEmpty else { return "its host has an empty part" }
        let isPlain = label.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || URIParts.isDigit($0) || $0 == UInt8(ascii: "-")
        }
        guard isPlain else { return "its host has characters other than a-z, 0-9, hyphen and dot" }
        guard label.count <= 63, label.first != UInt8(ascii: "-"), label.last != UInt8(ascii: "-") else {
            return "a part of its host is longer than 63 characters, or begins or ends with a hyphen"
        }
        return nil
    }

    /// Whether browsers read the last label as a number, and so the host as an address (WHATWG URL, "ends in a number").
    private static func looksLikeNumber(_ label: ArraySlice<UInt8>) -> Bool {
        label.allSatisfy(URIParts.isDigit) || label.starts(with: "0x".utf8)
    }

    private static func isIPv4(_ labels: [ArraySlice<UInt8>]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                (1...3).contains(label.count) && label.allSatisfy(URIParts.isDigit)
                    && (label.count == 1 || label.first != UInt8(ascii: "0"))
                    && UInt8(String(decoding: label, as: UTF8.self)) != nil
            }
    }

    private static func isIPv6(_ host: String) -> Bool {
        let inner = host.dropFirst().dropLast()
        let isPlain = inner.utf8.allSatisfy {
            URIParts.isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) || $0 == UInt8(ascii: ":")
        }
        return host.utf8.last == UInt8(ascii: "]") && isPlain && IPAddressBytes(String(inner)) != nil
    }
}
