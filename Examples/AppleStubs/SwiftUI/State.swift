public import Observation

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) { stored = wrappedValue }
    public init(initialValue: Value) { stored = initialValue }
    public var wrappedValue: Value {
        get { stored }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { Binding(get: { stored }, set: { _ in }) }
    private let stored: Value
}

@propertyWrapper public struct Binding<Value> {
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { self.get = get }
    public static func constant(_ value: Value) -> Binding<Value> { Binding(get: { value }, set: { _ in }) }
    public var wrappedValue: Value {
        get { get() }
        nonmutating set {}
    }
    private let get: () -> Value
}

@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public init(_ objectType: Value.Type) where Value: AnyObject, Value: Observable {}
    public var wrappedValue: Value { fatalError() }
}

public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { fatalError() }
        set {}
    }
    public var colorScheme: ColorScheme {
        get { .light }
        set {}
    }
}

public enum ColorScheme: Sendable {
    case light, dark
}
