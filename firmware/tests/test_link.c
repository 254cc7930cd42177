/* The node's end of the link, and its keyed checksum. Closes with "N passed, N failed". */
#include "bare_node.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 8192 };
#define MS 1000u

static int passed, failed;

static void check(bool holds, const char *what)
{
    passed += holds;
    failed += !holds;
    if (!holds)
        printf("FAILED: %s\n", what);
}

/* Everything one poll said: how often each message, and the last of each kind. */
struct said {
    unsigned of[256];
    uint32_t sequences[ROOM / 16];
    unsigned reports;
    uint8_t last[256][MSG_LARGEST];
};

static struct said poll_at(struct bare_node *node, uint32_t now_us)
{
    static uint8_t bytes[ROOM];
    struct said said = {0};
    struct frame_reader reader = {0};
    size_t size = bare_poll(node, now_us, bytes, ROOM);
    for (size_t i = 0; i < size; i++) {
        enum frame_result result = frame_read(&reader, bytes[i]);
        check(result != FRAME_DAMAGED, "only whole frames are sent");
        if (result != FRAME_WHOLE)
            continue;
        uint8_t id = reader.bytes[0];
        said.of[id]++;
        memcpy(said.last[id], reader.bytes, reader.count);
        struct msg_piece_fell fell;
        if (msg_piece_fell_unpack(&fell, reader.bytes, reader.count))
            said.sequences[said.reports++] = fell.sequence;
    }
    return said;
}

static void send_body(struct bare_node *node, const uint8_t *body, uint8_t size, uint32_t now_us)
{
    uint8_t bytes[MSG_LARGEST + FRAME_OVERHEAD];
    bare_receive(node, bytes, frame_write(body, size, bytes), now_us);
}

#define SEND(node, name, NAME, now_us, ...)                        \
    do {                                                           \
        const struct msg_##name message_ = {__VA_ARGS__};          \
        uint8_t body_[MSG_##NAME##_SIZE];                          \
        msg_##name##_pack(&message_, body_);                       \
        send_body((node), body_, MSG_##NAME##_SIZE, (now_us));     \
    } while (0)

static struct bare_node *met(uint32_t now_us)
{
    struct bare_node *node = bare_new(0xAB, 7, MSG_RESET_CAUSE_POWER, now_us);
    SEND(node, greeting, GREETING, now_us, MSG_PROTOCOL, MSG_DEFINITION);
    poll_at(node, now_us);
    return node;
}

static void falls(struct bare_node *node, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bare_report(node, i % LINK_POCKETS, MSG_LOOKS_ONE_COIN, 1000 * i, 22000);
}

static void says_hello_every_second_until_greeted(void)
{
    struct bare_node *node = bare_new(0xAB, 7, MSG_RESET_CAUSE_WATCHDOG, 0xFFFFFF00u);
    struct msg_hello hello;
    struct said said = poll_at(node, 0xFFFFFF00u);
    check(said.of[MSG_HELLO_ID] == 1, "hello at the start");
    check(msg_hello_unpack(&hello, said.last[MSG_HELLO_ID], MSG_HELLO_SIZE), "a valid hello");
    check(hello.device == 0xAB && hello.boot == 7, "hello says who");
    check(hello.reset_cause == MSG_RESET_CAUSE_WATCHDOG, "hello says why");
    check(poll_at(node, 999 * MS - 256).of[MSG_HELLO_ID] == 0, "not within a second");
    check(poll_at(node, 1000 * MS).of[MSG_HELLO_ID] == 1, "again, over the clock's wrap");
    SEND(node, greeting, GREETING, 1001 * MS, MSG_PROTOCOL, MSG_DEFINITION);
    check(poll_at(node, 1001 * MS).of[MSG_HELLO_ID] == 1, "a greeting is answered");
    check(poll_at(node, 9000 * MS).of[MSG_HELLO_ID] == 0, "silent about itself thereafter");
    bare_free(node);
}

static void reports_flow_only_after_a_greeting(void)
{
    struct bare_node *node = bare_new(0xAB, 7, MSG_RESET_CAUSE_POWER, 0);
    falls(node, 3);
    check(poll_at(node, MS).reports == 0, "nobody to report to");
    SEND(node, greeting, GREETING, MS, MSG_PROTOCOL, MSG_DEFINITION);
    struct said said = poll_at(node, MS);
    check(said.reports == 3 && said.sequences[2] == 2, "all that is kept, in order");
    bare_free(node);
}

static void a_report_comes_again_after_50_ms_until_acknowledged(void)
{
    struct bare_node *node = met(4294900 * MS);
    falls(node, 2);
    unsigned sent = 0;
    for (uint32_t ms = 0; ms < 1000; ms++)
        sent += poll_at(node, 4294900 * MS + ms * MS).reports;
    check(sent >= 2 * 19 && sent <= 2 * 21, "19 to 21 times in a second, over the wrap");
    check(node->link.resent == sent - 2, "and counted");
    SEND(node, ack, ACK, 0, 7, 0);
    check(bare_pending(node) == 1, "the acknowledged one is forgotten");
    SEND(node, ack, ACK, 0, 6, 1);
    check(bare_pending(node) == 1, "another start's acknowledgement is ignored");
    SEND(node, ack, ACK, 0, 7, 2);
    check(bare_pending(node) == 1, "so is one of a report that was never made");
    SEND(node, ack, ACK, 0, 7, 1);
    check(bare_pending(node) == 0, "nothing left");
    bare_free(node);
}

static void a_dropped_report_uses_up_its_number_and_is_a_fault(void)
{
    struct bare_node *node = met(0);
    struct msg_fault fault;
    struct msg_heartbeat beat;
    falls(node, LINK_KEPT + 3);
    struct said said = poll_at(node, 20 * MS);
    check(said.reports == LINK_KEPT, "32 are kept");
    check(said.of[MSG_FAULT_ID] == 1, "a fault is told");
    msg_fault_unpack(&fault, said.last[MSG_FAULT_ID], MSG_FAULT_SIZE);
    check(fault.kind == MSG_FAULT_KIND_OVERFLOW && fault.detail == 3, "overflow by 3");
    msg_heartbeat_unpack(&beat, said.last[MSG_HEARTBEAT_ID], MSG_HEARTBEAT_SIZE);
    check(beat.dropped == 3 && beat.oldest == 0, "the heartbeat counts at once");
    SEND(node, ack, ACK, 21 * MS, 7, LINK_KEPT - 1);
    falls(node, 1);
    said = poll_at(node, 22 * MS);
    check(said.reports == 1 && said.sequences[0] == LINK_KEPT + 3, "numbers go on");
    bare_free(node);
}

static void a_host_of_another_definition_is_refused(void)
{
    struct bare_node *node = met(0);
    falls(node, 1);
    SEND(node, greeting, GREETING, MS, MSG_PROTOCOL, MSG_DEFINITION ^ 1u);
    struct said said = poll_at(node, 200 * MS);
    check(said.reports == 0 && said.of[MSG_HEARTBEAT_ID] == 0, "no reports, no heartbeat");
    check(said.of[MSG_HELLO_ID] == 1 && said.of[MSG_FAULT_ID] == 1, "hello and the fault");
    SEND(node, ack, ACK, MS, 7, 0);
    check(bare_pending(node) == 1, "what it says means nothing");
    SEND(node, greeting, GREETING, MS, MSG_PROTOCOL, MSG_DEFINITION);
    check(poll_at(node, 201 * MS).reports == 1, "the right host gets the report");
    bare_free(node);
}

static void the_clock_is_told_as_it_was_when_the_query_was_read(void)
{
    struct bare_node *node = met(0);
    struct msg_clock_reply reply;
    SEND(node, clock_query, CLOCK_QUERY, 0xFEDCBA98u, 77);
    struct said said = poll_at(node, 0xFEDCBFFFu);
    check(msg_clock_reply_unpack(&reply, said.last[MSG_CLOCK_REPLY_ID], MSG_CLOCK_REPLY_SIZE) &&
              reply.token == 77 && reply.tick_us == 0xFEDCBA98u, "token and tick");
    bare_free(node);
}

static void a_changed_state_is_told_at_once_but_not_without_end(void)
{
    struct bare_node *node = met(0);
    poll_at(node, 100 * MS);
    bare_health(node, 2, MSG_HEALTH_BLINDED);
    struct said said = poll_at(node, 110 * MS);
    check(said.of[MSG_HEARTBEAT_ID] == 1 && said.last[MSG_HEARTBEAT_ID][9] == MSG_HEALTH_BLINDED,
          "the state of channel 2");
    unsigned beats = 0;
    for (uint32_t ms = 111; ms < 1111; ms++) {
        bare_health(node, 2, ms % 2 ? MSG_HEALTH_CLEAR : MSG_HEALTH_BLINDED);
        beats += poll_at(node, ms * MS).of[MSG_HEARTBEAT_ID];
    }
    check(beats >= 95 && beats <= 100, "a flapping state costs 100 heartbeats a second");
    bare_free(node);
}

static void settings_that_contradict_themselves_change_nothing(void)
{
    struct bare_node *node = met(0);
    SEND(node, settings_change, SETTINGS_CHANGE, MS, 1, 300, 300, 3000, 12000, 20000);
    check(node->settings[1].threshold == 200, "hysteresis as large as the threshold");
    check(poll_at(node, MS).of[MSG_SETTINGS_NOW_ID] == 1, "what is in force is told");
    SEND(node, settings_change, SETTINGS_CHANGE, MS, 1, 300, 299, 3000, 12000, 20000);
    check(node->settings[1].threshold == 300, "a sound one is taken");
    bare_free(node);
}

static void a_full_ring_never_cuts_a_frame(void)
{
    struct bare_node *node = met(0);
    struct frame_reader reader = {0};
    uint8_t byte;
    unsigned whole = 0;
    falls(node, LINK_KEPT);
    for (uint32_t step = 0; step < 20000; step++) {
        if (step % 7 == 0)
            SEND(node, clock_query, CLOCK_QUERY, step * 20, (uint16_t)step);
        link_poll(&node->link, step * 20);
        if (!link_take(&node->link, &byte))
            continue;
        enum frame_result result = frame_read(&reader, byte);
        check(result != FRAME_DAMAGED, "no damaged frame on a slow line");
        whole += result == FRAME_WHOLE;
    }
    check(whole > 500, "the line is used");
    bare_free(node);
}

static void a_key_is_proven_and_only_its_holder_may_change_it(void)
{
    const uint64_t low = 0x0706050403020100u, high = 0x0f0e0d0c0b0a0908u;
    struct bare_node *node = met(0);
    struct msg_proof proof;
    struct msg_key_done done;
    SEND(node, challenge, CHALLENGE, 0, 5);
    struct said said = poll_at(node, MS);
    msg_proof_unpack(&proof, said.last[MSG_PROOF_ID], MSG_PROOF_SIZE);
    check(proof.nonce == 5 && proof.mac == 0, "no key, no proof");
    SEND(node, key_change, KEY_CHANGE, 0, low, high, 0);
    said = poll_at(node, MS);
    msg_key_done_unpack(&done, said.last[MSG_KEY_DONE_ID], MSG_KEY_DONE_SIZE);
    check(done.result == MSG_KEY_RESULT_WRITTEN && node->stored == 1, "the first key is free");
    check(done.check == 0x726fdb47dd0e0e31u, "SipHash of nothing by 00 to 0f, as published");
    SEND(node, key_change, KEY_CHANGE, 0, 1, 2, 3);
    said = poll_at(node, MS);
    msg_key_done_unpack(&done, said.last[MSG_KEY_DONE_ID], MSG_KEY_DONE_SIZE);
    check(done.result == MSG_KEY_RESULT_REFUSED && node->stored == 1, "the next needs the old");
    uint8_t key[SIPHASH_KEY], fresh[SIPHASH_KEY] = {1, 0, 0, 0, 0, 0, 0, 0, 2};
    for (uint8_t i = 0; i < SIPHASH_KEY; i++)
        key[i] = i;
    SEND(node, key_change, KEY_CHANGE, 0, 1, 2, siphash(key, fresh, SIPHASH_KEY));
    check(node->stored == 2 && memcmp(node->link.identity.key, fresh, SIPHASH_KEY) == 0,
          "with the proof it is taken");
    bare_free(node);
}

/* The first 16 of vectors_sip64 in the authors' reference implementation: key 00 to
 * 0f, message 00, 01, ... of growing length, the sum's bytes in order. */
static void siphash_gives_the_published_sums(void)
{
    static const uint8_t sums[16][8] = {
        {0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72},
        {0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74},
        {0x5a, 0x4f, 0xa9, 0xd9, 0x09, 0x80, 0x6c, 0x0d},
        {0x2d, 0x7e, 0xfb, 0xd7, 0x96, 0x66, 0x67, 0x85},
        {0xb7, 0x87, 0x71, 0x27, 0xe0, 0x94, 0x27, 0xcf},
        {0x8d, 0xa6, 0x99, 0xcd, 0x64, 0x55, 0x76, 0x18},
        {0xce, 0xe3, 0xfe, 0x58, 0x6e, 0x46, 0xc9, 0xcb},
        {0x37, 0xd1, 0x01, 0x8b, 0xf5, 0x00, 0x02, 0xab},
        {0x62, 0x24, 0x93, 0x9a, 0x79, 0xf5, 0xf5, 0x93},
        {0xb0, 0xe4, 0xa9, 0x0b, 0xdf, 0x82, 0x00, 0x9e},
        {0xf3, 0xb9, 0xdd, 0x94, 0xc5, 0xbb, 0x5d, 0x7a},
        {0xa7, 0xad, 0x6b, 0x22, 0x46, 0x2f, 0xb3, 0xf4},
        {0xfb, 0xe5, 0x0e, 0x86, 0xbc, 0x8f, 0x1e, 0x75},
        {0x90, 0x3d, 0x84, 0xc0, 0x27, 0x56, 0xea, 0x14},
        {0xee, 0xf2, 0x7a, 0x8e, 0x90, 0xca, 0x23, 0xf7},
        {0xe5, 0x45, 0xbe, 0x49, 0x61, 0xca, 0x29, 0xa1},
    };
    uint8_t bytes[SIPHASH_KEY];
    for (uint8_t i = 0; i < SIPHASH_KEY; i++)
        bytes[i] = i;
    for (uint8_t size = 0; size < 16; size++)
        check(siphash(bytes, bytes, size) == msg_get64(sums[size]), "a published sum");
}

int main(void)
{
    says_hello_every_second_until_greeted();
    reports_flow_only_after_a_greeting();
    a_report_comes_again_after_50_ms_until_acknowledged();
    a_dropped_report_uses_up_its_number_and_is_a_fault();
    a_host_of_another_definition_is_refused();
    the_clock_is_told_as_it_was_when_the_query_was_read();
    a_changed_state_is_told_at_once_but_not_without_end();
    settings_that_contradict_themselves_change_nothing();
    a_full_ring_never_cuts_a_frame();
    a_key_is_proven_and_only_its_holder_may_change_it();
    siphash_gives_the_published_sums();
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
