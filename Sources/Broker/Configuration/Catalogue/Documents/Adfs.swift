extension ProviderCatalogue {
    static let adfs = #"""
        {
          "id": "oidc.adfs",
          "name": "AD FS",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}/adfs",
            "tokenEndpointAuthMethod": "client_secret_post",
            "scopes": ["openid", "email", "profile"],
            "claims": { "email": "/email", "screenName": "/upn" }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the federation service.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "adfs.mail.example"
            }
          ],
          "button": { "text": "Continue with Microsoft AD FS", "background": "#0067B8", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://learn.microsoft.com/windows-server/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts",
            "console": "https://learn.microsoft.com/windows-server/identity/ad-fs/overview/ad-fs-openid-connect-oauth-flows-scenarios"
          },
          "registration": [
            "Add an application group with a server application in AD FS Management.",
            "Enter the redirect URI, and generate a shared secret.",
            "Permit the scopes openid, email and profile to the client.",
            "For the address, send the claim as an outgoing claim.",
            "Never give an account name of the directory to another person, because it identifies the user."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://HOST/adfs/oauth2/authorize, the token endpoint POST https://HOST/adfs/oauth2/token.",
              "about": ["endpoints"],
              "page": "https://github.com/MicrosoftDocs/windowsserverdocs/blob/053f4cced797df7a8c21542f7975b5cfb829e182/WindowsServerDocs/identity/ad-fs/overview/ad-fs-openid-connect-oauth-flows-scenarios.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The discovery document, /userinfo and /keys are endpoints of AD FS too.",
              "about": ["endpoints"],
              "page": "https://github.com/MicrosoftDocs/windowsserverdocs/blob/093f0bfa333b4652ae55315172bb9f88e62445a8/WindowsServerDocs/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "A web application sends client_id and client_secret in the form.",
              "about": ["authentication"],
              "page": "https://github.com/MicrosoftDocs/windowsserverdocs/blob/053f4cced797df7a8c21542f7975b5cfb829e182/WindowsServerDocs/identity/ad-fs/overview/ad-fs-openid-connect-oauth-flows-scenarios.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "PKCE with S256 is supported by AD FS 2019 and later.",
              "page": "https://github.com/MicrosoftDocs/windowsserverdocs/blob/053f4cced797df7a8c21542f7975b5cfb829e182/WindowsServerDocs/identity/ad-fs/overview/ad-fs-openid-connect-oauth-flows-scenarios.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The scopes openid, email and profile are separated by spaces; allatclaims puts the claims of the access token into the ID token.",
              "about": ["scopes"],
              "page": "https://github.com/MicrosoftDocs/windowsserverdocs/blob/093f0bfa333b4652ae55315172bb9f88e62445a8/WindowsServerDocs/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Userinfo answers the subject claim alone; the ID token says who signed in.",
              "about": ["userinfo"],
              "page": "https://github.com/MicrosoftDocs/windowsserverdocs/blob/093f0bfa333b4652ae55315172bb9f88e62445a8/WindowsServerDocs/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts.md",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The issuer is https://HOST/adfs, and sub is another value for each client.",
              "page": "https://learn.microsoft.com/windows-server/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "sub is made from the account name of Windows: a name that is given to another person brings the same sub.",
              "page": "https://learn.microsoft.com/windows-server/identity/ad-fs/development/ad-fs-openid-connect-oauth-concepts",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
