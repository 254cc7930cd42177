/* One pocket node: joins the sensors and the link. A port gives it samples, bytes and
 * the time, sends what link_take() holds, and keeps in EEPROM what it is told to. */
#ifndef NODE_H
#define NODE_H

#include "board.h"
#include "link.h"
#include "sense.h"

#include <stdbool.h>
#include <stdint.h>

enum { NODE_NO_TEST = 255 };

enum node_keeps {
    NODE_KEEPS_NOTHING,
    NODE_KEEPS_SETTINGS,   /* node->pockets[*pocket].settings */
    NODE_KEEPS_IDENTITY    /* node->link.identity */
};

struct node {
    struct link link;
    struct sense pockets[BOARD_POCKETS];
    uint16_t test_lit;     /* ADC counts with the emitter off, in a self-test */
    uint8_t tested;        /* channel under self-test, NODE_NO_TEST for none */
    uint8_t test_left;     /* samples it still takes */
    uint8_t boot_tests;    /* channels whose self-test of the start is done */
};

/* Begin. The settings of each pocket are put into `node->pockets[n].settings` by the
 * caller before. A self-test of every pocket follows by itself. */
void node_init(struct node *node, const struct link_identity *identity,
               const struct link_start *start, uint32_t now_us);

/* Settings before the host has set others. */
struct sense_settings node_defaults(void);

/* Take one sample of every pocket. `tick_us` is when the first beam was read;
 * `overruns` is how many samples were missed since the start. */
void node_tick(struct node *node, const struct sense_sample samples[BOARD_POCKETS],
               uint32_t tick_us, uint16_t overruns);

/* Take one byte from the host; what now has to go into EEPROM, for which `pocket`. */
enum node_keeps node_byte(struct node *node, uint8_t byte, uint32_t now_us, uint8_t *pocket);

/* Emitters that have to stay dark for the self-test, a bit for each channel. */
uint8_t node_dark(const struct node *node);

/* Whether every pocket's self-test of the start is done. */
bool node_tested(const struct node *node);

/* Whether the light on the board is on. Steady: a host listens and every pocket is
 * clear. Off for a moment: a fall. One flash a second: no host. Four: a pocket is
 * not clear. */
bool node_light(const struct node *node, uint32_t now_us);

#endif
