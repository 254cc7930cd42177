#include "node.h"

#include <string.h>

enum {
    TEST_DARK = 8,         /* samples of a self-test without its emitter */
    TEST_SAMPLES = 16,     /* and in all */
    FOLLOWS = 16,          /* ADC counts: more without an emitter is another's light */
    WINK = 150             /* samples (0.1 s) the light stays off after a fall */
};

struct sense_settings node_defaults(void)
{
    return (struct sense_settings){
        .threshold = BOARD_THRESHOLD,
        .hysteresis = BOARD_HYSTERESIS,
        .least_width_us = BOARD_LEAST_WIDTH_US,
        .rearm_us = BOARD_REARM_US,
        .spacing_um = BOARD_SPACING_UM,
    };
}

static void test(struct node *node, uint8_t pocket)
{
    node->tested = pocket;
    node->test_left = TEST_SAMPLES;
    sense_test(&node->pockets[pocket]);
}

void node_init(struct node *node, const struct link_identity *identity,
               const struct link_start *start, uint32_t now_us)
{
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        const struct sense_settings settings = node->pockets[i].settings;
        sense_init(&node->pockets[i], &settings);
    }
    link_init(&node->link, identity, start, now_us);
    node->boot_tests = 0;
    test(node, 0);
}

static enum msg_self_test_result result(const struct node *node, const struct sense *sense)
{
    if (sense->ambient >= LIGHT_BLINDING || node->test_lit >= FOLLOWS)
        return MSG_SELF_TEST_RESULT_STAYS_LIT;
    if (sense->beam < LIGHT_WEAKEST)
        return MSG_SELF_TEST_RESULT_STAYS_DARK;
    return MSG_SELF_TEST_RESULT_PASSED;
}

/* The self-tests of the start follow each other and are not told: their outcome is the
 * health of the pocket. */
static void test_done(struct node *node)
{
    uint8_t pocket = node->tested;
    struct sense *sense = &node->pockets[pocket];
    enum msg_self_test_result found = result(node, sense);
    sense_tested(sense, found == MSG_SELF_TEST_RESULT_PASSED);
    node->tested = NODE_NO_TEST;
    if (node_tested(node)) {
        const struct msg_self_test_done done = {
            .pocket = pocket,
            .result = (uint8_t)found,
            .lit = (uint16_t)(sense->beam + sense->ambient),
            .dark = sense->ambient,
        };
        link_self_tested(&node->link, &done);
    } else if (++node->boot_tests < BOARD_POCKETS) {
        test(node, node->boot_tests);
    }
}

static void test_step(struct node *node)
{
    node->test_left--;
    if (node->test_left == TEST_SAMPLES - TEST_DARK)
        node->test_lit = node->pockets[node->tested].beam;
    if (node->test_left == 0)
        test_done(node);
}

void node_tick(struct node *node, const struct sense_sample samples[BOARD_POCKETS],
               uint32_t tick_us, uint16_t overruns)
{
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        struct sense *sense = &node->pockets[i];
        struct link_fall fall;
        if (sense_sample(sense, &samples[i], tick_us, &fall)) {
            fall.pocket = i;
            (void)link_report(&node->link, &fall);
        }
        /* Beams are read in pairs, the second pair four slots after the first. */
        tick_us += i == 1 ? 3 * BOARD_SLOT_US : BOARD_SLOT_US;
        link_health(&node->link, i, (enum msg_health)sense->health);
        if (sense->refused && node->link.implausible < UINT16_MAX)
            link_losses(&node->link, node->link.overruns,
                        (uint16_t)(node->link.implausible + 1u), i);
    }
    link_losses(&node->link, overruns, node->link.implausible, LINK_NODE);
    if (node->tested != NODE_NO_TEST)
        test_step(node);
}

static void answer_settings(struct node *node, uint8_t pocket)
{
    const struct sense_settings *settings = &node->pockets[pocket].settings;
    const struct msg_settings_now now = {
        .pocket = pocket,
        .threshold = settings->threshold,
        .hysteresis = settings->hysteresis,
        .least_width_us = settings->least_width_us,
        .rearm_us = settings->rearm_us,
        .spacing_um = settings->spacing_um,
    };
    link_settings(&node->link, &now);
}

static void put_settings(struct node *node, const struct msg_settings_change *change)
{
    node->pockets[change->pocket].settings = (struct sense_settings){
        .threshold = change->threshold,
        .hysteresis = change->hysteresis,
        .least_width_us = change->least_width_us,
        .rearm_us = change->rearm_us,
        .spacing_um = change->spacing_um,
    };
}

static void answer_values(struct node *node, uint8_t pocket)
{
    struct sense *sense = &node->pockets[pocket];
    const struct msg_values_now values = {
        .pocket = pocket,
        .beam = sense->beam,
        .resting = sense->resting,
        .ambient = sense->ambient,
        .reflectance = sense->reflectance,
        .deepest = sense->deepest,
        .breaks = sense->breaks,
    };
    link_values(&node->link, &values);
    sense->deepest = 0;
}

/* Falls are in the air only one pocket at a time or two: any of them puts it off. */
static bool idle(const struct node *node)
{
    for (uint8_t i = 0; i < BOARD_POCKETS; i++)
        if (!sense_idle(&node->pockets[i]))
            return false;
    return node_tested(node) && node->tested == NODE_NO_TEST;
}

static void begin_test(struct node *node, uint8_t pocket)
{
    if (idle(node)) {
        test(node, pocket);
        return;
    }
    const struct sense *sense = &node->pockets[pocket];
    const struct msg_self_test_done busy = {
        .pocket = pocket,
        .result = MSG_SELF_TEST_RESULT_BUSY,
        .lit = (uint16_t)(sense->beam + sense->ambient),
        .dark = sense->ambient,
    };
    link_self_tested(&node->link, &busy);
}

enum node_keeps node_byte(struct node *node, uint8_t byte, uint32_t now_us, uint8_t *pocket)
{
    struct link_request request = {.pocket = 0};
    if (!link_receive(&node->link, byte, now_us, &request))
        return NODE_KEEPS_NOTHING;
    *pocket = request.pocket;
    switch (request.wish) {
    case LINK_WANTS_NOTHING:
        break;
    case LINK_WANTS_SETTINGS:
        answer_settings(node, request.pocket);
        break;
    case LINK_SETS:
        put_settings(node, &request.settings);
        answer_settings(node, request.pocket);
        return NODE_KEEPS_SETTINGS;
    case LINK_WANTS_VALUES:
        answer_values(node, request.pocket);
        break;
    case LINK_WANTS_SELF_TEST:
        begin_test(node, request.pocket);
        break;
    case LINK_STORES_IDENTITY:
        return NODE_KEEPS_IDENTITY;
    }
    return NODE_KEEPS_NOTHING;
}

uint8_t node_dark(const struct node *node)
{
    bool dark = node->tested != NODE_NO_TEST && node->test_left > TEST_SAMPLES - TEST_DARK;
    return (uint8_t)(dark ? 1u << node->tested : 0u);
}

bool node_tested(const struct node *node)
{
    return node->boot_tests >= BOARD_POCKETS;
}

bool node_light(const struct node *node, uint32_t now_us)
{
    bool clear = true;
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        clear = clear && node->pockets[i].health == MSG_HEALTH_CLEAR;
        if (node->pockets[i].quiet < WINK)
            return false;
    }
    uint16_t part = (uint16_t)(now_us >> 10); /* about a millisecond */
    if (!clear)
        return (part & 255u) < 64;
    return node->link.greeted || (part & 1023u) < 64;
}
