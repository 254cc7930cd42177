#include "siphash.h"

#include "messages.h"

static uint64_t turned(uint64_t word, uint8_t bits)
{
    return word << bits | word >> (64 - bits);
}

static void rounds(uint64_t v[4], uint8_t count)
{
    while (count-- > 0) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = turned(v[1], 13) ^ v[0];
        v[3] = turned(v[3], 16) ^ v[2];
        v[0] = turned(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = turned(v[1], 17) ^ v[2];
        v[3] = turned(v[3], 21) ^ v[0];
        v[2] = turned(v[2], 32);
    }
}

static void take(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, 2);
    v[0] ^= word;
}

uint64_t siphash(const uint8_t *key, const uint8_t *bytes, uint8_t count)
{
    uint64_t low = msg_get64(key);
    uint64_t high = msg_get64(key + 8);
    uint64_t v[4] = {
        low ^ 0x736f6d6570736575u, high ^ 0x646f72616e646f6du,
        low ^ 0x6c7967656e657261u, high ^ 0x7465646279746573u,
    };
    uint64_t last = (uint64_t)count << 56;
    uint8_t whole = count & 0xF8u;
    for (uint8_t at = 0; at < whole; at = (uint8_t)(at + 8))
        take(v, msg_get64(bytes + at));
    for (uint8_t at = whole; at < count; at++)
        last |= (uint64_t)bytes[at] << (8 * (at - whole));
    take(v, last);
    v[2] ^= 0xFFu;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
