public import ProviderKit
import Synchronization

// What mutated plugins call. Every call has the number of its mutant, of which at most one is active.

/// The active mutant, and what a run reached.
public enum Mutation {
    private static let state = Mutex((active: 0, reached: Set<Int>(), memory: [Int: any Sendable]()))

    /// The number of the active mutant; 0 for none.
    public static var active: Int {
        get { state.withLock { $0.active } }
        set { state.withLock { $0 = (newValue, [], [:]) } }
    }

    /// The mutants whose place was reached since ``active`` was set.
    public static var reached: Set<Int> { state.withLock { $0.reached } }

    /// Forgets what mutants remember: a new instance of a plugin has no memory.
    public static func forget() { state.withLock { $0.memory = [:] } }

    static func isActive(_ number: Int) -> Bool {
        state.withLock { state in
            if state.active == 0 { state.reached.insert(number) }
            return state.active == number
        }
    }

    static func remembered<Value>(_ number: Int, _ value: Value) -> Value {
        guard isActive(number) else { return value }
        let box = Box(value)
        let first = state.withLock { state -> any Sendable in
            let first = state.memory[number] ?? box
            state.memory[number] = first
            return first
        }
        return (first as? Box<Value>)?.value ?? value
    }

    /// Mutants remember values of any type, and hand them to the calls that come later.
    private final class Box<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }
}

/// The opposite of a condition.
public func mutantFlip(_ number: Int, _ value: Bool) -> Bool { Mutation.isActive(number) ? !value : value }

/// No condition; `all` drops every one of its function.
public func mutantDrop(_ number: Int, _ all: Int, _ value: Bool) -> Bool {
    let isOne = Mutation.isActive(number)
    return Mutation.isActive(all) || isOne || value
}

/// Whether a statement is skipped.
public func mutantSkip(_ number: Int) -> Bool { Mutation.isActive(number) }

/// The value of the first call in every call.
public func mutantRemembered<Value>(_ number: Int, _ value: Value) -> Value { Mutation.remembered(number, value) }

/// Success, whatever the status is.
public func mutantStatus(_ number: Int, _ status: Int) -> Int { Mutation.isActive(number) ? 200 : status }

/// A comparison without case, or of the begin alone.
public func mutantAlike(
    _ anyCase: Int, _ prefix: Int, _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
) -> Bool {
    let (left, right) = (Array(left), Array(right))
    let isAnyCase = Mutation.isActive(anyCase)
    if Mutation.isActive(prefix) { return left.starts(with: right) || right.starts(with: left) }
    if isAnyCase {
        func folded(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }
        return folded(left) == folded(right)
    }
    return left == right
}

/// The other one of two arguments.
public func mutantSwap<Value>(_ number: Int, _ value: Value, _ other: Value) -> Value {
    Mutation.isActive(number) ? other : value
}

/// Two arguments that cannot be swapped.
@available(*, unavailable, message: "no mutant")
public func mutantSwap<Value, Other>(_ number: Int, _ value: Value, _ other: Other) -> Value { value }

public func mutantWithout(_ number: Int, _ value: String) -> String { Mutation.isActive(number) ? "" : value }
public func mutantWithout(_ number: Int, _ value: JSONObject) -> JSONObject { Mutation.isActive(number) ? [:] : value }
public func mutantWithout(_ number: Int, _ value: JSONValue) -> JSONValue { Mutation.isActive(number) ? .null : value }
public func mutantWithout(_ number: Int, _ value: Secret) -> Secret { Mutation.isActive(number) ? Secret("") : value }

public func mutantWithout(_ number: Int, _ value: NonceExpectation) -> NonceExpectation {
    Mutation.isActive(number) ? .unchecked : value
}

public func mutantWithout<Value>(_ number: Int, _ value: Value?) -> Value? { Mutation.isActive(number) ? nil : value }
public func mutantWithout<Value>(_ number: Int, _ value: [Value]) -> [Value] { Mutation.isActive(number) ? [] : value }

public func mutantWithout<Value>(_ number: Int, _ value: Set<Value>) -> Set<Value> {
    Mutation.isActive(number) ? [] : value
}

public func mutantWithout<Key, Value>(_ number: Int, _ value: [Key: Value]) -> [Key: Value] {
    Mutation.isActive(number) ? [:] : value
}

/// An argument of a type that has no empty value.
@available(*, unavailable, message: "no mutant")
public func mutantWithout<Value>(_ number: Int, _ value: Value) -> Value { value }
