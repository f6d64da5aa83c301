extension ProviderCatalogue {
    static let notion = #"""
        {
          "id": "oauth2.notion",
          "name": "Notion",
          "use": "oauth2",
          "options": {
            "authorizationUrl": "https://api.notion.com/v1/oauth/authorize",
            "tokenUrl": "https://api.notion.com/v1/oauth/token",
            "userinfoUrl": "https://api.notion.com/v1/users/me",
            "tokenEndpointAuthMethod": "client_secret_basic",
            "pkce": false,
            "tokenRequest": { "format": "json" },
            "authorizationParameters": { "owner": "user" },
            "userinfoHeaders": { "Notion-Version": "2021-08-16" },
            "requiredClaims": { "/bot/owner/type": "user" },
            "claims": {
              "subject": "/bot/owner/user/id",
              "email": "/bot/owner/user/person/email",
              "displayName": "/bot/owner/user/name",
              "pictureUrl": "/bot/owner/user/avatar_url"
            }
          },
          "button": { "text": "Continue with Notion", "background": "#191919", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://developers.notion.com/docs/authorization",
            "console": "https://app.notion.com/developers/connections",
            "brand": "https://www.notion.com/media-kit"
          },
          "registration": [
            "Create a public connection in the developer portal.",
            "Enter the redirect URI.",
            "Under Capabilities, choose to read user information with email addresses.",
            "Users have to choose at least one page when they sign in."
          ],
          "facts": [
            {
              "fact": "The authorization endpoint is https://api.notion.com/v1/oauth/authorize with client_id, redirect_uri, response_type=code and owner=user.",
              "about": ["endpoints"],
              "page": "https://developers.notion.com/docs/authorization",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint is POST https://api.notion.com/v1/oauth/token with a JSON body of grant_type, code and redirect_uri.",
              "about": ["endpoints"],
              "page": "https://developers.notion.com/docs/authorization",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The client authenticates with HTTP Basic.",
              "about": ["authentication"],
              "page": "https://developers.notion.com/docs/authorization",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "There are no scopes: capabilities are chosen at the connection, and the user chooses pages.",
              "about": ["scopes"],
              "page": "https://developers.notion.com/docs/authorization",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token answer has access_token, refresh_token, bot_id, owner, workspace_id and workspace_name.",
              "page": "https://developers.notion.com/docs/authorization",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "GET https://api.notion.com/v1/users/me with a bearer token and the header Notion-Version answers the bot; bot.owner.user is the user who authorized it, with id, name, avatar_url and person.email.",
              "about": ["endpoints", "userinfo"],
              "page": "https://developers.notion.com/changelog/retrieve-information-about-your-token",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "id is a UUID; name and avatar_url may be null; the header Notion-Version is required.",
              "about": ["userinfo"],
              "page": "https://developers.notion.com/reference/get-self",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "Nothing says that the address is verified; the address needs the capability to read user information with addresses.",
              "page": "https://developers.notion.com/reference/get-self",
              "read": "2026-11-26",
              "verified": "documentation"
            }
          ]
        }
        """#
}
