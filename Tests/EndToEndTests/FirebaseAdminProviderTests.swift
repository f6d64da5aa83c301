import Foundation
import ProviderKit
import Subprocess
import SystemPackage
import Testing

/// Google's own Admin SDK, unmodified but for the address of Identity Toolkit (contract §5.8).
@Suite("firebase-admin and provider configurations", .timeLimit(.minutes(20)))
struct FirebaseAdminProviderTests {
    @Test func `OIDC providers are created, read, listed, updated and deleted`() async throws {
        let python = try TestPython.path()
        try await Installation.run(policy: "firebase") { broker in
            try await broker.serve { _, client in
                let token = try #require(
                    try await broker.document(
                        "admin", "token", "create", "--name", "Terraform", "--scope", "configuration:read",
                        "--scope", "configuration:write", "--scope", "providers:trust")["token"]?.string)
                try broker.folder.write(Self.program, to: "providers.py")

                let result = try await Subprocess.run(
                    .path(FilePath(python)), arguments: ["providers.py"],
                    environment: .inherit.updating(["BROKER": client.url, "TOKEN": token]),
                    workingDirectory: FilePath(broker.folder.path), output: .string(limit: 1 << 16),
                    error: .combinedWithOutput)

                #expect(result.standardOutput == "done\n", "\(result.terminationStatus) \(result.standardOutput)")
            }
        }
    }

    private static let program = """
        import os
        import firebase_admin
        from firebase_admin import auth, credentials, _auth_providers
        from firebase_admin.exceptions import InvalidArgumentError
        from google.auth import credentials as google

        _auth_providers.ProviderConfigClient.PROVIDER_CONFIG_URL = os.environ['BROKER'] + '/v2'


        class AdminToken(credentials.Base):
            def get_credential(self):
                class Bearer(google.Credentials):
                    def refresh(self, request):
                        self.token = os.environ['TOKEN']
                bearer = Bearer()
                bearer.token = os.environ['TOKEN']
                return bearer


        firebase_admin.initialize_app(AdminToken(), {'projectId': 'my-app'})

        for name in ['a', 'b', 'c']:
            created = auth.create_oidc_provider_config(
                'oidc.' + name, client_id='client-' + name, issuer='https://id.example/' + name,
                display_name='Acme ' + name, enabled=True, client_secret='s3cret', code_response_type=True)
            assert created.provider_id == 'oidc.' + name, created.provider_id
            assert created.issuer == 'https://id.example/' + name
            assert created.client_id == 'client-' + name
            assert created.display_name == 'Acme ' + name and created.enabled
            assert created.client_secret is None, 'secrets are write-only'
            assert created.code_response_type and not created.id_token_response_type

        read = auth.get_oidc_provider_config('oidc.b')
        assert read.client_id == 'client-b'

        page = auth.list_oidc_provider_configs(max_results=2)
        assert [config.provider_id for config in page.provider_configs] == ['oidc.a', 'oidc.b']
        assert page.has_next_page
        assert [config.provider_id for config in page.iterate_all()] == ['oidc.a', 'oidc.b', 'oidc.c']

        try:
            auth.update_oidc_provider_config('oidc.b', client_id='other')
            raise SystemExit('the secret of one client served another')
        except InvalidArgumentError as error:
            assert 'SECRET_REQUIRED' in str(error), error
        changed = auth.update_oidc_provider_config(
            'oidc.b', client_id='other', client_secret='of-other', code_response_type=True,
            display_name=auth.DELETE_ATTRIBUTE, enabled=False)
        assert changed.client_id == 'other' and changed.display_name is None and not changed.enabled
        assert changed.issuer == 'https://id.example/b'
        rotated = auth.update_oidc_provider_config('oidc.b', client_secret='another', code_response_type=True)
        assert rotated.client_id == 'other'

        auth.delete_oidc_provider_config('oidc.b')
        try:
            auth.get_oidc_provider_config('oidc.b')
            raise SystemExit('found after its deletion')
        except auth.ConfigurationNotFoundError:
            pass
        for name in ['a', 'c']:
            auth.delete_oidc_provider_config('oidc.' + name)
        print('done')

        """
}
