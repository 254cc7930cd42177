#include "link.h"

#include <string.h>

enum {
    RESEND_STEPS = 6,   /* of 8.192 ms: 49 ms, the first time up to 8 less */
    SENT = 63,          /* of link_kept.sent: when; the rest: looks */
    WIDTH_US = 10,
    RESERVED = 34,      /* bytes reports leave free in the ring: a hello fits */
    PROVEN = 22         /* bytes a proof covers */
};
#define MOST 0xFFFFu
#define HELLO_US 1000000u
#define BEAT_US 200000u
#define BEAT_LEAST_US 10000u /* between two heartbeats, however often states change */

static void count(uint16_t *counter)
{
    if (*counter < MOST)
        (*counter)++;
}

static uint8_t room(const struct link *link)
{
    return (uint8_t)((unsigned)(link->out_tail - link->out_head - 1) & (LINK_OUT - 1u));
}

/* Put a whole frame into the ring, or nothing at all. Its body begins at bytes[1]. */
static bool say(struct link *link, uint8_t *bytes, uint8_t size, uint8_t leave)
{
    if (size + FRAME_OVERHEAD + leave > room(link))
        return false;
    uint8_t framed = frame_write(bytes + 1, size, bytes);
    uint8_t head = link->out_head;
    for (uint8_t i = 0; i < framed; i++) {
        link->out[head] = bytes[i]; /* NOLINT(*uninitialized*): frame_write() filled them */
        head = (uint8_t)((head + 1u) & (LINK_OUT - 1u));
    }
    link->out_head = head;
    return true;
}

/* Pack and say one message; evaluates to whether there was room. */
#define SAY(link, name, NAME, message, leave) \
    (msg_##name##_pack((message), frame + 1), say((link), frame, MSG_##NAME##_SIZE, (leave)))

static uint32_t number(const struct link *link, const struct link_kept *kept)
{
    return link->next - (uint16_t)((uint16_t)link->next - kept->sequence);
}

static uint32_t oldest(const struct link *link)
{
    return link->waiting > 0 ? number(link, &link->kept[link->first]) : link->next;
}

void link_init(struct link *link, const struct link_identity *identity,
               const struct link_start *start, uint32_t now_us)
{
    memset(link, 0, sizeof *link);
    link->identity = *identity;
    link->start = *start;
    link->hello_us = now_us;
    link->hello_due = true;
}

bool link_report(struct link *link, const struct link_fall *fall)
{
    uint32_t sequence = link->next++;
    if (link->waiting == LINK_KEPT) {
        count(&link->dropped);
        link->beat_due = true;
        link_fault(link, MSG_FAULT_KIND_OVERFLOW, LINK_NODE, link->dropped);
        return false;
    }
    struct link_kept *kept = &link->kept[(link->first + link->waiting) % LINK_KEPT];
    uint32_t width = fall->width_us / WIDTH_US;
    kept->sequence = (uint16_t)sequence;
    kept->tick_us = fall->tick_us;
    kept->width = (uint16_t)(width < MOST ? width : MOST);
    kept->measured = (uint32_t)(fall->ambient & 0x3FFu) << 22 |
                     (uint32_t)(fall->reflectance & 0x3FFu) << 12 |
                     (uint32_t)(fall->depth & 0x3FFu) << 2 | (fall->pocket & 3u);
    kept->sent = (uint8_t)(fall->looks << 6);
    link->waiting++;
    return true;
}

void link_health(struct link *link, uint8_t pocket, enum msg_health health)
{
    if (pocket < LINK_POCKETS && link->health[pocket] != (uint8_t)health) {
        link->health[pocket] = (uint8_t)health;
        link->beat_due = true;
    }
}

void link_losses(struct link *link, uint16_t overruns, uint16_t implausible, uint8_t pocket)
{
    if (overruns != link->overruns)
        link_fault(link, MSG_FAULT_KIND_LOOP_OVERRUN, LINK_NODE, overruns);
    if (implausible != link->implausible)
        link_fault(link, MSG_FAULT_KIND_IMPLAUSIBLE_RATE, pocket, implausible);
    if (overruns != link->overruns || implausible != link->implausible)
        link->beat_due = true;
    link->overruns = overruns;
    link->implausible = implausible;
}

void link_fault(struct link *link, enum msg_fault_kind kind, uint8_t pocket, uint16_t detail)
{
    link->faulty = (uint8_t)(link->faulty | 1u << kind);
    link->fault_pocket[kind] = pocket;
    link->fault_detail[kind] = detail;
}

static void greeting(struct link *link, const struct msg_greeting *host, uint32_t now_us)
{
    link->greeted = host->protocol == MSG_PROTOCOL && host->definition == MSG_DEFINITION;
    link->hello_due = true;
    link->beat_us = now_us - BEAT_US;
    for (uint8_t i = 0; i < LINK_KEPT; i++)
        link->kept[i].sent &= (uint8_t)~SENT;
    if (!link->greeted)
        link_fault(link, MSG_FAULT_KIND_HOST_REFUSED, LINK_NODE, host->protocol);
}

/* Only a number that was given out, and not before the oldest kept, says anything. */
static void ack(struct link *link, const struct msg_ack *written)
{
    uint32_t from = oldest(link);
    if (written->boot != link->start.boot || written->sequence - from >= link->next - from)
        return;
    while (link->waiting > 0 && written->sequence - from >= oldest(link) - from) {
        link->first = (uint8_t)((link->first + 1u) % LINK_KEPT);
        link->waiting--;
    }
}

static void clock_query(struct link *link, const struct msg_clock_query *query, uint32_t now_us)
{
    uint8_t frame[MSG_CLOCK_REPLY_SIZE + FRAME_OVERHEAD];
    const struct msg_clock_reply reply = {.token = query->token, .tick_us = now_us};
    (void)SAY(link, clock_reply, CLOCK_REPLY, &reply, 0);
}

static void challenge(struct link *link, const struct msg_challenge *asked)
{
    uint8_t *frame = link->reader.bytes; /* the challenge is read: its room is free */
    uint8_t *proven = frame;
    struct msg_proof proof = {
        .nonce = asked->nonce, .boot = link->start.boot, .next = link->next, .mac = 0};
    msg_put64(proven, proof.nonce);
    msg_put64(proven + 8, link->identity.device);
    msg_put16(proven + 16, proof.boot);
    msg_put32(proven + 18, proof.next);
    if (link->identity.keyed)
        proof.mac = siphash(link->identity.key, proven, PROVEN);
    (void)SAY(link, proof, PROOF, &proof, 0);
}

static enum link_wish key_change(struct link *link, const struct msg_key_change *change)
{
    struct link_identity *identity = &link->identity;
    uint8_t *fresh = link->reader.bytes; /* the message is read: its room is free */
    uint8_t *frame = fresh + SIPHASH_KEY;
    msg_put64(fresh, change->key_low);
    msg_put64(fresh + 8, change->key_high);
    bool same = identity->keyed && memcmp(fresh, identity->key, SIPHASH_KEY) == 0;
    bool allowed = same || !identity->keyed ||
                   change->proof == siphash(identity->key, fresh, SIPHASH_KEY);
    if (allowed) {
        memcpy(identity->key, fresh, SIPHASH_KEY);
        identity->keyed = 1;
    }
    const struct msg_key_done done = {
        .result = allowed ? MSG_KEY_RESULT_WRITTEN : MSG_KEY_RESULT_REFUSED,
        .check = siphash(identity->key, fresh, 0)};
    (void)SAY(link, key_done, KEY_DONE, &done, 0);
    return allowed && !same ? LINK_STORES_IDENTITY : LINK_WANTS_NOTHING;
}

static enum link_wish identify(struct link *link, const struct msg_identity *change)
{
    bool fresh = change->device != link->identity.device || change->label != link->identity.label;
    link->identity.device = change->device;
    link->identity.label = change->label;
    link->hello_due = true;
    return fresh ? LINK_STORES_IDENTITY : LINK_WANTS_NOTHING;
}

/* A setting that contradicts itself changes nothing; the answer shows what is in force. */
static enum link_wish settings_change(const struct msg_settings_change *change,
                                      struct link_request *request)
{
    request->settings = *change;
    request->pocket = change->pocket;
    return change->hysteresis < change->threshold ? LINK_SETS : LINK_WANTS_SETTINGS;
}

static enum link_wish about(struct link_request *request, enum link_wish wish, uint8_t pocket)
{
    request->pocket = pocket;
    return wish;
}

/* Read the body as the message `name` into `m`; false when it is none. */
#define READ(name) msg_##name##_unpack(&m.name, body, size)

/* Act on a whole frame. Until a host of our definition greets us, a message means
 * nothing but for the greeting, which is the same for ever. */
static enum link_wish act(struct link *link, uint32_t now_us, struct link_request *request)
{
    const uint8_t *body = link->reader.bytes;
    uint8_t size = link->reader.count;
    union {
        struct msg_greeting greeting;
        struct msg_ack ack;
        struct msg_clock_query clock_query;
        struct msg_settings_query settings_query;
        struct msg_settings_change settings_change;
        struct msg_values_query values_query;
        struct msg_self_test self_test;
        struct msg_identity identity;
        struct msg_challenge challenge;
        struct msg_key_change key_change;
    } m;
    if (READ(greeting))
        greeting(link, &m.greeting, now_us);
    else if (!link->greeted)
        return LINK_WANTS_NOTHING;
    else if (READ(ack))
        ack(link, &m.ack);
    else if (READ(clock_query))
        clock_query(link, &m.clock_query, now_us);
    else if (READ(settings_query))
        return about(request, LINK_WANTS_SETTINGS, m.settings_query.pocket);
    else if (READ(settings_change))
        return settings_change(&m.settings_change, request);
    else if (READ(values_query))
        return about(request, LINK_WANTS_VALUES, m.values_query.pocket);
    else if (READ(self_test))
        return about(request, LINK_WANTS_SELF_TEST, m.self_test.pocket);
    else if (READ(identity))
        return about(request, identify(link, &m.identity), 0);
    else if (READ(challenge))
        challenge(link, &m.challenge);
    else if (READ(key_change))
        return about(request, key_change(link, &m.key_change), 0);
    else
        count(&link->damaged);
    return LINK_WANTS_NOTHING;
}

bool link_receive(struct link *link, uint8_t byte, uint32_t now_us,
                  struct link_request *request)
{
    enum link_wish wish = LINK_WANTS_NOTHING;
    switch (frame_read(&link->reader, byte)) {
    case FRAME_WHOLE:
        wish = act(link, now_us, request);
        break;
    case FRAME_DAMAGED:
        count(&link->damaged);
        break;
    case FRAME_NONE:
        break;
    }
    request->wish = wish;
    return wish != LINK_WANTS_NOTHING && request->pocket < link->start.pockets;
}

void link_settings(struct link *link, const struct msg_settings_now *settings)
{
    uint8_t frame[MSG_SETTINGS_NOW_SIZE + FRAME_OVERHEAD];
    (void)SAY(link, settings_now, SETTINGS_NOW, settings, 0);
}

void link_values(struct link *link, const struct msg_values_now *values)
{
    uint8_t frame[MSG_VALUES_NOW_SIZE + FRAME_OVERHEAD];
    (void)SAY(link, values_now, VALUES_NOW, values, 0);
}

void link_self_tested(struct link *link, const struct msg_self_test_done *done)
{
    uint8_t frame[MSG_SELF_TEST_DONE_SIZE + FRAME_OVERHEAD];
    (void)SAY(link, self_test_done, SELF_TEST_DONE, done, 0);
}

static void say_hello(struct link *link, uint32_t now_us)
{
    uint8_t frame[MSG_HELLO_SIZE + FRAME_OVERHEAD];
    const struct msg_hello hello = {
        .protocol = MSG_PROTOCOL,
        .definition = MSG_DEFINITION,
        .build = link->start.build,
        .device = link->identity.device,
        .boot = link->start.boot,
        .reset_cause = link->start.reset_cause,
        .pockets = link->start.pockets,
        .label = link->identity.label,
        .board = link->start.board,
        .keyed = link->identity.keyed,
        .oldest = oldest(link),
    };
    if (SAY(link, hello, HELLO, &hello, 0)) {
        link->hello_due = false;
        link->hello_us = now_us;
    }
}

static void say_heartbeat(struct link *link, uint32_t now_us)
{
    uint8_t frame[MSG_HEARTBEAT_SIZE + FRAME_OVERHEAD];
    const struct msg_heartbeat beat = {
        .boot = link->start.boot,
        .oldest = oldest(link),
        .health_0 = link->health[0],
        .health_1 = link->health[1],
        .health_2 = link->health[2],
        .health_3 = link->health[3],
        .dropped = link->dropped,
        .resent = link->resent,
        .damaged = link->damaged,
        .overruns = link->overruns,
        .implausible = link->implausible,
    };
    if (SAY(link, heartbeat, HEARTBEAT, &beat, 0)) {
        link->beat_due = false;
        link->beat_us = now_us;
    }
}

static void say_fault(struct link *link)
{
    uint8_t frame[MSG_FAULT_SIZE + FRAME_OVERHEAD];
    uint8_t kind = 0;
    while ((link->faulty & 1u << kind) == 0)
        kind++;
    const struct msg_fault fault = {
        .boot = link->start.boot,
        .kind = kind,
        .pocket = link->fault_pocket[kind],
        .detail = link->fault_detail[kind],
    };
    if (SAY(link, fault, FAULT, &fault, 0))
        link->faulty = (uint8_t)(link->faulty & ~(1u << kind));
}

static bool say_report(struct link *link, const struct link_kept *kept)
{
    uint8_t frame[MSG_PIECE_FELL_SIZE + FRAME_OVERHEAD];
    const struct msg_piece_fell fell = {
        .boot = link->start.boot,
        .sequence = number(link, kept),
        .pocket = kept->measured & 3u,
        .looks = kept->sent >> 6,
        .tick_us = kept->tick_us,
        .width_us = (uint32_t)kept->width * WIDTH_US,
        .depth = kept->measured >> 2 & 0x3FFu,
        .reflectance = kept->measured >> 12 & 0x3FFu,
        .ambient = (uint16_t)(kept->measured >> 22),
    };
    return SAY(link, piece_fell, PIECE_FELL, &fell, RESERVED);
}

static void say_reports(struct link *link, uint32_t now_us)
{
    uint8_t now = (uint8_t)(now_us >> 13 & SENT);
    now = now == 0 ? 1 : now;
    for (uint8_t i = 0; i < link->waiting; i++) {
        struct link_kept *kept = &link->kept[(link->first + i) % LINK_KEPT];
        uint8_t sent = kept->sent & SENT;
        if (sent != 0 && ((unsigned)(now - sent) & SENT) < RESEND_STEPS)
            continue;
        if (!say_report(link, kept))
            return;
        if (sent != 0)
            count(&link->resent);
        kept->sent = (uint8_t)((kept->sent & ~SENT) | now);
        return;
    }
}

void link_poll(struct link *link, uint32_t now_us)
{
    bool refused = (link->faulty & 1u << MSG_FAULT_KIND_HOST_REFUSED) != 0;
    uint32_t quiet_us = now_us - link->beat_us;
    if (link->hello_due || (!link->greeted && now_us - link->hello_us >= HELLO_US))
        say_hello(link, now_us);
    else if (refused || (link->greeted && link->faulty != 0))
        say_fault(link);
    else if (!link->greeted)
        return;
    else if (quiet_us >= BEAT_US || (link->beat_due && quiet_us >= BEAT_LEAST_US))
        say_heartbeat(link, now_us);
    else
        say_reports(link, now_us);
}
