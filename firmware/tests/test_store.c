/* The EEPROM of the node under power cuts. Closes with "N passed, N failed". */
#include "store.h"

#include <stdio.h>
#include <string.h>

enum { BYTES = 1024, LONGEST = 40 };

static int passed, failed;
static uint8_t cells[BYTES];
static int writes_left = -1; /* the last of them is cut short; -1: no cut */

static void check(bool holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("FAILED: %s\n", what);
}

uint8_t store_read(uint16_t address)
{
    return cells[address];
}

bool store_ready(void)
{
    return true;
}

/* The write that the power cut falls into leaves rubbish, and no other follows. */
void store_write(uint16_t address, uint8_t byte)
{
    if (writes_left == 0)
        return;
    cells[address] = writes_left == 1 ? (uint8_t)(byte ^ 0x5Au) : byte;
    if (writes_left > 0)
        writes_left--;
}

static void write_all(struct store *store, const struct node *node)
{
    for (int i = 0; i < LONGEST; i++)
        store_poll(store, node);
}

static void keep(struct node *node, uint64_t device)
{
    struct store store = {0};
    node->link.identity.device = device;
    store_keep(&store, NODE_KEEPS_IDENTITY, 0);
    write_all(&store, node);
}

static void a_power_cut_leaves_the_old_record_or_the_new(void)
{
    static struct node node;
    for (int cut = 1; cut < LONGEST; cut++) {
        struct link_identity found = {0};
        memset(cells, 0xFF, sizeof cells);
        writes_left = -1;
        keep(&node, 11);
        keep(&node, 22);
        writes_left = cut;
        keep(&node, 33);
        writes_left = -1;
        check(store_identity(&found) == STORE_GOOD, "a record survives");
        check(found.device == 22 || found.device == 33, "and is the old or the new one");
    }
}

static void a_record_that_changes_while_it_is_written_is_written_again(void)
{
    static struct node node;
    struct store store = {0};
    struct link_identity found = {0};
    memset(cells, 0xFF, sizeof cells);
    node.link.identity.device = 1;
    store_keep(&store, NODE_KEEPS_IDENTITY, 0);
    for (int i = 0; i < 9; i++)
        store_poll(&store, &node);
    node.link.identity.device = 2;
    store_keep(&store, NODE_KEEPS_IDENTITY, 0);
    write_all(&store, &node);
    check(store_identity(&found) == STORE_GOOD && found.device == 2, "the last word counts");
}

static void each_pocket_has_its_own_settings(void)
{
    static struct node node;
    struct store store = {0};
    memset(cells, 0xFF, sizeof cells);
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        node.pockets[i].settings = node_defaults();
        node.pockets[i].settings.threshold = (uint16_t)(100 + i);
        store_keep(&store, NODE_KEEPS_SETTINGS, i);
    }
    for (int i = 0; i < BOARD_POCKETS; i++)
        write_all(&store, &node);
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        struct sense_settings found = {0};
        check(store_settings(i, &found) == STORE_GOOD, "settings are kept");
        check(found.threshold == 100 + i, "each pocket's own");
    }
}

static void the_boot_counter_never_goes_back(void)
{
    uint16_t last = 0;
    memset(cells, 0xFF, sizeof cells);
    for (long i = 0; i < 70000; i++) {
        uint16_t boot = store_boot();
        if (boot != (last == UINT16_MAX ? 1 : last + 1))
            check(false, "each start counts one");
        last = boot;
    }
    check(last == 70000 - UINT16_MAX, "over the wrap, where 0 is left out");
}

static void a_memory_that_holds_nothing_gives_no_number(void)
{
    memset(cells, 0xFF, sizeof cells);
    (void)store_boot();
    writes_left = 0;
    check(store_boot() == 0, "the caller has to find another number");
    writes_left = -1;
    check(store_boot() == 2, "and this one was not used up");
}

static void a_start_that_was_spoilt_later_keeps_its_number(void)
{
    uint16_t last = 0;
    memset(cells, 0xFF, sizeof cells);
    for (int i = 0; i < 40; i++)
        last = store_boot();
    for (uint16_t address = 0; address < 128; address++)
        if (cells[address] == last && (address & 3u) == 0)
            cells[address] ^= 1u;
    check(store_boot() == last + 1, "no number comes twice");
}

static void a_cut_while_a_start_is_counted_loses_at_most_that_start(void)
{
    for (int cut = 1; cut <= 4; cut++) {
        uint16_t before = 0;
        memset(cells, 0xFF, sizeof cells);
        for (int i = 0; i < 40; i++)
            before = store_boot();
        writes_left = cut;
        (void)store_boot();
        writes_left = -1;
        uint16_t after = store_boot();
        check(after == before + 1 || after == before + 2, "no number comes twice");
    }
}

static void rubbish_is_told_from_an_empty_chip(void)
{
    struct link_identity found = {0};
    memset(cells, 0xFF, sizeof cells);
    check(store_identity(&found) == STORE_EMPTY, "a new chip is empty");
    memset(cells, 0, sizeof cells);
    check(store_identity(&found) == STORE_DAMAGED, "zeros are no record");
    check(store_boot() == 1, "nor a start");
}

int main(void)
{
    a_power_cut_leaves_the_old_record_or_the_new();
    a_record_that_changes_while_it_is_written_is_written_again();
    each_pocket_has_its_own_settings();
    the_boot_counter_never_goes_back();
    a_memory_that_holds_nothing_gives_no_number();
    a_start_that_was_spoilt_later_keeps_its_number();
    a_cut_while_a_start_is_counted_loses_at_most_that_start();
    rubbish_is_told_from_an_empty_chip();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
