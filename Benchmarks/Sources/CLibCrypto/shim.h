// What Swift cannot import from OpenSSL's evp.h: the macro EVP_RSA_gen.
#pragma once
#include <openssl/evp.h>
#include <openssl/rsa.h>

static inline EVP_PKEY *clibcrypto_new_rsa_key(size_t bits) {
    return EVP_RSA_gen((unsigned int)bits);
}
