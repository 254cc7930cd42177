/* Reads protocol/vectors.txt (first argument), the same file the host's tests read,
 * then throws bytes at the reader. Closes with "N passed, N failed". */
#include "frame.h"
#include "messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, BYTES = 256, THROWN = 300000 };

static int passed, failed;

static void check(bool holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("FAILED: %s\n", what);
}

static size_t unhex(const char *text, uint8_t *out)
{
    size_t count = 0;
    unsigned byte;
    while (count < BYTES && sscanf(text + 2 * count, "%2x", &byte) == 1)
        out[count++] = (uint8_t)byte;
    return count;
}

/* Unpack a body as the message it claims to be and pack that again. */
#define AGAIN(name, NAME)                                            \
    case MSG_##NAME##_ID: {                                          \
        struct msg_##name message;                                   \
        if (!msg_##name##_unpack(&message, body, size))              \
            return false;                                            \
        msg_##name##_pack(&message, again);                          \
        return memcmp(body, again, MSG_##NAME##_SIZE) == 0;          \
    }

static bool comes_back(const uint8_t *body, uint8_t size)
{
    uint8_t again[MSG_LARGEST];
    switch (body[0]) {
        MSG_EACH(AGAIN)
    default:
        return false;
    }
}

/* Whether the last frame in these bytes is a whole one with a known message. */
static bool accepted(const uint8_t *bytes, size_t count, struct frame_reader *reader)
{
    enum frame_result result = FRAME_NONE;
    for (size_t i = 0; i < count; i++)
        result = frame_read(reader, bytes[i]);
    return result == FRAME_WHOLE && comes_back(reader->bytes, reader->count);
}

static void good(const char *words, const char *body_hex, const char *frame_hex)
{
    uint8_t body[BYTES], bytes[BYTES], written[BYTES];
    struct frame_reader reader = {0};
    size_t size = unhex(body_hex, body);
    size_t count = unhex(frame_hex, bytes);
    check(accepted(bytes, count, &reader), words);
    check(reader.count == size && memcmp(reader.bytes, body, size) == 0, words);
    check(frame_write(body, (uint8_t)size, written) == count, words);
    check(memcmp(written, bytes, count) == 0, words);
}

static void bad(const char *why, const char *frame_hex)
{
    uint8_t bytes[BYTES];
    struct frame_reader reader = {0};
    check(!accepted(bytes, unhex(frame_hex, bytes), &reader), why);
}

static void read_vectors(FILE *file)
{
    char line[LINE];
    while (fgets(line, LINE, file) != NULL) {
        char *cells[4] = {NULL};
        size_t count = 0;
        for (char *cell = strtok(line, "|\n"); cell && count < 4; cell = strtok(NULL, "|\n"))
            cells[count++] = cell + (*cell == ' ');
        if (count == 4 && strncmp(cells[0], "good", 4) == 0)
            good(cells[1], cells[2], cells[3]);
        if (count == 3 && strncmp(cells[0], "bad", 3) == 0)
            bad(cells[1], cells[2]);
    }
}

static void a_frame_after_any_garbage_is_read(void)
{
    const uint8_t ack[] = {MSG_ACK_ID, 1, 0, 2, 0, 0, 0};
    uint8_t bytes[BYTES];
    struct frame_reader reader = {0};
    uint32_t random = 1;
    for (unsigned i = 0; i < THROWN; i++) {
        random = random * 1664525u + 1013904223u;
        frame_read(&reader, (uint8_t)(random >> 24));
    }
    frame_read(&reader, 0);
    check(accepted(bytes, frame_write(ack, sizeof ack, bytes), &reader), "resync");
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        printf("usage: test_frame vectors.txt\n");
        return 2;
    }
    read_vectors(file);
    fclose(file);
    a_frame_after_any_garbage_is_read();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
