// RSA signatures by the system's libcrypto, which is opened at run time: a broker that signs with ES256 alone never maps it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An RSA private key of OpenSSL. Several threads may sign with one at once.
typedef struct evp_pkey_st copenssl_key;

/// Opens libcrypto; to be called once, before the other functions.
///
/// Returns NULL, or the reason why it cannot be used, valid until the thread's next call.
const char *_Nullable copenssl_open(void);

/// Makes a key of a PKCS #8 structure in DER, which is overwritten with zeros. Returns NULL when it is not one.
copenssl_key *_Nullable copenssl_key_new(uint8_t *_Nonnull der, size_t length);

/// Frees a key after overwriting its private parts.
void copenssl_key_free(copenssl_key *_Nonnull key);

/// Signs the SHA-256 of a message with RSASSA-PKCS1-v1_5.
///
/// `signature_length` is the room at `signature`, and afterwards what was used of it. Returns false when OpenSSL fails.
bool copenssl_sign(
    copenssl_key *_Nonnull key, const uint8_t *_Nonnull message, size_t message_length, uint8_t *_Nonnull signature,
    size_t *_Nonnull signature_length);
