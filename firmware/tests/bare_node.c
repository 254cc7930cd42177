#include "bare_node.h"

#include <stdlib.h>
#include <string.h>

struct bare_node *bare_new(uint64_t device, uint16_t boot, uint8_t cause, uint32_t now_us)
{
    const struct link_identity identity = {.device = device, .label = 1};
    const struct link_start start = {.boot = boot, .reset_cause = cause,
                                     .board = MSG_BOARD_HOST, .pockets = LINK_POCKETS};
    struct bare_node *node = calloc(1, sizeof *node);
    if (node == NULL)
        abort();
    link_init(&node->link, &identity, &start, now_us);
    for (uint8_t i = 0; i < LINK_POCKETS; i++)
        node->settings[i] = (struct msg_settings_now){.pocket = i, .threshold = 200,
                                                      .hysteresis = 60,
                                                      .least_width_us = 3000,
                                                      .rearm_us = 12000,
                                                      .spacing_um = 10000};
    return node;
}

void bare_free(struct bare_node *node)
{
    free(node);
}

void bare_restart(struct bare_node *node, uint8_t cause, uint32_t now_us)
{
    struct link_identity identity = node->link.identity;
    struct link_start start = node->link.start;
    start.boot++;
    start.reset_cause = cause;
    link_init(&node->link, &identity, &start, now_us);
}

static void serve(struct bare_node *node, const struct link_request *request)
{
    uint8_t body[MSG_SETTINGS_CHANGE_SIZE];
    struct msg_settings_now *settings = &node->settings[request->pocket];
    switch (request->wish) {
    case LINK_WANTS_NOTHING:
        break;
    case LINK_SETS:
        msg_settings_change_pack(&request->settings, body);
        body[0] = MSG_SETTINGS_NOW_ID; /* the same fields in the same order */
        (void)msg_settings_now_unpack(settings, body, MSG_SETTINGS_NOW_SIZE);
        link_settings(&node->link, settings);
        break;
    case LINK_WANTS_SETTINGS:
        link_settings(&node->link, settings);
        break;
    case LINK_WANTS_VALUES: {
        const struct msg_values_now values = {request->pocket, 640, 640, 40, 0, 0, 0};
        link_values(&node->link, &values);
        break;
    }
    case LINK_WANTS_SELF_TEST: {
        const struct msg_self_test_done done = {request->pocket,
                                                MSG_SELF_TEST_RESULT_PASSED, 700, 40};
        link_self_tested(&node->link, &done);
        break;
    }
    case LINK_STORES_IDENTITY:
        node->stored++;
        break;
    }
}

void bare_receive(struct bare_node *node, const uint8_t *bytes, size_t size, uint32_t now_us)
{
    struct link_request request;
    for (size_t i = 0; i < size; i++)
        if (link_receive(&node->link, bytes[i], now_us, &request))
            serve(node, &request);
}

/* Drains as it polls, as a line does that is faster than the main loop. */
size_t bare_poll(struct bare_node *node, uint32_t now_us, uint8_t *out, size_t most)
{
    size_t size = 0;
    size_t before;
    do {
        before = size;
        link_poll(&node->link, now_us);
        while (size < most && link_take(&node->link, &out[size]))
            size++;
    } while (size > before);
    return size;
}

bool bare_report(struct bare_node *node, uint8_t pocket, uint8_t looks, uint32_t tick_us,
                 uint32_t width_us)
{
    const struct link_fall fall = {.tick_us = tick_us, .width_us = width_us, .depth = 640,
                                   .reflectance = 310, .ambient = 40,
                                   .pocket = pocket, .looks = looks};
    return link_report(&node->link, &fall);
}

void bare_health(struct bare_node *node, uint8_t pocket, uint8_t health)
{
    link_health(&node->link, pocket, (enum msg_health)health);
}

void bare_losses(struct bare_node *node, uint16_t overruns, uint16_t implausible, uint8_t pocket)
{
    link_losses(&node->link, overruns, implausible, pocket);
}

unsigned bare_pending(const struct bare_node *node)
{
    return node->link.waiting;
}

uint64_t bare_device(const struct bare_node *node)
{
    return node->link.identity.device;
}

uint16_t bare_boot(const struct bare_node *node)
{
    return node->link.start.boot;
}

/* False when it holds none. */
bool bare_key(const struct bare_node *node, uint8_t *key)
{
    memcpy(key, node->link.identity.key, SIPHASH_KEY);
    return node->link.identity.keyed;
}

uint8_t bare_label(const struct bare_node *node)
{
    return node->link.identity.label;
}

size_t bare_bodies(const uint8_t *bytes, size_t size, uint8_t *out, unsigned *damaged)
{
    struct frame_reader reader = {0};
    size_t written = 0;
    *damaged = 0;
    for (size_t i = 0; i < size; i++) {
        enum frame_result result = frame_read(&reader, bytes[i]);
        *damaged += result == FRAME_DAMAGED;
        if (result == FRAME_WHOLE) {
            out[written++] = reader.count;
            memcpy(out + written, reader.bytes, reader.count);
            written += reader.count;
        }
    }
    return written;
}
