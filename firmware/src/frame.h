/* Frames on the serial wire: COBS between zero bytes, CRC-16/CCITT-FALSE inside.
 * Portable and pure: no pins, no clock, no allocation. See protocol/PROTOCOL.md. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FRAME_LARGEST = 36, /* bytes of the longest frame, without its delimiter, and some */
    FRAME_OVERHEAD = 4  /* bytes a frame is longer than its body, delimiter included */
};

enum frame_result {
    FRAME_NONE,    /* no frame ended with this byte */
    FRAME_WHOLE,   /* `bytes` holds a body of `count` bytes until the next byte */
    FRAME_DAMAGED  /* a frame ended that is none */
};

/* Collects one frame; start it zeroed. */
struct frame_reader {
    uint8_t bytes[FRAME_LARGEST];
    uint8_t count;    /* bytes taken so far, 0 to FRAME_LARGEST */
    bool ended;       /* the last byte ended a frame: begin anew */
    bool overlong;    /* more came than a frame may hold */
};

/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF; of all bytes, or byte by byte. */
#define FRAME_CRC_START 0xFFFFu
uint16_t frame_crc_add(uint16_t crc, uint8_t byte);
uint16_t frame_crc(const uint8_t *bytes, uint8_t count);

/* Write the frame of a body of at most FRAME_LARGEST - 3 bytes, delimiter included,
 * to `out` (size + FRAME_OVERHEAD bytes); how many bytes that is. The body may lie at
 * out + 1. */
uint8_t frame_write(const uint8_t *body, uint8_t size, uint8_t *out);

/* Take one byte from the wire. */
enum frame_result frame_read(struct frame_reader *reader, uint8_t byte);

#endif
