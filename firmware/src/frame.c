#include "frame.h"

uint16_t frame_crc_add(uint16_t crc, uint8_t byte)
{
    /* All eight bits at once: the polynomial has but three terms. In bytes, for an AVR
     * shifts 16 bits one place at a time. */
    uint8_t both = (uint8_t)(crc >> 8 ^ byte);
    both = (uint8_t)(both ^ both >> 4);
    uint8_t high = (uint8_t)((uint8_t)crc ^ (uint8_t)(both << 4) ^ both >> 3);
    uint8_t low = (uint8_t)((uint8_t)(both << 5) ^ both);
    return (uint16_t)((uint16_t)((uint16_t)high << 8) | low);
}

uint16_t frame_crc(const uint8_t *bytes, uint8_t count)
{
    uint16_t crc = FRAME_CRC_START;
    for (uint8_t i = 0; i < count; i++)
        crc = frame_crc_add(crc, bytes[i]);
    return crc;
}

/* One pass is enough: a frame is shorter than the 254 bytes of a COBS run. */
uint8_t frame_write(const uint8_t *body, uint8_t size, uint8_t *out)
{
    uint16_t crc = frame_crc(body, size);
    uint8_t run = 0; /* where the length of the run being written goes */
    uint8_t end = 1;
    for (uint8_t i = 0; i < size + 2; i++) {
        uint8_t byte = (uint8_t)(i < size ? body[i] : i == size ? crc : crc >> 8);
        if (byte != 0) {
            out[end++] = byte;
            continue;
        }
        out[run] = (uint8_t)(end - run);
        run = end++;
    }
    out[run] = (uint8_t)(end - run);
    out[end++] = 0;
    return end;
}

/* Undo COBS in place; the bytes left, 0 when a run leads beyond the end. */
static uint8_t unstuff(uint8_t *bytes, uint8_t count)
{
    uint8_t from = 0;
    uint8_t to = 0;
    while (from < count) {
        uint8_t run = bytes[from++];
        if (run - 1 > count - from)
            return 0;
        for (uint8_t i = 1; i < run; i++)
            bytes[to++] = bytes[from++];
        if (from < count)
            bytes[to++] = 0;
    }
    return to;
}

static enum frame_result finish(struct frame_reader *reader)
{
    reader->ended = true;
    if (reader->overlong)
        return FRAME_DAMAGED;
    if (reader->count == 0)
        return FRAME_NONE;
    uint8_t count = unstuff(reader->bytes, reader->count);
    if (count < 3)
        return FRAME_DAMAGED;
    count = (uint8_t)(count - 2);
    uint16_t high = reader->bytes[count + 1]; /* an AVR's int has 16 bits */
    uint16_t crc = (uint16_t)(high << 8 | reader->bytes[count]);
    if (frame_crc(reader->bytes, count) != crc)
        return FRAME_DAMAGED;
    reader->count = count;
    return FRAME_WHOLE;
}

enum frame_result frame_read(struct frame_reader *reader, uint8_t byte)
{
    if (reader->ended) {
        reader->count = 0;
        reader->ended = false;
        reader->overlong = false;
    }
    if (byte == 0)
        return finish(reader);
    if (reader->count < FRAME_LARGEST)
        reader->bytes[reader->count++] = byte;
    else
        reader->overlong = true;
    return FRAME_NONE;
}
