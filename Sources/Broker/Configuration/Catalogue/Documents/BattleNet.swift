extension ProviderCatalogue {
    static let battleNet = #"""
        {
          "id": "oidc.battle-net",
          "name": "Battle.net",
          "use": "oidc",
          "options": {
            "issuer": "https://oauth.battle.net",
            "scopes": ["openid"],
            "claims": { "displayName": "/battle_tag", "screenName": "/battle_tag" }
          },
          "button": { "text": "Continue with Battle.net", "background": "#0E5FA8", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://community.developer.battle.net/documentation/guides/using-oauth/authorization-code-flow",
            "console": "https://community.developer.battle.net/access/clients"
          },
          "registration": [
            "Create a client in the Battle.net developer portal.",
            "Enter the redirect URL.",
            "Copy the client ID and the client secret."
          ],
          "facts": [
            {
              "fact": "The issuer is https://oauth.battle.net; its endpoints are /authorize, /token and /userinfo.",
              "about": ["endpoints"],
              "page": "https://community.developer.battle.net/documentation/guides/using-oauth/authorization-code-flow",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "The token endpoint takes client_secret_basic.",
              "about": ["authentication"],
              "page": "https://community.developer.battle.net/documentation/guides/using-oauth/authorization-code-flow",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "openid is the scope of sign-ins.",
              "about": ["scopes"],
              "page": "https://community.developer.battle.net/documentation/guides/using-oauth/authorization-code-flow",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "sub is the id of the account, battle_tag the BattleTag, which may change; there is no address.",
              "about": ["userinfo"],
              "page": "https://community.developer.battle.net/documentation/guides/using-oauth/authorization-code-flow",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
