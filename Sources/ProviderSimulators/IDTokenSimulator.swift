public import ProviderKit
public import ProviderKitTesting

/// A simulator that issues ID tokens (OpenID Connect Core §2): honest ones, or forged ones for tests.
public protocol IDTokenSimulator: Simulator {}

extension IDTokenSimulator {
    /// The defect of the ID tokens made from now on; `nil` for honest ones.
    public var forgery: IDTokenForgery? {
        get { mint.forgery }
        nonmutating set { mint.forgery = newValue }
    }

    /// Gives the ID tokens made from now on this claim, or removes it from them when `value` is `nil`.
    public func replaceClaim(_ name: String, with value: JSONValue?) {
        mint.replaceClaim(name, with: value)
    }

    /// The signing keys: to rotate, or to publish decoys beside them.
    public var keys: IssuerKeys { mint.keys }

    private var mint: IDTokenMint { core.read { $0.memory.mint } }
}
