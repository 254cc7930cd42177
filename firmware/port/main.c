/* The pocket node on an ATmega328P at 16 MHz (Arduino Nano). */
#include "node.h"
#include "port.h"
#include "store.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#ifndef BUILD
#define BUILD 0
#endif

/* A step of main(). Inlined, what each holds would lie on the stack beside the others'. */
#define STEP static void __attribute__((noinline))

enum { LED = 1 << (NANO_LED & 7) }; /* of port B */

static struct node node;
static struct store store;

uint8_t store_read(uint16_t address)
{
    eeprom_busy_wait();
    return eeprom_read_byte((const uint8_t *)address);
}

bool store_ready(void)
{
    return eeprom_is_ready();
}

void store_write(uint16_t address, uint8_t byte)
{
    EEAR = address;
    EEDR = byte;
    uint8_t old = SREG;
    cli(); /* EEPE must follow EEMPE within four cycles */
    EECR = _BV(EEMPE);
    EECR = _BV(EEMPE) | _BV(EEPE);
    SREG = old;
}

/* What the EEPROM holds. A damaged record is replaced by what a new node has; whether
 * there was one. */
static bool recall(struct link_identity *identity)
{
    bool damaged = false;
    enum store_found found = store_identity(identity);
    if (found != STORE_GOOD) {
        identity->device = start_random();
        store_keep(&store, NODE_KEEPS_IDENTITY, 0);
        damaged = found == STORE_DAMAGED;
    }
    for (uint8_t i = 0; i < BOARD_POCKETS; i++) {
        node.pockets[i].settings = node_defaults();
        damaged = store_settings(i, &node.pockets[i].settings) == STORE_DAMAGED || damaged;
    }
    return damaged;
}

STEP begin(void)
{
    struct link_start start = {
        .build = BUILD,
        .reset_cause = start_cause(),
        .board = MSG_BOARD_ATMEGA328P,
        .pockets = BOARD_POCKETS,
    };
    struct link_identity identity = {0};
    DDRB |= LED;
    clock_start();
    sei();
    start.boot = store_boot();
    bool damaged = recall(&identity);
    node_init(&node, &identity, &start, clock_us());
    if (damaged)
        link_fault(&node.link, MSG_FAULT_KIND_MEMORY, LINK_NODE, 0);
    serial_start(&node.link);
    sampling_start();
}

STEP look(void)
{
    static bool watched;
    uint32_t tick_us;
    const struct sense_sample *samples = sampling_next(&tick_us);
    if (samples == NULL)
        return;
    node_tick(&node, samples, tick_us, sampling_missed());
    sampling_done();
    sampling_dark(node_dark(&node));
    if (node_light(&node, tick_us))
        PORTB |= LED;
    else
        PORTB &= (uint8_t)~LED;
    if (!watched && node_tested(&node)) {
        watched = true;
        start_watch();
    }
}

/* Samples first: what the host asks for may take longer than one. */
STEP read_bytes(void)
{
    uint8_t byte;
    while (serial_byte(&byte)) {
        uint8_t pocket = 0;
        enum node_keeps keeps = node_byte(&node, byte, clock_us(), &pocket);
        store_keep(&store, keeps, pocket);
        look();
    }
}

STEP send(void)
{
    link_poll(&node.link, clock_us());
    serial_send();
}

/* Sleep until an interrupt, unless there is something to do. The test and the sleep
 * are one: what arrives between them would otherwise wait for the next interrupt. */
static void rest(void)
{
    cli();
    while (!sampling_waits() && !serial_waits()) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
    }
    sei();
}

int main(void)
{
    SMCR = 0; /* idle: timers, converter and serial line go on */
    begin();
    for (;;) {
        look();
        read_bytes();
        send();
        look();
        store_poll(&store, &node);
        start_alive();
        rest();
    }
}
