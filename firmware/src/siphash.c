#include "siphash.h"

enum { PARTS = 4 };

/* 64 bits in parts of 16, least first: a chip of 8 bits turns these four times faster
 * than its compiler turns a uint64_t. */
struct word {
    uint16_t part[PARTS];
};

/* Up to eight bytes, least first. */
static void get(struct word *word, const uint8_t *bytes, uint8_t count)
{
    for (uint8_t i = 0; i < PARTS; i++) {
        uint16_t low = 2 * i < count ? bytes[2 * i] : 0;
        uint16_t high = 2 * i + 1 < count ? bytes[2 * i + 1] : 0;
        word->part[i] = (uint16_t)(high << 8 | low);
    }
}

static void set(struct word *word, uint32_t high, uint32_t low)
{
    word->part[0] = (uint16_t)low;
    word->part[1] = (uint16_t)(low >> 16);
    word->part[2] = (uint16_t)high;
    word->part[3] = (uint16_t)(high >> 16);
}

static void add(struct word *to, const struct word *what)
{
    uint32_t sum = 0;
    for (uint8_t i = 0; i < PARTS; i++) {
        sum += (uint32_t)to->part[i] + what->part[i];
        to->part[i] = (uint16_t)sum;
        sum >>= 16;
    }
}

static void mix(struct word *to, const struct word *what)
{
    for (uint8_t i = 0; i < PARTS; i++)
        to->part[i] ^= what->part[i];
}

/* Left by 16 a number of times, then right by up to 15 bits. */
static void turn(struct word *word, uint8_t parts, uint8_t right)
{
    const struct word was = *word;
    for (uint8_t i = 0; i < PARTS; i++) {
        uint16_t low = was.part[(i - parts) & (PARTS - 1)];
        uint16_t high = was.part[(i - parts + 1) & (PARTS - 1)];
        word->part[i] = (uint16_t)(((uint32_t)high << 16 | low) >> right);
    }
}

static void rounds(struct word v[4], uint8_t count)
{
    while (count-- > 0) {
        add(&v[0], &v[1]);
        add(&v[2], &v[3]);
        turn(&v[1], 1, 3);  /* left by 13 */
        mix(&v[1], &v[0]);
        turn(&v[3], 1, 0);  /* 16 */
        mix(&v[3], &v[2]);
        turn(&v[0], 2, 0);  /* 32 */
        add(&v[2], &v[1]);
        add(&v[0], &v[3]);
        turn(&v[1], 2, 15); /* 17 */
        mix(&v[1], &v[2]);
        turn(&v[3], 2, 11); /* 21 */
        mix(&v[3], &v[0]);
        turn(&v[2], 2, 0);  /* 32 */
    }
}

static void take(struct word v[4], const struct word *word)
{
    mix(&v[3], word);
    rounds(v, 2);
    mix(&v[0], word);
}

static void key_in(struct word v[4], const uint8_t *key)
{
    struct word half;
    set(&v[0], 0x736f6d65u, 0x70736575u);
    set(&v[1], 0x646f7261u, 0x6e646f6du);
    set(&v[2], 0x6c796765u, 0x6e657261u);
    set(&v[3], 0x74656462u, 0x79746573u);
    for (uint8_t i = 0; i < 4; i++) {
        get(&half, key + 8 * (i & 1u), 8);
        mix(&v[i], &half);
    }
}

uint64_t siphash(const uint8_t *key, const uint8_t *bytes, uint8_t count)
{
    struct word v[4];
    struct word word;
    uint8_t at = 0;
    key_in(v, key);
    for (; count - at >= 8; at = (uint8_t)(at + 8)) {
        get(&word, bytes + at, 8);
        take(v, &word);
    }
    get(&word, bytes + at, (uint8_t)(count - at));
    word.part[PARTS - 1] |= (uint16_t)(count << 8);
    take(v, &word);
    v[2].part[0] ^= 0xFFu;
    rounds(v, 4);
    mix(&v[0], &v[1]);
    mix(&v[2], &v[3]);
    mix(&v[0], &v[2]);
    uint64_t hash = 0;
    for (uint8_t i = PARTS; i > 0; i--)
        hash = hash << 16 | v[0].part[i - 1];
    return hash;
}
