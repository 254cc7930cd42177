/* What the node keeps in EEPROM: its identity, each pocket's settings, and how often it
 * has started.
 *
 * Every record has two places and the older one is overwritten, so a cut of the power
 * leaves the other. Starts go round a ring of 32 cells: 100,000 writes to a cell are
 * three million starts. A write takes 3.4 ms, so bytes are written one by one from the
 * main loop, and only where they differ. */
#ifndef STORE_H
#define STORE_H

#include "node.h"

#include <stdbool.h>
#include <stdint.h>

/* What a port supplies. */
uint8_t store_read(uint16_t address);
bool store_ready(void);                       /* no write is under way */
void store_write(uint16_t address, uint8_t byte); /* begin one; only when ready */

enum store_found {
    STORE_EMPTY,           /* never written */
    STORE_GOOD,
    STORE_DAMAGED          /* neither place holds a whole record */
};

/* What waits to be written. Start it zeroed. */
struct store {
    uint16_t crc;          /* of the bytes written so far */
    uint8_t wanted;        /* a bit for each record that has changed */
    uint8_t record;        /* the one being written */
    uint8_t place;         /* 0 or 1 */
    uint8_t generation;    /* its first byte */
    uint8_t done;          /* bytes of it written, 0 when none is under way */
};

/* Count this start, waiting for the EEPROM: a number, from 1, that no start before had;
 * 0 when the EEPROM does not hold it. */
uint16_t store_boot(void);

/* Read a record; left as it is unless STORE_GOOD. */
enum store_found store_identity(struct link_identity *identity);
enum store_found store_settings(uint8_t pocket, struct sense_settings *settings);

/* Have a record written; `pocket` matters for settings. */
void store_keep(struct store *store, enum node_keeps what, uint8_t pocket);

/* Write at most one byte; call it from the main loop. */
void store_poll(struct store *store, const struct node *node);

#endif
