"""firebase_admin.auth: OpenID Connect provider configurations."""
import json
import sys

import broker_admin
from firebase_admin import auth

json.load(sys.stdin)


def refuses(kind, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert type(error) is kind, (type(error), error)
    else:
        raise AssertionError(f"{call.__name__} raised no {kind.__name__}")


created = auth.create_oidc_provider_config(
    "oidc.acme", client_id="acme-client", issuer="https://id.acme.example", display_name="Acme", enabled=False,
    client_secret="acme-secret", code_response_type=True, id_token_response_type=False)
assert created.provider_id == "oidc.acme" and created.client_id == "acme-client"
assert created.issuer == "https://id.acme.example" and created.display_name == "Acme" and not created.enabled
assert auth.get_oidc_provider_config("oidc.acme").issuer == "https://id.acme.example"
changed = auth.update_oidc_provider_config("oidc.acme", display_name="Acme Two", client_id="other-client")
assert changed.display_name == "Acme Two" and changed.client_id == "other-client"
assert [one.provider_id for one in auth.list_oidc_provider_configs().iterate_all()] == ["oidc.acme"]
auth.delete_oidc_provider_config("oidc.acme")
refuses(auth.ConfigurationNotFoundError, auth.get_oidc_provider_config, "oidc.acme")
print("providers ok")
