/* libFuzzer: any bytes through the reader of frames. What it takes for a frame is
 * written again to the same bytes, and a message in it packs to what was unpacked. */
#include "frame.h"
#include "messages.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

#define AGAIN(name, NAME)                                            \
    case MSG_##NAME##_ID: {                                          \
        struct msg_##name message;                                   \
        uint8_t again[MSG_##NAME##_SIZE];                            \
        if (!msg_##name##_unpack(&message, body, size))              \
            return;                                                  \
        msg_##name##_pack(&message, again);                          \
        must(memcmp(body, again, MSG_##NAME##_SIZE) == 0);           \
        return;                                                      \
    }

static void message_comes_back(const uint8_t *body, uint8_t size)
{
    switch (body[0]) {
        MSG_EACH(AGAIN)
    default:
        return;
    }
}

static void frame_comes_back(const uint8_t *body, uint8_t size)
{
    uint8_t framed[FRAME_LARGEST + FRAME_OVERHEAD];
    struct frame_reader reader = {0};
    uint8_t count = frame_write(body, size, framed);
    for (uint8_t i = 0; i < count; i++)
        must((frame_read(&reader, framed[i]) == FRAME_WHOLE) == (i == count - 1));
    must(reader.count == size && memcmp(reader.bytes, body, size) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct frame_reader reader = {0};
    for (size_t i = 0; i < size; i++) {
        enum frame_result result = frame_read(&reader, bytes[i]);
        must(reader.count <= FRAME_LARGEST);
        must(result == FRAME_NONE || bytes[i] == 0);
        if (result == FRAME_WHOLE) {
            must(reader.count >= 1);
            frame_comes_back(reader.bytes, reader.count);
            message_comes_back(reader.bytes, reader.count);
        }
    }
    return 0;
}
