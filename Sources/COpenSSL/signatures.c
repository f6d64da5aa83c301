#include "COpenSSL.h"

// Programs for Apple's systems are built without OpenSSL.
#ifdef __linux__
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#if OPENSSL_VERSION_MAJOR < 3
#error "OpenSSL 3 or later is required"
#endif

#define FUNCTIONS(FUNCTION) \
    FUNCTION(ERR_clear_error) \
    FUNCTION(EVP_DigestSign) \
    FUNCTION(EVP_DigestSignInit_ex) \
    FUNCTION(EVP_MD_CTX_free) \
    FUNCTION(EVP_MD_CTX_new) \
    FUNCTION(EVP_PKEY_CTX_set_rsa_padding) \
    FUNCTION(EVP_PKEY_free) \
    FUNCTION(OPENSSL_cleanse) \
    FUNCTION(OPENSSL_init_crypto) \
    FUNCTION(OSSL_LIB_CTX_new) \
    FUNCTION(d2i_AutoPrivateKey_ex)

// The types are those of OpenSSL's headers.
static struct {
#define DECLARE(name) __typeof__(name) *name;
    FUNCTIONS(DECLARE)
} libcrypto;

// A context of its own reads no openssl.cnf, and changes nothing for libpq, which uses the default one.
static OSSL_LIB_CTX *context;

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

const char *copenssl_open(void) {
    void *library = dlopen("libcrypto.so." TEXT(OPENSSL_SHLIB_VERSION), RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define LOOK_UP(name) \
    if (!(libcrypto.name = (__typeof__(name) *)dlsym(library, #name))) return dlerror();
    FUNCTIONS(LOOK_UP)
    // Cleaning up when the process ends would free what other threads are signing with.
    libcrypto.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
    context = libcrypto.OSSL_LIB_CTX_new();
    return context ? NULL : "no memory for a library context";
}

copenssl_key *copenssl_key_new(uint8_t *der, size_t length) {
    const unsigned char *next = der;
    EVP_PKEY *key = libcrypto.d2i_AutoPrivateKey_ex(NULL, &next, (long)length, context, NULL);
    libcrypto.OPENSSL_cleanse(der, length);
    if (!key) libcrypto.ERR_clear_error();
    return key;
}

void copenssl_key_free(copenssl_key *key) { libcrypto.EVP_PKEY_free(key); }

bool copenssl_sign(
    copenssl_key *key, const uint8_t *message, size_t message_length, uint8_t *signature, size_t *signature_length) {
    EVP_PKEY_CTX *options = NULL;
    EVP_MD_CTX *signing = libcrypto.EVP_MD_CTX_new();
    bool is_signed = signing
        && libcrypto.EVP_DigestSignInit_ex(signing, &options, "SHA256", context, NULL, key, NULL) == 1
        && libcrypto.EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PADDING) == 1
        && libcrypto.EVP_DigestSign(signing, signature, signature_length, message, message_length) == 1;
    libcrypto.EVP_MD_CTX_free(signing);
    if (!is_signed) libcrypto.ERR_clear_error();
    return is_signed;
}
#endif
