/* libFuzzer: any course of bytes, messages, falls, time and a line of any speed.
 * Only whole frames are sent; no report is lost but by a counted drop. */
#include "bare_node.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

struct course {
    const uint8_t *bytes;
    size_t left;
    uint32_t now_us;
    uint32_t fallen;
    struct frame_reader sent;
    struct bare_node *node;
};

static uint8_t next(struct course *course)
{
    if (course->left == 0)
        return 0;
    course->left--;
    return *course->bytes++;
}

static void garbage(struct course *course)
{
    size_t size = next(course);
    size = size < course->left ? size : course->left;
    bare_receive(course->node, course->bytes, size, course->now_us);
    course->bytes += size;
    course->left -= size;
}

/* A frame that is whole, around anything. */
static void message(struct course *course)
{
    uint8_t body[FRAME_LARGEST - 3], framed[FRAME_LARGEST + FRAME_OVERHEAD];
    uint8_t size = (uint8_t)(1 + next(course) % (sizeof body - 1));
    for (uint8_t i = 0; i < size; i++)
        body[i] = next(course);
    bare_receive(course->node, framed, frame_write(body, size, framed), course->now_us);
}

static void greet(struct course *course)
{
    const struct msg_greeting host = {MSG_PROTOCOL, MSG_DEFINITION};
    uint8_t body[MSG_GREETING_SIZE], framed[MSG_GREETING_SIZE + FRAME_OVERHEAD];
    msg_greeting_pack(&host, body);
    bare_receive(course->node, framed, frame_write(body, sizeof body, framed),
                 course->now_us);
}

static void acknowledge(struct course *course)
{
    const struct msg_ack ack = {course->node->link.start.boot,
                                course->node->link.next - next(course) % 40u};
    uint8_t body[MSG_ACK_SIZE], framed[MSG_ACK_SIZE + FRAME_OVERHEAD];
    msg_ack_pack(&ack, body);
    bare_receive(course->node, framed, frame_write(body, sizeof body, framed),
                 course->now_us);
}

static void fall(struct course *course)
{
    unsigned before = bare_pending(course->node);
    bool kept = bare_report(course->node, next(course) & 3u, next(course) & 3u,
                            course->now_us, 22000);
    course->fallen++;
    must(kept == (before < LINK_KEPT));
    must(bare_pending(course->node) == before + kept);
}

static void lose(struct course *course)
{
    bare_health(course->node, next(course) & 3u, next(course) & 3u);
    bare_losses(course->node, next(course), next(course), next(course) & 3u);
}

/* Drain some bytes: what the line has carried must be frames. */
static void drain(struct course *course)
{
    uint8_t byte;
    link_poll(&course->node->link, course->now_us);
    for (unsigned left = next(course); left > 0 && link_take(&course->node->link, &byte); left--)
        must(frame_read(&course->sent, byte) != FRAME_DAMAGED);
}

static void check(const struct link *link, uint32_t fallen)
{
    must(link->next == fallen);
    must(link->waiting <= LINK_KEPT && link->first < LINK_KEPT);
    for (uint8_t i = 1; i < link->waiting; i++) {
        const struct link_kept *one = &link->kept[(link->first + i - 1u) % LINK_KEPT];
        const struct link_kept *after = &link->kept[(link->first + i) % LINK_KEPT];
        must(one->sequence < after->sequence && after->sequence < link->next);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct course course = {.bytes = bytes, .left = size};
    course.node = bare_new(0xAB, 1, MSG_RESET_CAUSE_POWER, 0);
    while (course.left > 0) {
        switch (next(&course) % 8) {
        case 0: garbage(&course); break;
        case 1: message(&course); break;
        case 2: greet(&course); break;
        case 3: acknowledge(&course); break;
        case 4: fall(&course); break;
        case 5: lose(&course); break;
        case 6: course.now_us += 64u * next(&course) * next(&course); break;
        default: drain(&course); break;
        }
        check(&course.node->link, course.fallen);
    }
    bare_free(course.node);
    return 0;
}
