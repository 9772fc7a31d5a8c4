/* The pigeon of pigeon.py in C: a reading a second, each once and in order, over a link that loses packets.
   Lines to a guest have their members in the protocol's order and no spaces, so that this may search them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000LL
static char peer[256], orders[4096];
static long long now, acked, seen, tries;

static const char *find(const char *line, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(line, key);
    return found ? found + strlen(key) : NULL;
}

static long long number(const char *line, const char *name) {
    const char *value = find(line, name);
    return value ? strtoll(value + strspn(value, "\"["), NULL, 10) : 0;
}

static void order(const char *format, const char *text, long long amount) {
    char *end = orders + strlen(orders);
    if (end != orders) *end++ = ',';
    snprintf(end, sizeof orders - (size_t)(end - orders), format, text, amount);
}

static void push(void) {
    long long next = acked + 1;
    if (next * SECOND > now) {
        order("{\"timer\":\"%s\",\"at\":%lld}", "push", next * SECOND);
        return;
    }
    if (tries++) order("{\"mark\":\"%s\",\"amount\":%lld}", "retries", 1);
    order("{\"send\":\"%s\",\"text\":\"reading %lld\"}", peer, next);
    order("{\"draw\":\"%s\",\"index\":%lld}", "backoff", next * 64 + (tries < 63 ? tries : 63));
}

static void hear(const char *text) {
    long long count = strtoll(strchr(text, ' '), NULL, 10);
    if (strncmp(text, "\"ack", 4) == 0) {
        if (count != acked + 1) return;
        acked = count, tries = 0;
        order("{\"write\":\"%s\",\"value\":\"%lld\"},{\"sync\":true},{\"timer\":\"push\"}", "acked", acked);
        push();
        return;
    }
    if (count <= seen) {
        order("{\"mark\":\"%s\",\"amount\":%lld}", "duplicates", 1);
    } else {
        seen = count;
        order("{\"write\":\"%s\",\"value\":\"%lld\"},{\"sync\":true}", "seen", seen);
        order("{\"mark\":\"%s\",\"amount\":%lld}", "received", 1);
        order("{\"mark\":\"%s\",\"amount\":%lld}", "delay", now - seen * SECOND);
    }
    order("{\"send\":\"%s\",\"text\":\"ack %lld\"}", peer, count);
}

int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        const char *kind = find(line, "event");
        now = number(line, "now"), orders[0] = 0;
        if (strncmp(kind, "\"launched", 9) == 0) {
            sscanf(find(line, "peers"), "[\"%255[^\"]", peer);
            acked = number(line, "acked"), seen = number(line, "seen");
        }
        if (strncmp(kind, "\"launched", 9) == 0 || strncmp(kind, "\"timer", 6) == 0) push();
        if (strncmp(kind, "\"datagram", 9) == 0) hear(find(line, "text"));
        if (strncmp(kind, "\"drawn", 6) == 0) {
            long long wait = 200000000LL << (tries - 1 < 4 ? tries - 1 : 4);
            wait = wait / 2 + number(line, "values") % (wait / 2);
            order("{\"timer\":\"%s\",\"at\":%lld}", "push", now + wait);
        }
        printf("{\"turn\":%lld,\"do\":[%s]}\n", number(line, "turn"), orders);
        fflush(stdout);
    }
    return 0;
}
