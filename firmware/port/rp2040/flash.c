/* What an AVR keeps in EEPROM lies here in RAM, and as a whole in one of 16 places of
 * the last 16 kB of flash: each save goes to the next place, the newest whole one
 * counts, so a cut of the power leaves the older. Four places are erased together, which
 * takes 50 ms and more: that is done ahead, at the start. A save takes some 3 ms, in
 * which nothing is sampled; samples missed are counted. It happens at the start, and
 * when the host changes settings, label, id or key. */
#include "chip.h"
#include "frame.h"
#include "port.h"
#include "store.h"

#include <string.h>

enum {
    PLACES = 16,
    PLACE = 1024,          /* bytes, four pages */
    SECTOR = 4096,
    PER_SECTOR = SECTOR / PLACE,
    AHEAD = 8,             /* places made ready at the start */
    HELD = 1014,           /* bytes of "EEPROM" in a place */
    AREA = (2 << 20) - PLACES * PLACE, /* from the start of a Pico's flash of 2 MB */
    QUIET_US = 20000,      /* without a write, before all is saved */
    ERASE_COMMAND = 0xD8,
    ERASE_BLOCK = 1 << 16
};
#define FLASH 0x10000000u

struct saved {
    uint32_t number;       /* grows with each save */
    uint32_t unused;
    uint8_t bytes[HELD];
    uint16_t crc;          /* of all before */
};
typedef char flash_fits[sizeof(struct saved) == PLACE ? 1 : -1];

static struct saved kept;
static uint8_t place;      /* the next save goes here */
static bool changed;
static bool started;       /* sampling may be going on */
static uint32_t changed_us;

static const struct saved *at(uint8_t which)
{
    return (const struct saved *)(FLASH + AREA + (uint32_t)which * PLACE);
}

static uint16_t check(const struct saved *saved)
{
    uint16_t crc = FRAME_CRC_START;
    const uint8_t *bytes = (const uint8_t *)saved;
    for (uint32_t i = 0; i < PLACE - sizeof saved->crc; i++)
        crc = frame_crc_add(crc, bytes[i]);
    return crc;
}

static bool blank(uint8_t which)
{
    const uint32_t *words = (const uint32_t *)at(which);
    for (uint32_t i = 0; i < PLACE / sizeof *words; i++)
        if (words[i] != UINT32_MAX)
            return false;
    return true;
}

/* A function of the boot ROM by its two letters; its table and its look-up lie at fixed
 * addresses of 16 bits. */
static uintptr_t rom(char first, char second)
{
    typedef uintptr_t look_up(uintptr_t table, uint32_t code);
    look_up *find = (look_up *)(uintptr_t)*(const volatile uint16_t *)0x18;
    return find(*(const volatile uint16_t *)0x14, (uint32_t)first | (uint32_t)second << 8);
}

/* Write a place, or with NULL erase its sector. This program runs in RAM: all it must not
 * do meanwhile is read flash. */
static void change(uint8_t which, const void *bytes)
{
    typedef void plain(void);
    typedef void erase(uint32_t from, uint32_t count, uint32_t block, uint8_t command);
    typedef void program(uint32_t from, const uint8_t *what, uint32_t count);
    uint32_t from = AREA + (uint32_t)which * PLACE;
    plain *connect = (plain *)rom('I', 'F');
    plain *leave = (plain *)rom('E', 'X');
    plain *flush = (plain *)rom('F', 'C');
    plain *enter = (plain *)rom('C', 'X');
    erase *do_erase = (erase *)rom('R', 'E');
    program *do_program = (program *)rom('R', 'P');
    uint32_t before = irq_off();
    connect();
    leave();
    if (bytes == NULL)
        do_erase(from, SECTOR, ERASE_BLOCK, ERASE_COMMAND);
    else
        do_program(from, bytes, PLACE);
    flush();
    enter();
    irq_back(before);
}

static uint8_t after(uint8_t which)
{
    return (uint8_t)((which + 1u) % PLACES);
}

/* Make sure that a place is blank; erasing takes the three behind it along. */
static bool ready(uint8_t which)
{
    if (blank(which))
        return true;
    if (which % PER_SECTOR != 0)
        return false; /* a torn save: skip it */
    change(which, NULL);
    return blank(which);
}

void flash_start(void)
{
    bool found = false;
    uint8_t newest = PLACES - 1;
    for (uint8_t i = 0; i < PLACES; i++) {
        const struct saved *saved = at(i);
        bool later = !found || (int32_t)(saved->number - kept.number) > 0;
        if (saved->crc != check(saved) || !later)
            continue;
        kept = *saved;
        newest = i;
        found = true;
    }
    if (!found)
        memset(&kept, 0xFF, sizeof kept);
    place = after(newest);
    for (uint8_t i = 0, which = place; i < AHEAD; i++, which = after(which))
        (void)ready(which);
}

static bool save(void)
{
    kept.number++;
    kept.crc = check(&kept);
    changed = false;
    for (uint8_t tries = 0; tries < PLACES; tries++) {
        uint8_t which = place;
        place = after(place);
        if (!ready(which))
            continue;
        change(which, &kept);
        if (memcmp(at(which), &kept, PLACE) == 0)
            return true;
    }
    return false;
}

bool chip_save(uint32_t now_us)
{
    bool first = !started;
    started = true;
    bool due = changed && (first || now_us - changed_us > QUIET_US);
    return !due || save();
}

uint8_t store_read(uint16_t address)
{
    return kept.bytes[address];
}

bool store_ready(void)
{
    return true;
}

void store_write(uint16_t address, uint8_t byte)
{
    kept.bytes[address] = byte;
    changed = true;
    changed_us = clock_us();
}
