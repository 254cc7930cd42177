/* The pocket node on any chip: port.h says what a chip supplies. */
#include "node.h"
#include "port.h"
#include "store.h"

#include <stddef.h>

#ifndef BUILD
#define BUILD 0
#endif

/* A step of main(). Inlined, what each holds would lie on the stack beside the others',
 * and an AVR has little of that. */
#define STEP static void __attribute__((noinline))

static struct node node;
static struct store store;

/* What the EEPROM holds. A damaged record is replaced by what a new node has; whether
 * there was one. */
static bool recall(struct link_identity *identity)
{
    bool damaged = false;
    enum store_found found = store_identity(identity);
    if (found != STORE_GOOD) {
        identity->device = start_random();
        store_keep(&store, NODE_KEEPS_IDENTITY, 0);
        damaged = found == STORE_DAMAGED;
    }
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        node.pockets[i].settings = node_defaults();
        damaged = store_settings(i, &node.pockets[i].settings) == STORE_DAMAGED || damaged;
    }
    return damaged;
}

/* This start's number: the host names falls by it, so it must be one that no start before
 * had, even where the memory does not hold how many there were. */
static uint16_t __attribute__((noinline)) count_start(bool *kept)
{
    uint16_t boot = store_boot();
    *kept = chip_save(clock_us()) && boot != 0;
    return *kept ? boot : (uint16_t)start_random();
}

STEP begin(void)
{
    struct link_start start = {
        .build = BUILD,
        .reset_cause = start_cause(),
        .board = chip_board(),
        .pockets = BOARD_POCKETS,
    };
    struct link_identity identity = {0};
    bool kept;
    chip_start();
    start.boot = count_start(&kept);
    bool damaged = recall(&identity) || !kept;
    node_init(&node, &identity, &start, clock_us());
    if (damaged)
        link_fault(&node.link, MSG_FAULT_KIND_MEMORY, LINK_NODE, 0);
    serial_start(&node.link);
    sampling_start();
}

STEP look(void)
{
    static bool watched;
    uint32_t tick_us;
    const struct sense_sample *samples = sampling_next(&tick_us);
    if (samples == NULL)
        return;
    node_tick(&node, samples, tick_us, sampling_missed());
    sampling_done();
    sampling_dark(node_dark(&node));
    chip_light(node_light(&node, tick_us));
    if (!watched && node_tested(&node)) {
        watched = true;
        start_watch();
    }
}

/* Samples first: what the host asks for may take longer than one. */
STEP read_bytes(void)
{
    uint8_t byte;
    while (serial_byte(&byte)) {
        uint8_t pocket = 0;
        enum node_keeps keeps = node_byte(&node, byte, clock_us(), &pocket);
        store_keep(&store, keeps, pocket);
        look();
    }
}

STEP send(void)
{
    link_poll(&node.link, clock_us());
    serial_send();
}

int main(void)
{
    begin();
    for (;;) {
        look();
        read_bytes();
        send();
        look();
        store_poll(&store, &node);
        (void)chip_save(clock_us());
        start_alive();
        chip_rest();
    }
}
