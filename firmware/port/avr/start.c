/* How the node starts, and starts again when its main loop hangs.
 *
 * The watchdog never resets the chip: after such a reset it stays armed at 15 ms, and
 * the boot loaders of older Nanos take longer than that, so they reset for ever until
 * the power is cut. Instead it interrupts, the cause is left in memory that the start
 * does not clear, and the program begins anew without the boot loader. */
#include "messages.h"
#include "port.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

enum { JITTERS = 64 };
#define HUNG 0xD06E /* no pattern that memory comes up with */

static volatile uint16_t left __attribute__((section(".noinit")));
static uint8_t cause __attribute__((section(".noinit")));
static volatile uint8_t barks; /* while gathering randomness */
static volatile bool gathering;

void start_early(void) __attribute__((naked, used, section(".init3")));

/* Before main(): whatever armed the watchdog must not bite. Optiboot clears MCUSR and
 * leaves what it held in r2; other boot loaders leave MCUSR alone. */
void start_early(void)
{
    uint8_t handed;
    __asm__ __volatile__("mov %0, r2" : "=r"(handed));
    uint8_t flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
    TIMSK0 = 0; /* after a hang all of these still run */
    TIMSK1 = 0;
    UCSR0B = 0;
    cause = flags != 0 || (handed & 0xF0u) != 0 ? flags : handed;
}

uint8_t start_cause(void)
{
    bool hung = left == HUNG;
    left = 0;
    if (hung)
        return MSG_RESET_CAUSE_WATCHDOG;
    if ((cause & _BV(PORF)) != 0)
        return MSG_RESET_CAUSE_POWER;
    if ((cause & _BV(BORF)) != 0)
        return MSG_RESET_CAUSE_BROWN_OUT;
    if ((cause & _BV(WDRF)) != 0)
        return MSG_RESET_CAUSE_WATCHDOG;
    return (cause & _BV(EXTRF)) != 0 ? MSG_RESET_CAUSE_EXTERNAL : MSG_RESET_CAUSE_UNKNOWN;
}

/* Interrupt, never reset. */
static void arm(uint8_t period)
{
    uint8_t old = SREG;
    cli();
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = (uint8_t)(_BV(WDIE) | period);
    SREG = old;
}

void start_watch(void)
{
    arm(_BV(WDP2)); /* a quarter of a second */
}

void start_alive(void)
{
    wdt_reset();
}

ISR(WDT_vect)
{
    if (gathering) {
        barks++;
        WDTCSR |= _BV(WDIE); /* some chips clear it, which is right only with WDE */
        return;
    }
    left = HUNG;
    __asm__ __volatile__("jmp 0");
}

/* The watchdog has its own oscillator; how long its 16 ms are in the crystal's time
 * trembles by more than a microsecond. */
uint64_t start_random(void)
{
    uint64_t random = 0xCBF29CE484222325u;
    gathering = true;
    arm(0);
    for (uint8_t i = 0; i < JITTERS; i++) {
        uint8_t before = barks;
        while (barks == before) {
        }
        random = (random ^ TCNT1L) * 0x100000001B3u; /* FNV-1a */
    }
    wdt_disable();
    gathering = false;
    return random;
}
