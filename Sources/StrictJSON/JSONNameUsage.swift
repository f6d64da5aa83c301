/// The names that were decoded from a document, to find the unknown ones.
///
/// Each place in the document has one instance, which all decoders of that place share.
final class JSONNameUsage {
    /// The requested names, present or not: the valid names.
    private(set) var asked: [String] = []
    private var askedNames: Set<ExactName> = []
    private var children: [ExactName: JSONNameUsage] = [:]
    /// The type accepts all names, like a dictionary.
    var takesEveryName = false
    /// The type accepts the whole value, such as a ``JSONValue``.
    var takesEverything = false

    func ask(_ name: String) {
        if askedNames.insert(ExactName(name)).inserted { asked.append(name) }
    }

    /// The usage inside the member `name`, or the element at that position.
    func child(_ name: String) -> JSONNameUsage {
        if let child = children[ExactName(name)] { return child }
        let child = JSONNameUsage()
        children[ExactName(name)] = child
        return child
    }

    func isUnknown(_ name: String) -> Bool { !takesEveryName && !askedNames.contains(ExactName(name)) }

    /// The first member of `value` that was not requested, in the order of the document.
    func firstUnknownName(in value: JSONValue, at path: JSONDecodingPath) -> JSONDecodingError? {
        if takesEverything { return nil }
        switch value {
        case .object(let object): return firstUnknownName(in: object, at: path)
        case .array(let elements): return firstUnknownName(in: elements, at: path)
        default: return nil
        }
    }

    private func firstUnknownName(in object: JSONObject, at path: JSONDecodingPath) -> JSONDecodingError? {
        for (name, value) in object {
            let place = JSONDecodingPath.member(name, of: path)
            if isUnknown(name) {
                let nearest = NearestName.nearest(to: name, among: asked)
                return JSONDecodingError(path: place.pointer, kind: .unknownName(nearest: nearest))
            }
            if let error = child(name).firstUnknownName(in: value, at: place) { return error }
        }
        return nil
    }

    private func firstUnknownName(in elements: [JSONValue], at path: JSONDecodingPath) -> JSONDecodingError? {
        for (position, element) in elements.enumerated() {
            let error = child(String(position)).firstUnknownName(in: element, at: .element(position, of: path))
            if let error { return error }
        }
        return nil
    }
}
