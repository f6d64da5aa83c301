"""firebase_admin.auth at the emulator: an import names a provider that no sign-in has named."""
import broker_admin
from firebase_admin import auth

imported = auth.import_users([
    auth.ImportUserRecord(
        uid=f"imported-{number}", provider_data=[
            auth.UserProvider(
                uid=str(100 + number), provider_id=f"oidc.import-{number % 3}", email=f"user-{number}@example.com")])
    for number in range(20)])
assert imported.success_count == 20 and not imported.errors, [error.reason for error in imported.errors]
user = auth.get_user("imported-4")
assert [(one.provider_id, one.uid) for one in user.provider_data] == [("oidc.import-1", "104")]
found = auth.get_users([
    auth.ProviderIdentifier("oidc.import-2", "105"), auth.ProviderIdentifier("oidc.import-0", "105")])
assert [one.uid for one in found.users] == ["imported-5"] and len(found.not_found) == 1
print("provider_import ok")
