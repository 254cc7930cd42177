#include "store.h"

#include "frame.h"

enum {
    CELLS = 32,            /* of the ring of starts, at address 0 */
    CELL = 4,              /* bytes: the number, its check */
    RECORDS = 128,         /* address of the first record */
    PLACE = 40,            /* bytes between the two places of one and between records */
    IDENTITY = 0,          /* record; the settings of pocket n are record n + 1 */
    ERASED = 0xFF
};
/* Generation, bytes and CRC have room in a place. */
typedef char store_fits[sizeof(struct link_identity) + 3 <= PLACE ? 1 : -1];
#define CELL_MARK 0x5AA5u  /* a cell of zeros is no start */

static uint16_t cell_check(uint16_t boot)
{
    return (uint16_t)~(boot ^ CELL_MARK);
}

static uint16_t read16(uint16_t address)
{
    uint16_t high = store_read((uint16_t)(address + 1u));
    return (uint16_t)(high << 8 | store_read(address));
}

static void write_now(uint16_t address, uint8_t byte)
{
    if (store_read(address) == byte)
        return;
    while (!store_ready()) {
    }
    store_write(address, byte);
}

static bool good_cell(uint8_t cell, uint16_t *boot)
{
    *boot = read16((uint16_t)(cell * CELL));
    return read16((uint16_t)(cell * CELL + 2)) == cell_check(*boot);
}

static bool blank_cell(uint8_t cell)
{
    return read16((uint16_t)(cell * CELL)) == 0xFFFFu &&
           read16((uint16_t)(cell * CELL + 2)) == 0xFFFFu;
}

/* The cell of the last start, CELLS for none. */
static uint8_t last_cell(uint16_t *last)
{
    uint8_t found = CELLS;
    *last = 0;
    for (uint8_t i = 0; i < CELLS; i++) {
        uint16_t boot;
        if (good_cell(i, &boot) && (found == CELLS || (uint16_t)(boot - *last) < 0x8000u)) {
            *last = boot;
            found = i;
        }
    }
    return found;
}

/* The cell that follows the last good one may be a start that was told and then spoilt:
 * its number is not given out again. */
uint16_t store_boot(void)
{
    uint16_t last;
    uint16_t spoilt;
    uint8_t cell = (uint8_t)((last_cell(&last) + 1u) % CELLS);
    bool skip = last != 0 && !good_cell(cell, &spoilt) && !blank_cell(cell);
    uint16_t boot = (uint16_t)(last + (skip ? 2u : 1u));
    if (boot == 0)
        boot = 1;
    uint16_t address = (uint16_t)(cell * CELL);
    uint16_t check = cell_check(boot);
    write_now(address, (uint8_t)boot);
    write_now((uint16_t)(address + 1u), (uint8_t)(boot >> 8));
    write_now((uint16_t)(address + 2u), (uint8_t)check);
    write_now((uint16_t)(address + 3u), (uint8_t)(check >> 8));
    while (!store_ready()) {
    }
    uint16_t kept;
    return good_cell(cell, &kept) && kept == boot ? boot : 0;
}

static uint16_t address_of(uint8_t record, uint8_t place)
{
    return (uint16_t)(RECORDS + (record * 2u + place) * PLACE);
}

static uint8_t size_of(uint8_t record)
{
    return record == IDENTITY ? sizeof(struct link_identity) : sizeof(struct sense_settings);
}

/* A record is its generation, its bytes and their CRC, low byte first. */
static bool whole(uint8_t record, uint8_t place)
{
    uint16_t address = address_of(record, place);
    uint16_t crc = FRAME_CRC_START;
    uint8_t size = (uint8_t)(size_of(record) + 1u);
    for (uint8_t i = 0; i < size; i++)
        crc = frame_crc_add(crc, store_read((uint16_t)(address + i)));
    return read16((uint16_t)(address + size)) == crc;
}

static bool erased(uint8_t record)
{
    for (uint8_t i = 0; i < 2 * PLACE; i++)
        if (store_read((uint16_t)(address_of(record, 0) + i)) != ERASED)
            return false;
    return true;
}

/* The place of the newer whole record; 2 when neither is whole. */
static uint8_t newer(uint8_t record)
{
    bool first = whole(record, 0);
    bool second = whole(record, 1);
    if (!first || !second)
        return first ? 0 : second ? 1 : 2;
    uint8_t ahead = (uint8_t)(store_read(address_of(record, 1)) - store_read(address_of(record, 0)));
    return ahead < 128 ? 1 : 0;
}

static enum store_found load(uint8_t record, void *into)
{
    uint8_t place = newer(record);
    if (place > 1)
        return erased(record) ? STORE_EMPTY : STORE_DAMAGED;
    uint8_t *bytes = into;
    for (uint8_t i = 0; i < size_of(record); i++)
        bytes[i] = store_read((uint16_t)(address_of(record, place) + 1u + i));
    return STORE_GOOD;
}

enum store_found store_identity(struct link_identity *identity)
{
    return load(IDENTITY, identity);
}

enum store_found store_settings(uint8_t pocket, struct sense_settings *settings)
{
    return load((uint8_t)(pocket + 1u), settings);
}

void store_keep(struct store *store, enum node_keeps what, uint8_t pocket)
{
    if (what == NODE_KEEPS_NOTHING)
        return;
    uint8_t record = what == NODE_KEEPS_IDENTITY ? IDENTITY : (uint8_t)(pocket + 1u);
    store->wanted = (uint8_t)(store->wanted | 1u << record);
    if (store->record == record)
        store->done = 0; /* it changed while it was being written: begin again */
}

static void choose(struct store *store)
{
    store->record = 0;
    while ((store->wanted & 1u << store->record) == 0)
        store->record++;
    uint8_t place = newer(store->record);
    store->place = place == 0 ? 1 : 0;
    store->generation = (uint8_t)(store_read(address_of(store->record, place & 1u)) + 1u);
    store->crc = FRAME_CRC_START;
}

static uint8_t next_byte(const struct store *store, const struct node *node)
{
    uint8_t size = size_of(store->record);
    const uint8_t *bytes = store->record == IDENTITY
        ? (const uint8_t *)&node->link.identity
        : (const uint8_t *)&node->pockets[store->record - 1].settings;
    if (store->done == 0)
        return store->generation;
    if (store->done <= size)
        return bytes[store->done - 1];
    return (uint8_t)(store->done == size + 1 ? store->crc : store->crc >> 8);
}

void store_poll(struct store *store, const struct node *node)
{
    if (store->wanted == 0 || !store_ready())
        return;
    if (store->done == 0)
        choose(store);
    uint8_t size = size_of(store->record);
    uint8_t byte = next_byte(store, node);
    uint16_t address = (uint16_t)(address_of(store->record, store->place) + store->done);
    if (store->done <= size)
        store->crc = frame_crc_add(store->crc, byte);
    if (store_read(address) != byte)
        store_write(address, byte);
    store->done++;
    if (store->done < size + 3)
        return;
    store->done = 0;
    store->wanted = (uint8_t)(store->wanted & ~(1u << store->record));
}
