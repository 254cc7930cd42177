/* SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed checksum of short messages.
 * Portable and pure; some 10,000 cycles on an 8-bit AVR for 24 bytes. */
#ifndef SIPHASH_H
#define SIPHASH_H

#include <stdint.h>

enum { SIPHASH_KEY = 16 /* bytes */ };

/* The checksum of `count` bytes by a key of SIPHASH_KEY bytes. */
uint64_t siphash(const uint8_t *key, const uint8_t *bytes, uint8_t count);

#endif
