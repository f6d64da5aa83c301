// Handlers read claims as JSON: `import BrokerAuthMiddleware` includes StrictJSON.
@_exported public import StrictJSON
