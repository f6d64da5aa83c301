// Plugins read responses and options as JSON: `import ProviderKit` includes StrictJSON.
@_exported public import StrictJSON
