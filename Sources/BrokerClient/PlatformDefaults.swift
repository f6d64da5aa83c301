/// The defaults of the library.
enum PlatformDefaults {
    static var storage: any SessionStorage {
        #if canImport(Security)
            KeychainSessionStorage()
        #else
            FileSessionStorage(appName: "broker-client")
        #endif
    }

    static var presenter: (any AuthorizationPresenter)? {
        #if canImport(AuthenticationServices)
            WebAuthenticationPresenter()
        #else
            nil
        #endif
    }
}
