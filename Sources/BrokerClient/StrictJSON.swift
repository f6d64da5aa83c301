// Apps read claims as JSON: `import BrokerClient` includes StrictJSON.
@_exported public import StrictJSON
