"""firebase_admin.auth: many users in one request."""
import json
import sys

import broker_admin
from firebase_admin import auth

signed_in = json.load(sys.stdin)

# import_users
records = [
    auth.ImportUserRecord(
        uid=f"imported-{number}", email=f"imported-{number}@example.com", email_verified=True,
        display_name=f"Imported {number}", custom_claims={"number": number},
        provider_data=[auth.UserProvider(uid=str(900_000 + number), provider_id="github.com")])
    for number in range(5)]
imported = auth.import_users(records)
assert imported.success_count == 5 and not imported.errors, [error.reason for error in imported.errors]
user = auth.get_user("imported-3")
assert user.email == "imported-3@example.com" and user.email_verified and user.custom_claims == {"number": 3}
assert [(one.provider_id, one.uid) for one in user.provider_data] == [("github.com", "900003")]
taken = auth.import_users([
    auth.ImportUserRecord(uid="other", provider_data=[auth.UserProvider(uid="900003", provider_id="github.com")]),
    auth.ImportUserRecord(uid="fine")])
assert taken.success_count == 1 and [error.index for error in taken.errors] == [0]

# list_users
page = auth.list_users(max_results=3)
assert len(page.users) == 3 and page.has_next_page
everyone = [user.uid for user in auth.list_users(max_results=3).iterate_all()]
assert everyone == sorted(everyone) and len(everyone) == len(set(everyone)) == 7 and signed_in["localId"] in everyone

# delete_users
deleted = auth.delete_users([f"imported-{number}" for number in range(5)] + ["nobody"])
assert deleted.success_count == 6 and not deleted.errors
assert sorted(user.uid for user in auth.list_users().iterate_all()) == sorted(["fine", signed_in["localId"]])
print("batch ok")
