// A page cache that is SQLite's own but for one look at every page.
//
// While SQLite divides rows among the pages of an index anew, it gives pages the number of its lock page (262145 with pages
// of 4096 bytes) for a moment. Its page cache remembers the greatest number it ever had. At the commit it is told to remove
// all pages behind the file's end, and then looks at every page it has, thousands in a writer. This cache knows whether
// such a page is left, and asks SQLite's only then (https://sqlite.org/c3ref/pcache_methods2.html).
#pragma once
#include <sqlite3.h>
#include <stdlib.h>

typedef struct {
    sqlite3_pcache *own;
    /// No page has a greater number, but for the one that was moved.
    unsigned int greatest;
    /// The number beyond ``greatest`` that one page was moved to; 0 when there is none.
    unsigned int moved;
} csqlite_page_cache;

/// The methods of SQLite's own cache. They stand in a function, for Swift emits no variable of a header.
static sqlite3_pcache_methods2 *csqlite_own_methods(void) {
    static sqlite3_pcache_methods2 methods;
    return &methods;
}

static csqlite_page_cache *csqlite_cache(sqlite3_pcache *cache) { return (csqlite_page_cache *)cache; }

static sqlite3_pcache *csqlite_cache_create(int page_size, int extra_size, int is_purgeable) {
    csqlite_page_cache *cache = calloc(1, sizeof *cache);
    if (!cache) return NULL;
    cache->own = csqlite_own_methods()->xCreate(page_size, extra_size, is_purgeable);
    if (cache->own) return (sqlite3_pcache *)cache;
    free(cache);
    return NULL;
}

static void csqlite_cache_destroy(sqlite3_pcache *cache) {
    csqlite_own_methods()->xDestroy(csqlite_cache(cache)->own);
    free(cache);
}

static void csqlite_cache_set_size(sqlite3_pcache *cache, int pages) {
    csqlite_own_methods()->xCachesize(csqlite_cache(cache)->own, pages);
}

static int csqlite_cache_page_count(sqlite3_pcache *cache) {
    return csqlite_own_methods()->xPagecount(csqlite_cache(cache)->own);
}

static sqlite3_pcache_page *csqlite_cache_fetch(sqlite3_pcache *cache, unsigned int number, int may_create) {
    sqlite3_pcache_page *page = csqlite_own_methods()->xFetch(csqlite_cache(cache)->own, number, may_create);
    if (page && number > csqlite_cache(cache)->greatest) csqlite_cache(cache)->greatest = number;
    return page;
}

static void csqlite_cache_unpin(sqlite3_pcache *cache, sqlite3_pcache_page *page, int is_useless) {
    csqlite_own_methods()->xUnpin(csqlite_cache(cache)->own, page, is_useless);
}

static void csqlite_cache_move(
    sqlite3_pcache *cache, sqlite3_pcache_page *page, unsigned int from, unsigned int to
) {
    csqlite_page_cache *known = csqlite_cache(cache);
    csqlite_own_methods()->xRekey(known->own, page, from, to);
    if (from == known->moved) known->moved = 0;
    if (to <= known->greatest) return;
    if (known->moved) {
        known->greatest = to > known->moved ? to : known->moved;
        known->moved = 0;
    } else {
        known->moved = to;
    }
}

static void csqlite_cache_truncate(sqlite3_pcache *cache, unsigned int first) {
    csqlite_page_cache *known = csqlite_cache(cache);
    if (known->greatest < first && known->moved < first) return;
    csqlite_own_methods()->xTruncate(known->own, first);
    if (known->greatest >= first) known->greatest = first - 1;
    if (known->moved >= first) known->moved = 0;
}

static void csqlite_cache_shrink(sqlite3_pcache *cache) {
    csqlite_own_methods()->xShrink(csqlite_cache(cache)->own);
}

/// The methods of this cache, over those of another.
static inline sqlite3_pcache_methods2 csqlite_cache_methods(sqlite3_pcache_methods2 own) {
    *csqlite_own_methods() = own;
    own.xCreate = csqlite_cache_create;
    own.xDestroy = csqlite_cache_destroy;
    own.xCachesize = csqlite_cache_set_size;
    own.xPagecount = csqlite_cache_page_count;
    own.xFetch = csqlite_cache_fetch;
    own.xUnpin = csqlite_cache_unpin;
    own.xRekey = csqlite_cache_move;
    own.xTruncate = csqlite_cache_truncate;
    own.xShrink = csqlite_cache_shrink;
    return own;
}

/// Has all connections use this cache. No effect once one was opened.
static inline int csqlite_use_cache(void) {
    sqlite3_pcache_methods2 methods;
    int code = sqlite3_config(SQLITE_CONFIG_GETPCACHE2, &methods);
    if (code != SQLITE_OK) return code;
    methods = csqlite_cache_methods(methods);
    return sqlite3_config(SQLITE_CONFIG_PCACHE2, &methods);
}
