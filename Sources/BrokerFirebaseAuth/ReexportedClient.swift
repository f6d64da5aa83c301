// The configuration is BrokerClient's: `import BrokerFirebaseAuth` is the one import.
@_exported public import BrokerClient
