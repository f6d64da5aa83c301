import ProviderKit

extension ValuePlace {
    func error(_ problem: String, fix: String? = nil) -> ConfigurationError {
        ConfigurationError(source, at: pointer, problem, fix: fix)
    }
}

extension DeclaredObject {
    /// Reads a configuration file: an unknown name anywhere in it is refused, absent keys get their initial values.
    ///
    /// - Parameters:
    ///   - document: The object.
    ///   - root: Takes the values.
    ///   - place: The object's place.
    ///   - environment: The variables.
    /// - Throws: ``ConfigurationError`` naming the place, the nearest valid name and a fix.
    func readFile(
        _ document: JSONValue, into root: inout Root, at place: ValuePlace, environment: [String: String] = [:]
    ) throws(ConfigurationError) {
        do {
            try read(document, into: &root, at: place, environment: environment)
        } catch let error as ConfigurationError {
            throw error
        } catch let error as JSONDecodingError {
            throw ConfigurationError(place.source, error)
        } catch let error as VariableError {
            throw ConfigurationError(error.variable, error.error)
        } catch {
            throw place.error("cannot be read.")
        }
    }
}
