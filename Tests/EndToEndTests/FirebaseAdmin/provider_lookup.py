"""firebase_admin.auth at the emulator: look-ups and removals with a provider that no sign-in has named."""
import json
import sys

import broker_admin
from firebase_admin import auth

signed_in = json.load(sys.stdin)

found = auth.get_users([
    auth.ProviderIdentifier("oidc.lookup", "7"), auth.UidIdentifier(signed_in["localId"])])
assert [one.uid for one in found.users] == [signed_in["localId"]] and len(found.not_found) == 1
unlinked = auth.update_user(signed_in["localId"], providers_to_delete=["oidc.lookup"])
assert [one.provider_id for one in unlinked.provider_data] == ["github.com"]
assert list(auth.list_oidc_provider_configs().iterate_all()) == []
try:
    auth.get_oidc_provider_config("oidc.lookup")
    raise AssertionError("there is a configuration")
except auth.ConfigurationNotFoundError:
    pass
print("provider_lookup ok")
