/* An ATmega328P at 16 MHz (Arduino Nano): pins, sleep, EEPROM. */
#include "clock.h"
#include "messages.h"
#include "port.h"
#include "store.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { LED = 1 << (NANO_LED & 7) }; /* of port B */

void chip_start(void)
{
    SMCR = 0; /* idle: timers, converter and serial line go on */
    DDRB |= LED;
    clock_start();
    sei();
}

uint8_t chip_board(void)
{
    return MSG_BOARD_ATMEGA328P;
}

void chip_light(bool on)
{
    if (on)
        PORTB |= LED;
    else
        PORTB &= (uint8_t)~LED;
}

/* The test and the sleep are one: what arrives between them would otherwise wait for the
 * next interrupt. */
void chip_rest(void)
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

bool chip_save(uint32_t now_us)
{
    (void)now_us;
    return true; /* the EEPROM has each byte already */
}

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
