/// Which names of a document somebody asked for while it was decoded, to find the ones nobody did.
///
/// There is one for each place in the document, shared by everything that decodes there.
final class JSONNameUsage {
    /// The names asked for, present or not: the names that would have been valid.
    private(set) var asked: [String] = []
    private var askedNames: Set<ExactName> = []
    private var children: [ExactName: JSONNameUsage] = [:]
    /// The type takes whatever names there are, like a dictionary.
    var takesEveryName = false
    /// The type takes the value as it is, with everything inside.
    var takesEverything = false

    func ask(_ name: String) {
        if askedNames.insert(ExactName(name)).inserted { asked.append(name) }
    }

    /// The names used inside the member called `name`, or the element at that position.
    func child(_ name: String) -> JSONNameUsage {
        if let child = children[ExactName(name)] { return child }
        let child = JSONNameUsage()
        children[ExactName(name)] = child
        return child
    }

    func isUnknown(_ name: String) -> Bool { !takesEveryName && !askedNames.contains(ExactName(name)) }

    /// The first member of `value`, in the order of the document, that nobody asked for.
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
