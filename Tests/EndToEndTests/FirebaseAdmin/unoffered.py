"""firebase_admin: what the broker does not offer."""
import json
import sys

import broker_admin
from firebase_admin import auth, exceptions, tenant_mgt

json.load(sys.stdin)


def refuses(kind, text, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        assert type(error) is kind and text in str(error), (type(error), error)
    else:
        raise AssertionError(f"{call.__name__} raised no {kind.__name__}")


# Lists are empty.
assert tenant_mgt.list_tenants().tenants == []
assert auth.list_saml_provider_configs().provider_configs == []

# Methods are refused with a code, whose sentence is the SDK's text.
for link in [auth.generate_email_verification_link, auth.generate_password_reset_link]:
    refuses(exceptions.InvalidArgumentError, "(OPERATION_NOT_ALLOWED). No e-mail is sent", link, "ada@example.com")
refuses(exceptions.InvalidArgumentError, "(OPERATION_NOT_ALLOWED). SAML", auth.get_saml_provider_config, "saml.acme")
refuses(exceptions.InvalidArgumentError, "(OPERATION_NOT_ALLOWED). There are no tenants", tenant_mgt.get_tenant, "acme")

# A missing scope is the SDK's own error, and the text names the scope whole.
refuses(auth.InsufficientPermissionError, "configuration:write", tenant_mgt.create_tenant, "acme")

# Pictures and their refusal.
assert auth.create_user(uid="pictured", photo_url="http://example.com/1.png").photo_url == "http://example.com/1.png"
refuses(
    exceptions.InvalidArgumentError, "(INVALID_PHOTO_URL)", auth.update_user, "pictured",
    photo_url="ftp://example.com/1.png")
imported = auth.import_users([
    auth.ImportUserRecord(uid="kept", photo_url="http://example.com/2.png"),
    auth.ImportUserRecord(uid="lost", photo_url="ftp://example.com/2.png")])
assert imported.success_count == 1 and [error.index for error in imported.errors] == [1], imported.errors
assert imported.errors[0].reason.startswith("INVALID_PHOTO_URL")
assert auth.get_user("kept").photo_url == "http://example.com/2.png"
print("unoffered ok")
