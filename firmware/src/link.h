/* The node's end of the link: what it says to the host and what it keeps until the
 * host has it. Bytes, ticks and falls come in as arguments; bytes to send wait in a
 * ring that the caller drains. Portable: no pins, no clock, no allocation. What is
 * promised stands in protocol/PROTOCOL.md, "How a fall reaches the journal".
 *
 * Per pass of the main loop:
 *
 *     while (a byte came)
 *         if (link_receive(&link, byte, now_us, &request))
 *             do what `request` asks, answer with link_settings() and its like;
 *     link_report(), link_health(), link_losses() when there is something to tell;
 *     link_poll(&link, now_us);
 *
 * and link_take() from the transmit interrupt, or wherever the line takes a byte. */
#ifndef LINK_H
#define LINK_H

#include "frame.h"
#include "messages.h"
#include "siphash.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LINK_KEPT = 32,     /* reports kept until they are acknowledged */
    LINK_POCKETS = 4,   /* channels a node can have */
    LINK_OUT = 64,      /* bytes of the ring, a power of two up to 256 */
    LINK_FAULTS = MSG_FAULT_KIND_HOST_REFUSED + 1,
    LINK_NODE = 255,    /* pocket of a fault that concerns the whole node */
    LINK_IDENTIFIED = MSG_HELLO_SIZE + FRAME_OVERHEAD /* bytes of a hello on the wire */
};

/* Who the node is; the port reads it from EEPROM before link_init(). */
struct link_identity {
    uint64_t device;          /* random, written once */
    uint8_t key[SIPHASH_KEY]; /* secret shared with the host, where `keyed` */
    uint8_t keyed;            /* 0 or 1 */
    uint8_t label;            /* number on the box, 0 for none */
};

/* This start of the node. */
struct link_start {
    uint32_t build;           /* start of the commit, 0 when unknown */
    uint16_t boot;            /* starts so far */
    uint8_t reset_cause;      /* enum msg_reset_cause */
    uint8_t board;            /* enum msg_board */
    uint8_t pockets;          /* channels, 1 to LINK_POCKETS */
};

/* What passed a pocket's sensor: piece_fell without what the link adds to it. */
struct link_fall {
    uint32_t tick_us;         /* node's clock when the beam broke */
    uint32_t width_us;        /* how long it stayed broken */
    uint16_t depth;           /* 0 to 1023, as are the next two */
    uint16_t reflectance;
    uint16_t ambient;
    uint8_t pocket;           /* channel, 0 to 3 */
    uint8_t looks;            /* enum msg_looks */
};

/* What the host asks of the rest of the node. */
enum link_wish {
    LINK_WANTS_NOTHING,
    LINK_WANTS_SETTINGS,      /* of `pocket`: answer with link_settings() */
    LINK_SETS,                /* put `settings` in force, store, answer likewise */
    LINK_WANTS_VALUES,        /* of `pocket`: answer with link_values() */
    LINK_WANTS_SELF_TEST,     /* of `pocket`: link_self_tested() when done */
    LINK_STORES_IDENTITY      /* write link->identity into EEPROM */
};

struct link_request {
    enum link_wish wish;
    uint8_t pocket;                      /* one the node has */
    struct msg_settings_change settings; /* within the ranges, hysteresis < threshold */
};

/* A report that waits for its acknowledgement, packed: 32 of them are a fifth of the
 * smallest chip's RAM. */
struct link_kept {
    uint32_t tick_us;
    uint32_t measured;        /* ambient, reflectance, depth: 10 bits each; pocket: 2 */
    uint16_t sequence;        /* its low half: fewer than 65,536 are given out meanwhile */
    uint16_t width;           /* in 10 us; stops at the maximum, 0.65 s */
    uint8_t sent;             /* looks: 2 bits; 0: not yet, else when, in 8.192 ms: 6 bits */
};

/* The node's end; written by the functions below alone. */
struct link {
    struct link_identity identity;
    struct link_start start;
    struct frame_reader reader;
    struct link_kept kept[LINK_KEPT];
    uint8_t first;            /* index of the oldest report kept */
    uint8_t waiting;          /* reports kept, 0 to LINK_KEPT */
    uint32_t next;            /* number the next report gets */
    uint16_t dropped;         /* these stop at 65535 */
    uint16_t resent;
    uint16_t damaged;
    uint16_t overruns;
    uint16_t implausible;
    uint8_t health[LINK_POCKETS]; /* enum msg_health */
    uint32_t hello_us;        /* when the last hello was sent */
    uint32_t beat_us;         /* when the last heartbeat was sent */
    bool greeted;             /* by a host of our definition */
    bool hello_due;
    bool beat_due;
    uint8_t faulty;           /* one bit for each kind of fault not told yet */
    uint8_t fault_pocket[LINK_FAULTS];
    uint16_t fault_detail[LINK_FAULTS];
    volatile uint8_t out[LINK_OUT]; /* written before `out_head`, read before `out_tail` */
    volatile uint8_t out_head; /* next byte goes here: main loop */
    volatile uint8_t out_tail; /* next byte comes from here: whoever sends */
};

/* Begin; a hello is due at once. */
void link_init(struct link *link, const struct link_identity *identity,
               const struct link_start *start, uint32_t now_us);

/* Keep a fall until the host has written it down. False when 32 are waiting: it is
 * dropped, has used up its number, and is counted and told as a fault. */
bool link_report(struct link *link, const struct link_fall *fall);

/* The state of one channel; a change is told at once. */
void link_health(struct link *link, uint8_t pocket, enum msg_health health);

/* Totals since the start; what is new is told as a fault and in the heartbeat. */
void link_losses(struct link *link, uint16_t overruns, uint16_t implausible, uint8_t pocket);

/* Have a fault told once. */
void link_fault(struct link *link, enum msg_fault_kind kind, uint8_t pocket, uint16_t detail);

/* Take one byte from the host, read at `now_us`. True when `request` holds something
 * for the rest of the node to do. */
bool link_receive(struct link *link, uint8_t byte, uint32_t now_us,
                  struct link_request *request);

/* Answers to requests. One that finds no room is not sent: the host asks again. */
void link_settings(struct link *link, const struct msg_settings_now *settings);
void link_values(struct link *link, const struct msg_values_now *values);
void link_self_tested(struct link *link, const struct msg_self_test_done *done);

/* Put what is due into the ring, one frame at most, so that a pass of the main loop
 * stays short; call it every millisecond or so. */
void link_poll(struct link *link, uint32_t now_us);

/* Next byte to send; false when there is none. Safe in an interrupt that does not
 * interrupt itself. */
static inline bool link_take(struct link *link, uint8_t *byte)
{
    uint8_t tail = link->out_tail;
    if (tail == link->out_head)
        return false;
    *byte = link->out[tail];
    link->out_tail = (uint8_t)((tail + 1u) & (LINK_OUT - 1u));
    return true;
}

#endif
