// A plugin reads answers and options as JSON: `import ProviderKit` is all it needs.
@_exported public import StrictJSON
