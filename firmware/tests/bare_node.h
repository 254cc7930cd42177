/* A node that is a link and nothing else: the tests, the fuzzers and, as a shared
 * library, the Python tests play the real link with it. */
#ifndef BARE_NODE_H
#define BARE_NODE_H

#include "link.h"

#include <stddef.h>

struct bare_node {
    struct link link;
    struct msg_settings_now settings[LINK_POCKETS];
    unsigned stored; /* how often the identity went to EEPROM */
};

struct bare_node *bare_new(uint64_t device, uint16_t boot, uint8_t cause, uint32_t now_us);
void bare_free(struct bare_node *node);

/* Start anew: only what is in EEPROM is kept. */
void bare_restart(struct bare_node *node, uint8_t cause, uint32_t now_us);

void bare_receive(struct bare_node *node, const uint8_t *bytes, size_t size, uint32_t now_us);
size_t bare_poll(struct bare_node *node, uint32_t now_us, uint8_t *out, size_t most);
bool bare_report(struct bare_node *node, uint8_t pocket, uint8_t looks, uint32_t tick_us,
                 uint32_t width_us);
void bare_health(struct bare_node *node, uint8_t pocket, uint8_t health);
void bare_losses(struct bare_node *node, uint16_t overruns, uint16_t implausible, uint8_t pocket);
unsigned bare_pending(const struct bare_node *node);
uint64_t bare_device(const struct bare_node *node);
uint16_t bare_boot(const struct bare_node *node);

/* Every body in these bytes, each after its size, to `out`; how many bytes that is.
 * `damaged` counts what ended like a frame and is none. */
size_t bare_bodies(const uint8_t *bytes, size_t size, uint8_t *out, unsigned *damaged);
bool bare_key(const struct bare_node *node, uint8_t *key);
uint8_t bare_label(const struct bare_node *node);

#endif
