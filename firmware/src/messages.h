/* Generated from firmware/protocol/messages.toml by generate.py: do not edit. */
#ifndef MESSAGES_H
#define MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#define MSG_PROTOCOL 2u
#define MSG_DEFINITION 0x7B3846C5u
#define MSG_LARGEST 30u

/* Why the node started. */
enum msg_reset_cause { MSG_RESET_CAUSE_POWER = 0, MSG_RESET_CAUSE_EXTERNAL = 1, MSG_RESET_CAUSE_BROWN_OUT = 2, MSG_RESET_CAUSE_WATCHDOG = 3, MSG_RESET_CAUSE_SOFTWARE = 4, MSG_RESET_CAUSE_UNKNOWN = 5 };

/* What the firmware was built for; `carrom flash` picks the image by it. */
enum msg_board { MSG_BOARD_HOST = 0, MSG_BOARD_ATMEGA328P = 1, MSG_BOARD_RP2040 = 2 };

/* What the sensor took the falling piece for, by how far it reaches. */
enum msg_looks { MSG_LOOKS_ONE_COIN = 0, MSG_LOOKS_TWO_COINS = 1, MSG_LOOKS_STRIKER = 2, MSG_LOOKS_UNSURE = 3 };

/* State of one pocket's sensor; a state is never a count. */
enum msg_health { MSG_HEALTH_CLEAR = 0, MSG_HEALTH_BLOCKED = 1, MSG_HEALTH_BLINDED = 2, MSG_HEALTH_DEAD = 3 };

/* What went wrong inside the node. */
enum msg_fault_kind { MSG_FAULT_KIND_OVERFLOW = 0, MSG_FAULT_KIND_IMPLAUSIBLE_RATE = 1, MSG_FAULT_KIND_LOOP_OVERRUN = 2, MSG_FAULT_KIND_MEMORY = 3, MSG_FAULT_KIND_HOST_REFUSED = 4 };

/* How a self-test of one pocket ended. */
enum msg_self_test_result { MSG_SELF_TEST_RESULT_PASSED = 0, MSG_SELF_TEST_RESULT_STAYS_DARK = 1, MSG_SELF_TEST_RESULT_STAYS_LIT = 2, MSG_SELF_TEST_RESULT_BUSY = 3 };

/* How writing a key ended. */
enum msg_key_result { MSG_KEY_RESULT_WRITTEN = 0, MSG_KEY_RESULT_REFUSED = 1 };

static inline void msg_put8(uint8_t *p, uint8_t v)
{ p[0] = (uint8_t)(v >> 0); }
static inline uint8_t msg_get8(const uint8_t *p)
{ return (uint8_t)(((uint8_t)p[0] << 0)); }

static inline void msg_put16(uint8_t *p, uint16_t v)
{ p[0] = (uint8_t)(v >> 0); p[1] = (uint8_t)(v >> 8); }
static inline uint16_t msg_get16(const uint8_t *p)
{ return (uint16_t)(((uint16_t)p[0] << 0) | ((uint16_t)p[1] << 8)); }

static inline void msg_put32(uint8_t *p, uint32_t v)
{ p[0] = (uint8_t)(v >> 0); p[1] = (uint8_t)(v >> 8); p[2] = (uint8_t)(v >> 16); p[3] = (uint8_t)(v >> 24); }
static inline uint32_t msg_get32(const uint8_t *p)
{ return (uint32_t)(((uint32_t)p[0] << 0) | ((uint32_t)p[1] << 8) | ((uint32_t)p[2] << 16) | ((uint32_t)p[3] << 24)); }

static inline void msg_put64(uint8_t *p, uint64_t v)
{ p[0] = (uint8_t)(v >> 0); p[1] = (uint8_t)(v >> 8); p[2] = (uint8_t)(v >> 16); p[3] = (uint8_t)(v >> 24); p[4] = (uint8_t)(v >> 32); p[5] = (uint8_t)(v >> 40); p[6] = (uint8_t)(v >> 48); p[7] = (uint8_t)(v >> 56); }
static inline uint64_t msg_get64(const uint8_t *p)
{ return (uint64_t)(((uint64_t)p[0] << 0) | ((uint64_t)p[1] << 8) | ((uint64_t)p[2] << 16) | ((uint64_t)p[3] << 24) | ((uint64_t)p[4] << 32) | ((uint64_t)p[5] << 40) | ((uint64_t)p[6] << 48) | ((uint64_t)p[7] << 56)); }

/* From the device. Sent at start once a second until greeted, and in answer to every greeting. */
struct msg_hello {
    uint16_t protocol; /* number, 0 to 65535: Protocol number of the firmware. */
    uint32_t definition; /* hash, 0 to 4294967295: Start of the SHA-256 of the firmware's messages.toml. */
    uint32_t build; /* hash, 0 to 4294967295: Start of the commit the firmware was built from; 0 when unknown. */
    uint64_t device; /* id, 0 to 18446744073709551615: Random id written once into the node's EEPROM. */
    uint16_t boot; /* count, 0 to 65535: Starts of this node, kept in EEPROM. */
    uint8_t reset_cause; /* reset_cause, 0 to 5: Why this start happened. */
    uint8_t pockets; /* count, 1 to 4: Pockets wired to this node. */
    uint8_t label; /* number, 0 to 255: Number the builder wrote on the box; 0 for none. */
    uint8_t board; /* board, 0 to 2: What the firmware was built for. */
    uint8_t keyed; /* bool, 0 to 1: Whether the node holds a key and can answer a challenge. */
    uint32_t oldest; /* sequence, 0 to 4294967295: Oldest report still kept; the next number when none is. */
};
enum { MSG_HELLO_ID = 1, MSG_HELLO_SIZE = 30 };
/* Write MSG_HELLO_SIZE bytes. */
static inline void msg_hello_pack(const struct msg_hello *m, uint8_t *body)
{
    body[0] = MSG_HELLO_ID;
    msg_put16(body + 1, m->protocol);
    msg_put32(body + 3, m->definition);
    msg_put32(body + 7, m->build);
    msg_put64(body + 11, m->device);
    msg_put16(body + 19, m->boot);
    msg_put8(body + 21, m->reset_cause);
    msg_put8(body + 22, m->pockets);
    msg_put8(body + 23, m->label);
    msg_put8(body + 24, m->board);
    msg_put8(body + 25, m->keyed);
    msg_put32(body + 26, m->oldest);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_hello_unpack(struct msg_hello *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_HELLO_SIZE || body[0] != MSG_HELLO_ID)
        return false;
    m->protocol = msg_get16(body + 1);
    m->definition = msg_get32(body + 3);
    m->build = msg_get32(body + 7);
    m->device = msg_get64(body + 11);
    m->boot = msg_get16(body + 19);
    m->reset_cause = msg_get8(body + 21);
    m->pockets = msg_get8(body + 22);
    m->label = msg_get8(body + 23);
    m->board = msg_get8(body + 24);
    m->keyed = msg_get8(body + 25);
    m->oldest = msg_get32(body + 26);
    return !(m->reset_cause > 5u || m->pockets < 1u || m->pockets > 4u || m->board > 2u || m->keyed > 1u);
}

/* From the device. Something passed a pocket's sensor; sent again until acknowledged. */
struct msg_piece_fell {
    uint16_t boot; /* count, 0 to 65535: Start of the node in which it fell. */
    uint32_t sequence; /* sequence, 0 to 4294967295: Counts up from 0 in each start; a dropped report uses up its number. */
    uint8_t pocket; /* channel, 0 to 3: Channel: 0 north-east, then clockwise, unless the host is told otherwise. */
    uint8_t looks; /* looks, 0 to 3: What the node took it for. */
    uint32_t tick_us; /* us, 0 to 4294967295: Node's clock when the beam broke; wraps after 71.6 minutes. */
    uint32_t width_us; /* us, 0 to 4294967295: How long the beam stayed broken. */
    uint16_t depth; /* ADC counts, 0 to 1023: Deepest fall of the beam below its resting level. */
    uint16_t reflectance; /* ADC counts, 0 to 1023: Light thrown back by the piece at its brightest. */
    uint16_t ambient; /* ADC counts, 0 to 1023: Foreign light while it passed, emitter off. */
};
enum { MSG_PIECE_FELL_ID = 2, MSG_PIECE_FELL_SIZE = 23 };
/* Write MSG_PIECE_FELL_SIZE bytes. */
static inline void msg_piece_fell_pack(const struct msg_piece_fell *m, uint8_t *body)
{
    body[0] = MSG_PIECE_FELL_ID;
    msg_put16(body + 1, m->boot);
    msg_put32(body + 3, m->sequence);
    msg_put8(body + 7, m->pocket);
    msg_put8(body + 8, m->looks);
    msg_put32(body + 9, m->tick_us);
    msg_put32(body + 13, m->width_us);
    msg_put16(body + 17, m->depth);
    msg_put16(body + 19, m->reflectance);
    msg_put16(body + 21, m->ambient);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_piece_fell_unpack(struct msg_piece_fell *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_PIECE_FELL_SIZE || body[0] != MSG_PIECE_FELL_ID)
        return false;
    m->boot = msg_get16(body + 1);
    m->sequence = msg_get32(body + 3);
    m->pocket = msg_get8(body + 7);
    m->looks = msg_get8(body + 8);
    m->tick_us = msg_get32(body + 9);
    m->width_us = msg_get32(body + 13);
    m->depth = msg_get16(body + 17);
    m->reflectance = msg_get16(body + 19);
    m->ambient = msg_get16(body + 21);
    return !(m->pocket > 3u || m->looks > 3u || m->depth > 1023u || m->reflectance > 1023u || m->ambient > 1023u);
}

/* From the device. Sent five times a second, and at once when a state or a counter of losses changes. */
struct msg_heartbeat {
    uint16_t boot; /* count, 0 to 65535: Start of the node the counters belong to. */
    uint32_t oldest; /* sequence, 0 to 4294967295: Oldest report still kept; the next number when none is. */
    uint8_t health_0; /* health, 0 to 3: State of channel 0. */
    uint8_t health_1; /* health, 0 to 3: State of channel 1. */
    uint8_t health_2; /* health, 0 to 3: State of channel 2. */
    uint8_t health_3; /* health, 0 to 3: State of channel 3. */
    uint16_t dropped; /* count, 0 to 65535: Reports dropped since the start because 32 were waiting. */
    uint16_t resent; /* count, 0 to 65535: Reports sent again since the start; stops at the maximum. */
    uint16_t damaged; /* count, 0 to 65535: Damaged frames received since the start; stops at the maximum. */
    uint16_t overruns; /* count, 0 to 65535: Samples the node's main loop came too late for; stops at the maximum. */
    uint16_t implausible; /* count, 0 to 65535: Breaks not reported because more came than there are pieces; stops at the maximum. */
};
enum { MSG_HEARTBEAT_ID = 3, MSG_HEARTBEAT_SIZE = 21 };
/* Write MSG_HEARTBEAT_SIZE bytes. */
static inline void msg_heartbeat_pack(const struct msg_heartbeat *m, uint8_t *body)
{
    body[0] = MSG_HEARTBEAT_ID;
    msg_put16(body + 1, m->boot);
    msg_put32(body + 3, m->oldest);
    msg_put8(body + 7, m->health_0);
    msg_put8(body + 8, m->health_1);
    msg_put8(body + 9, m->health_2);
    msg_put8(body + 10, m->health_3);
    msg_put16(body + 11, m->dropped);
    msg_put16(body + 13, m->resent);
    msg_put16(body + 15, m->damaged);
    msg_put16(body + 17, m->overruns);
    msg_put16(body + 19, m->implausible);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_heartbeat_unpack(struct msg_heartbeat *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_HEARTBEAT_SIZE || body[0] != MSG_HEARTBEAT_ID)
        return false;
    m->boot = msg_get16(body + 1);
    m->oldest = msg_get32(body + 3);
    m->health_0 = msg_get8(body + 7);
    m->health_1 = msg_get8(body + 8);
    m->health_2 = msg_get8(body + 9);
    m->health_3 = msg_get8(body + 10);
    m->dropped = msg_get16(body + 11);
    m->resent = msg_get16(body + 13);
    m->damaged = msg_get16(body + 15);
    m->overruns = msg_get16(body + 17);
    m->implausible = msg_get16(body + 19);
    return !(m->health_0 > 3u || m->health_1 > 3u || m->health_2 > 3u || m->health_3 > 3u);
}

/* From the device. Answers a clock query at once. */
struct msg_clock_reply {
    uint16_t token; /* number, 0 to 65535: The query's token. */
    uint32_t tick_us; /* us, 0 to 4294967295: Node's clock when the query was read. */
};
enum { MSG_CLOCK_REPLY_ID = 4, MSG_CLOCK_REPLY_SIZE = 7 };
/* Write MSG_CLOCK_REPLY_SIZE bytes. */
static inline void msg_clock_reply_pack(const struct msg_clock_reply *m, uint8_t *body)
{
    body[0] = MSG_CLOCK_REPLY_ID;
    msg_put16(body + 1, m->token);
    msg_put32(body + 3, m->tick_us);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_clock_reply_unpack(struct msg_clock_reply *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_CLOCK_REPLY_SIZE || body[0] != MSG_CLOCK_REPLY_ID)
        return false;
    m->token = msg_get16(body + 1);
    m->tick_us = msg_get32(body + 3);
    return true;
}

/* From the device. Something went wrong inside the node; totals are in the heartbeat. */
struct msg_fault {
    uint16_t boot; /* count, 0 to 65535: Start of the node in which it happened. */
    uint8_t kind; /* fault_kind, 0 to 4: What happened. */
    uint8_t pocket; /* channel, 0 to 255: Channel concerned; 255 for the whole node. */
    uint32_t detail; /* by kind, 0 to 4294967295: overflow: reports dropped since the start; implausible_rate: breaks not reported since the start; loop_overrun: samples missed since the start; memory: 0; host_refused: the host's protocol number. */
};
enum { MSG_FAULT_ID = 5, MSG_FAULT_SIZE = 9 };
/* Write MSG_FAULT_SIZE bytes. */
static inline void msg_fault_pack(const struct msg_fault *m, uint8_t *body)
{
    body[0] = MSG_FAULT_ID;
    msg_put16(body + 1, m->boot);
    msg_put8(body + 3, m->kind);
    msg_put8(body + 4, m->pocket);
    msg_put32(body + 5, m->detail);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_fault_unpack(struct msg_fault *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_FAULT_SIZE || body[0] != MSG_FAULT_ID)
        return false;
    m->boot = msg_get16(body + 1);
    m->kind = msg_get8(body + 3);
    m->pocket = msg_get8(body + 4);
    m->detail = msg_get32(body + 5);
    return !(m->kind > 4u);
}

/* From the device. Settings of one pocket as they are in force, after a query or a change. */
struct msg_settings_now {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
    uint16_t threshold; /* ADC counts, 1 to 1023: Fall of the beam below its resting level that counts as broken. */
    uint16_t hysteresis; /* ADC counts, 0 to 1023: How far it must rise again above that to count as whole. */
    uint16_t least_width_us; /* us, 0 to 65535: Shorter breaks are not reported. */
    uint16_t rearm_us; /* us, 0 to 65535: Breaks this soon after another belong to it, unless they are seen to be a piece of their own. */
    uint16_t spacing_um; /* um, 0 to 65535: How far the light spot of the reflectance sensor sits above the beam; 0 when there is none. */
};
enum { MSG_SETTINGS_NOW_ID = 6, MSG_SETTINGS_NOW_SIZE = 12 };
/* Write MSG_SETTINGS_NOW_SIZE bytes. */
static inline void msg_settings_now_pack(const struct msg_settings_now *m, uint8_t *body)
{
    body[0] = MSG_SETTINGS_NOW_ID;
    msg_put8(body + 1, m->pocket);
    msg_put16(body + 2, m->threshold);
    msg_put16(body + 4, m->hysteresis);
    msg_put16(body + 6, m->least_width_us);
    msg_put16(body + 8, m->rearm_us);
    msg_put16(body + 10, m->spacing_um);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_settings_now_unpack(struct msg_settings_now *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_SETTINGS_NOW_SIZE || body[0] != MSG_SETTINGS_NOW_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    m->threshold = msg_get16(body + 2);
    m->hysteresis = msg_get16(body + 4);
    m->least_width_us = msg_get16(body + 6);
    m->rearm_us = msg_get16(body + 8);
    m->spacing_um = msg_get16(body + 10);
    return !(m->pocket > 3u || m->threshold < 1u || m->threshold > 1023u || m->hysteresis > 1023u);
}

/* From the device. Result of a self-test. */
struct msg_self_test_done {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
    uint8_t result; /* self_test_result, 0 to 3: Whether the receiver followed the emitter. */
    uint16_t lit; /* ADC counts, 0 to 1023: Receiver with the emitter on. */
    uint16_t dark; /* ADC counts, 0 to 1023: Receiver with the emitter off. */
};
enum { MSG_SELF_TEST_DONE_ID = 7, MSG_SELF_TEST_DONE_SIZE = 7 };
/* Write MSG_SELF_TEST_DONE_SIZE bytes. */
static inline void msg_self_test_done_pack(const struct msg_self_test_done *m, uint8_t *body)
{
    body[0] = MSG_SELF_TEST_DONE_ID;
    msg_put8(body + 1, m->pocket);
    msg_put8(body + 2, m->result);
    msg_put16(body + 3, m->lit);
    msg_put16(body + 5, m->dark);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_self_test_done_unpack(struct msg_self_test_done *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_SELF_TEST_DONE_SIZE || body[0] != MSG_SELF_TEST_DONE_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    m->result = msg_get8(body + 2);
    m->lit = msg_get16(body + 3);
    m->dark = msg_get16(body + 5);
    return !(m->pocket > 3u || m->result > 3u || m->lit > 1023u || m->dark > 1023u);
}

/* From the device. What one pocket's sensor measures, after a query. */
struct msg_values_now {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
    uint16_t beam; /* ADC counts, 0 to 1023: Beam now: lit less dark. */
    uint16_t resting; /* ADC counts, 0 to 1023: Resting level the beam is held against. */
    uint16_t ambient; /* ADC counts, 0 to 1023: Foreign light now, emitter off. */
    uint16_t reflectance; /* ADC counts, 0 to 1023: Light thrown back now: lit less dark. */
    uint16_t deepest; /* ADC counts, 0 to 1023: Deepest fall below the resting level since the last query, reported or not. */
    uint16_t breaks; /* count, 0 to 65535: Breaks of the beam since the start, also those too short or part of another; wraps. */
};
enum { MSG_VALUES_NOW_ID = 8, MSG_VALUES_NOW_SIZE = 14 };
/* Write MSG_VALUES_NOW_SIZE bytes. */
static inline void msg_values_now_pack(const struct msg_values_now *m, uint8_t *body)
{
    body[0] = MSG_VALUES_NOW_ID;
    msg_put8(body + 1, m->pocket);
    msg_put16(body + 2, m->beam);
    msg_put16(body + 4, m->resting);
    msg_put16(body + 6, m->ambient);
    msg_put16(body + 8, m->reflectance);
    msg_put16(body + 10, m->deepest);
    msg_put16(body + 12, m->breaks);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_values_now_unpack(struct msg_values_now *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_VALUES_NOW_SIZE || body[0] != MSG_VALUES_NOW_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    m->beam = msg_get16(body + 2);
    m->resting = msg_get16(body + 4);
    m->ambient = msg_get16(body + 6);
    m->reflectance = msg_get16(body + 8);
    m->deepest = msg_get16(body + 10);
    m->breaks = msg_get16(body + 12);
    return !(m->pocket > 3u || m->beam > 1023u || m->resting > 1023u || m->ambient > 1023u || m->reflectance > 1023u || m->deepest > 1023u);
}

/* From the device. Answers a challenge. A node without a key answers with zeros for mac. */
struct msg_proof {
    uint64_t nonce; /* number, 0 to 18446744073709551615: The challenge's nonce. */
    uint16_t boot; /* count, 0 to 65535: Start of the node. */
    uint32_t next; /* sequence, 0 to 4294967295: Number the next report will have. */
    uint64_t mac; /* number, 0 to 18446744073709551615: SipHash-2-4 by the node's key over nonce, device, boot and next, in this order, little-endian. */
};
enum { MSG_PROOF_ID = 9, MSG_PROOF_SIZE = 23 };
/* Write MSG_PROOF_SIZE bytes. */
static inline void msg_proof_pack(const struct msg_proof *m, uint8_t *body)
{
    body[0] = MSG_PROOF_ID;
    msg_put64(body + 1, m->nonce);
    msg_put16(body + 9, m->boot);
    msg_put32(body + 11, m->next);
    msg_put64(body + 15, m->mac);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_proof_unpack(struct msg_proof *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_PROOF_SIZE || body[0] != MSG_PROOF_ID)
        return false;
    m->nonce = msg_get64(body + 1);
    m->boot = msg_get16(body + 9);
    m->next = msg_get32(body + 11);
    m->mac = msg_get64(body + 15);
    return true;
}

/* From the device. Result of writing a key. */
struct msg_key_done {
    uint8_t result; /* key_result, 0 to 1: Whether the new key is in force. */
    uint64_t check; /* number, 0 to 18446744073709551615: SipHash-2-4 by the key now in force over nothing: shows which one it is. */
};
enum { MSG_KEY_DONE_ID = 10, MSG_KEY_DONE_SIZE = 10 };
/* Write MSG_KEY_DONE_SIZE bytes. */
static inline void msg_key_done_pack(const struct msg_key_done *m, uint8_t *body)
{
    body[0] = MSG_KEY_DONE_ID;
    msg_put8(body + 1, m->result);
    msg_put64(body + 2, m->check);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_key_done_unpack(struct msg_key_done *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_KEY_DONE_SIZE || body[0] != MSG_KEY_DONE_ID)
        return false;
    m->result = msg_get8(body + 1);
    m->check = msg_get64(body + 2);
    return !(m->result > 1u);
}

/* From the host. Asks for hello and tells the node whom it talks to; reports flow only after a matching one. */
struct msg_greeting {
    uint16_t protocol; /* number, 0 to 65535: Protocol number of the host. */
    uint32_t definition; /* hash, 0 to 4294967295: Start of the SHA-256 of the host's messages.toml. */
};
enum { MSG_GREETING_ID = 65, MSG_GREETING_SIZE = 7 };
/* Write MSG_GREETING_SIZE bytes. */
static inline void msg_greeting_pack(const struct msg_greeting *m, uint8_t *body)
{
    body[0] = MSG_GREETING_ID;
    msg_put16(body + 1, m->protocol);
    msg_put32(body + 3, m->definition);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_greeting_unpack(struct msg_greeting *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_GREETING_SIZE || body[0] != MSG_GREETING_ID)
        return false;
    m->protocol = msg_get16(body + 1);
    m->definition = msg_get32(body + 3);
    return true;
}

/* From the host. Every report up to this number is safely written down and may be forgotten. */
struct msg_ack {
    uint16_t boot; /* count, 0 to 65535: Start of the node; another start's acknowledgement is ignored. */
    uint32_t sequence; /* sequence, 0 to 4294967295: Last report written down. */
};
enum { MSG_ACK_ID = 66, MSG_ACK_SIZE = 7 };
/* Write MSG_ACK_SIZE bytes. */
static inline void msg_ack_pack(const struct msg_ack *m, uint8_t *body)
{
    body[0] = MSG_ACK_ID;
    msg_put16(body + 1, m->boot);
    msg_put32(body + 3, m->sequence);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_ack_unpack(struct msg_ack *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_ACK_SIZE || body[0] != MSG_ACK_ID)
        return false;
    m->boot = msg_get16(body + 1);
    m->sequence = msg_get32(body + 3);
    return true;
}

/* From the host. Asks for the node's clock. */
struct msg_clock_query {
    uint16_t token; /* number, 0 to 65535: Comes back in the reply. */
};
enum { MSG_CLOCK_QUERY_ID = 67, MSG_CLOCK_QUERY_SIZE = 3 };
/* Write MSG_CLOCK_QUERY_SIZE bytes. */
static inline void msg_clock_query_pack(const struct msg_clock_query *m, uint8_t *body)
{
    body[0] = MSG_CLOCK_QUERY_ID;
    msg_put16(body + 1, m->token);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_clock_query_unpack(struct msg_clock_query *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_CLOCK_QUERY_SIZE || body[0] != MSG_CLOCK_QUERY_ID)
        return false;
    m->token = msg_get16(body + 1);
    return true;
}

/* From the host. Asks for the settings of one pocket. */
struct msg_settings_query {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
};
enum { MSG_SETTINGS_QUERY_ID = 68, MSG_SETTINGS_QUERY_SIZE = 2 };
/* Write MSG_SETTINGS_QUERY_SIZE bytes. */
static inline void msg_settings_query_pack(const struct msg_settings_query *m, uint8_t *body)
{
    body[0] = MSG_SETTINGS_QUERY_ID;
    msg_put8(body + 1, m->pocket);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_settings_query_unpack(struct msg_settings_query *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_SETTINGS_QUERY_SIZE || body[0] != MSG_SETTINGS_QUERY_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    return !(m->pocket > 3u);
}

/* From the host. Puts settings of one pocket in force and keeps them in EEPROM. */
struct msg_settings_change {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
    uint16_t threshold; /* ADC counts, 1 to 1023: Fall of the beam below its resting level that counts as broken. */
    uint16_t hysteresis; /* ADC counts, 0 to 1023: How far it must rise again above that to count as whole. */
    uint16_t least_width_us; /* us, 0 to 65535: Shorter breaks are not reported. */
    uint16_t rearm_us; /* us, 0 to 65535: Breaks this soon after another belong to it, unless they are seen to be a piece of their own. */
    uint16_t spacing_um; /* um, 0 to 65535: How far the light spot of the reflectance sensor sits above the beam; 0 when there is none. */
};
enum { MSG_SETTINGS_CHANGE_ID = 69, MSG_SETTINGS_CHANGE_SIZE = 12 };
/* Write MSG_SETTINGS_CHANGE_SIZE bytes. */
static inline void msg_settings_change_pack(const struct msg_settings_change *m, uint8_t *body)
{
    body[0] = MSG_SETTINGS_CHANGE_ID;
    msg_put8(body + 1, m->pocket);
    msg_put16(body + 2, m->threshold);
    msg_put16(body + 4, m->hysteresis);
    msg_put16(body + 6, m->least_width_us);
    msg_put16(body + 8, m->rearm_us);
    msg_put16(body + 10, m->spacing_um);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_settings_change_unpack(struct msg_settings_change *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_SETTINGS_CHANGE_SIZE || body[0] != MSG_SETTINGS_CHANGE_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    m->threshold = msg_get16(body + 2);
    m->hysteresis = msg_get16(body + 4);
    m->least_width_us = msg_get16(body + 6);
    m->rearm_us = msg_get16(body + 8);
    m->spacing_um = msg_get16(body + 10);
    return !(m->pocket > 3u || m->threshold < 1u || m->threshold > 1023u || m->hysteresis > 1023u);
}

/* From the host. Asks for a self-test of one pocket; done only while nothing is falling. */
struct msg_self_test {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
};
enum { MSG_SELF_TEST_ID = 70, MSG_SELF_TEST_SIZE = 2 };
/* Write MSG_SELF_TEST_SIZE bytes. */
static inline void msg_self_test_pack(const struct msg_self_test *m, uint8_t *body)
{
    body[0] = MSG_SELF_TEST_ID;
    msg_put8(body + 1, m->pocket);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_self_test_unpack(struct msg_self_test *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_SELF_TEST_SIZE || body[0] != MSG_SELF_TEST_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    return !(m->pocket > 3u);
}

/* From the host. Writes the node's id and label into its EEPROM; answered by hello. */
struct msg_identity {
    uint64_t device; /* id, 0 to 18446744073709551615: New id, random. */
    uint8_t label; /* number, 0 to 255: Number the builder wrote on the box; 0 for none. */
};
enum { MSG_IDENTITY_ID = 71, MSG_IDENTITY_SIZE = 10 };
/* Write MSG_IDENTITY_SIZE bytes. */
static inline void msg_identity_pack(const struct msg_identity *m, uint8_t *body)
{
    body[0] = MSG_IDENTITY_ID;
    msg_put64(body + 1, m->device);
    msg_put8(body + 9, m->label);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_identity_unpack(struct msg_identity *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_IDENTITY_SIZE || body[0] != MSG_IDENTITY_ID)
        return false;
    m->device = msg_get64(body + 1);
    m->label = msg_get8(body + 9);
    return true;
}

/* From the host. Asks what one pocket's sensor measures. */
struct msg_values_query {
    uint8_t pocket; /* channel, 0 to 3: Channel. */
};
enum { MSG_VALUES_QUERY_ID = 72, MSG_VALUES_QUERY_SIZE = 2 };
/* Write MSG_VALUES_QUERY_SIZE bytes. */
static inline void msg_values_query_pack(const struct msg_values_query *m, uint8_t *body)
{
    body[0] = MSG_VALUES_QUERY_ID;
    msg_put8(body + 1, m->pocket);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_values_query_unpack(struct msg_values_query *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_VALUES_QUERY_SIZE || body[0] != MSG_VALUES_QUERY_ID)
        return false;
    m->pocket = msg_get8(body + 1);
    return !(m->pocket > 3u);
}

/* From the host. Asks the node to prove that it holds the key. */
struct msg_challenge {
    uint64_t nonce; /* number, 0 to 18446744073709551615: Random, never used before. */
};
enum { MSG_CHALLENGE_ID = 73, MSG_CHALLENGE_SIZE = 9 };
/* Write MSG_CHALLENGE_SIZE bytes. */
static inline void msg_challenge_pack(const struct msg_challenge *m, uint8_t *body)
{
    body[0] = MSG_CHALLENGE_ID;
    msg_put64(body + 1, m->nonce);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_challenge_unpack(struct msg_challenge *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_CHALLENGE_SIZE || body[0] != MSG_CHALLENGE_ID)
        return false;
    m->nonce = msg_get64(body + 1);
    return true;
}

/* From the host. Writes the node's key into its EEPROM; a node that holds one asks for proof of it. */
struct msg_key_change {
    uint64_t key_low; /* number, 0 to 18446744073709551615: First eight bytes of the new key. */
    uint64_t key_high; /* number, 0 to 18446744073709551615: Last eight bytes of the new key. */
    uint64_t proof; /* number, 0 to 18446744073709551615: SipHash-2-4 by the key in force over the new one; anything when none is. */
};
enum { MSG_KEY_CHANGE_ID = 74, MSG_KEY_CHANGE_SIZE = 25 };
/* Write MSG_KEY_CHANGE_SIZE bytes. */
static inline void msg_key_change_pack(const struct msg_key_change *m, uint8_t *body)
{
    body[0] = MSG_KEY_CHANGE_ID;
    msg_put64(body + 1, m->key_low);
    msg_put64(body + 9, m->key_high);
    msg_put64(body + 17, m->proof);
}
/* False for another message, a wrong size or a value out of range. */
static inline bool msg_key_change_unpack(struct msg_key_change *m, const uint8_t *body, uint8_t size)
{
    if (size != MSG_KEY_CHANGE_SIZE || body[0] != MSG_KEY_CHANGE_ID)
        return false;
    m->key_low = msg_get64(body + 1);
    m->key_high = msg_get64(body + 9);
    m->proof = msg_get64(body + 17);
    return true;
}

/* X(name, NAME) for every message. */
#define MSG_EACH(X) \
    X(hello, HELLO) \
    X(piece_fell, PIECE_FELL) \
    X(heartbeat, HEARTBEAT) \
    X(clock_reply, CLOCK_REPLY) \
    X(fault, FAULT) \
    X(settings_now, SETTINGS_NOW) \
    X(self_test_done, SELF_TEST_DONE) \
    X(values_now, VALUES_NOW) \
    X(proof, PROOF) \
    X(key_done, KEY_DONE) \
    X(greeting, GREETING) \
    X(ack, ACK) \
    X(clock_query, CLOCK_QUERY) \
    X(settings_query, SETTINGS_QUERY) \
    X(settings_change, SETTINGS_CHANGE) \
    X(self_test, SELF_TEST) \
    X(identity, IDENTITY) \
    X(values_query, VALUES_QUERY) \
    X(challenge, CHALLENGE) \
    X(key_change, KEY_CHANGE)

#endif
