extension ProviderCatalogue {
    static let salesforce = #"""
        {
          "id": "oidc.salesforce",
          "name": "Salesforce",
          "use": "oidc",
          "options": {
            "issuer": "https://{host}",
            "scopes": ["openid", "email", "profile"],
            "claims": {
              "email": "/email",
              "emailVerified": "/email_verified",
              "displayName": "/name",
              "givenName": "/given_name",
              "familyName": "/family_name",
              "screenName": "/preferred_username",
              "pictureUrl": "/picture"
            }
          },
          "variables": [
            {
              "name": "host",
              "description": "Host name of the organisation's My Domain.",
              "pattern": "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]{1,5})?$",
              "example": "acme.my.salesforce.com"
            }
          ],
          "button": { "text": "Continue with Salesforce", "background": "#0B5CAB", "foreground": "#FFFFFF" },
          "links": {
            "documentation": "https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm",
            "console": "https://{host}/lightning/setup/ManageExternalClientApplication/home"
          },
          "registration": [
            "Create an external client app (or connected app) in Setup, with OAuth settings.",
            "Enter the callback URL.",
            "Choose the scopes openid, email and profile.",
            "Copy the consumer key and the consumer secret."
          ],
          "facts": [
            {
              "fact": "The discovery document is /.well-known/openid-configuration at the organisation's My Domain, MyDomainName.my.salesforce.com.",
              "about": ["endpoints"],
              "page": "https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm",
              "read": "2026-11-26",
              "verified": "documentation"
            },
            {
              "fact": "The token endpoint takes client_secret_basic and client_secret_post.",
              "about": ["authentication"],
              "page": "https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "openid, email and profile are scopes of the connected app.",
              "about": ["scopes"],
              "page": "https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "sub is the URL of the user, https://login.salesforce.com/id/ORGANISATION/USER; ids are never given again.",
              "about": ["userinfo"],
              "page": "https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm",
              "read": "2026-11-26",
              "verified": "memory"
            },
            {
              "fact": "email_verified says whether the user confirmed the address.",
              "page": "https://help.salesforce.com/apex/HTViewHelpDoc?id=xcloud.remoteaccess_using_openid_discovery_endpoint.htm",
              "read": "2026-11-26",
              "verified": "memory"
            }
          ]
        }
        """#
}
